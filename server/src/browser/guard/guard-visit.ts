import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import type { Browser, BrowserContext, CDPSession, Page, Protocol } from 'puppeteer-core'
import { paymentRoleOf, type VisitRules } from './visit-rules.ts'

type Guarded = {
  readonly browser: Browser
  readonly context: BrowserContext
  readonly rules: VisitRules
  /** The secret of this visit at the proxy. */
  readonly credentials: { readonly username: string; readonly password: string }
}

/**
 * What a page could use to get around the guard, or to stay after the visit. A browser without these is nothing unusual to a page: some have
 * none in a private window.
 */
const withoutPowers = `(() => {
  for (const name of ['serviceWorker', 'mediaDevices', 'usb', 'bluetooth', 'hid', 'serial', 'credentials'])
    delete Navigator.prototype[name]
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport', 'SharedWorker', 'PaymentRequest'])
    delete globalThis[name]
})()`

/** Opens the page of a visit, with the rules over it before anything is loaded. Returns its own line to Chromium, for pictures. */
export async function openGuardedPage(guarded: Guarded): Promise<{ page: Page; session: CDPSession }> {
  const { browser, context, rules } = guarded
  const root = await browser.target().createCDPSession()
  await root.send('Browser.setDownloadBehavior', {
    behavior: 'deny',
    ...(context.id === undefined ? {} : { browserContextId: context.id }),
    eventsEnabled: true,
  })
  root.on('Browser.downloadWillBegin', ({ url }) => rules.note(`download from ${hostOf(url)}`))
  // To grant nothing is to refuse everything that a page could ask its visitor for.
  await root.send('Browser.grantPermissions', {
    permissions: [],
    ...(context.id === undefined ? {} : { browserContextId: context.id }),
  })
  const page = await context.newPage()
  const session = await page.createCDPSession()
  const { frameTree } = await session.send('Page.getFrameTree')
  await guardPage(session, { ...guarded, frame: Promise.resolve(frameTree.frame.id) })
  await watchTargets(root, page, guarded)
  return { page, session }
}

/** All is said in one go: what follows in a new window's session comes too late. */
async function guardPage(session: CDPSession, guarded: GuardedTarget): Promise<void> {
  session.on('Page.fileChooserOpened', () => guarded.rules.note('file chooser'))
  session.on('Page.javascriptDialogOpening', () => {
    // A dialog stops the page until somebody answers. To agree to nothing is what a person does who wants to get on.
    session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => undefined)
  })
  await Promise.all([
    guardSession(session, guarded),
    session.send('Page.enable'),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: withoutPowers, runImmediately: true }),
    session.send('Page.setInterceptFileChooserDialog', { enabled: true, cancel: true }),
  ])
}

/**
 * `frame` is a page's main frame, and null of what is inside a page. Until it is known, what the target asks for waits; where it is refused,
 * nothing goes out.
 */
type GuardedTarget = Guarded & { readonly frame: Promise<string | null | 'refused'> }

/** One target: a page, a frame of another site, or a worker. What belongs to it is guarded, too, before it runs. */
async function guardSession(session: CDPSession, guarded: GuardedTarget): Promise<void> {
  session.on('Fetch.requestPaused', (event) => {
    decide(session, event, guarded).catch(() => undefined)
  })
  session.on('Fetch.authRequired', (event) => {
    answerAuth(session, event, guarded).catch(() => undefined)
  })
  session.on('sessionattached', (child: CDPSession) => {
    guardChild(child, guarded).catch(() => undefined)
  })
  await Promise.all([
    session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }], handleAuthRequests: true }),
    session.send('Network.enable').catch(() => undefined),
    session.send('Network.setBypassServiceWorker', { bypass: true }).catch(() => undefined),
    session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
  ])
}

async function guardChild(child: CDPSession, guarded: GuardedTarget): Promise<void> {
  try {
    await child
      .send('Page.addScriptToEvaluateOnNewDocument', { source: withoutPowers, runImmediately: true })
      .catch(() => undefined)
    const frame = guarded.frame.then((outer) => (outer === 'refused' ? outer : null))
    await guardSession(child, { ...guarded, frame })
  } finally {
    await child.send('Runtime.runIfWaitingForDebugger')
  }
}

async function decide(
  session: CDPSession,
  event: Protocol.Fetch.RequestPausedEvent,
  guarded: GuardedTarget,
): Promise<void> {
  const { requestId } = event
  if (!(await isRefused(event, guarded))) {
    await session.send('Fetch.continueRequest', { requestId })
    return
  }
  await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
}

/** The rules note why. */
async function isRefused(
  { request, resourceType, frameId }: Protocol.Fetch.RequestPausedEvent,
  { rules, frame: known }: GuardedTarget,
): Promise<boolean> {
  const { url } = request
  const frame = await known
  if (frame === 'refused' || !rules.countRequest()) return true
  const isMain = resourceType === 'Document' && frameId === frame
  if (rules.holdsSecret(url))
    rules.note(`${isMain ? 'navigation' : 'request'} to an address with what was typed`)
  else if (isMain && !rules.mayNavigate(url)) rules.note(`navigation to ${hostOf(url)}`)
  else if (!isLocal(url) && !rules.mayLoad(url)) rules.note(`request to ${hostOf(url)}`)
  else return false
  return true
}

/** The proxy gets its secret, and no shop that asks for a password gets anything. */
async function answerAuth(
  session: CDPSession,
  { requestId, authChallenge }: Protocol.Fetch.AuthRequiredEvent,
  { credentials }: GuardedTarget,
): Promise<void> {
  const isProxy = authChallenge.source === 'Proxy'
  await session.send('Fetch.continueWithAuth', {
    requestId,
    authChallengeResponse: isProxy
      ? { response: 'ProvideCredentials', ...credentials }
      : { response: 'CancelAuth' },
  })
}

/** Targets that no window shows. */
const outlivingKinds = new Set(['service_worker', 'shared_worker', 'prerender'])

/** What a page opens beside itself is closed, but for one window that a frame of payment opens, as some banks do. */
async function watchTargets(root: CDPSession, page: Page, guarded: Guarded): Promise<void> {
  const { context, rules } = guarded
  root.on('Target.targetCreated', ({ targetInfo: { targetId, browserContextId, type, subtype } }) => {
    const kind = subtype ?? type
    if (browserContextId !== context.id || !outlivingKinds.has(kind)) return
    rules.note(kind.replace('_', ' '))
    root.send('Target.closeTarget', { targetId }).catch(() => undefined)
  })
  await root.send('Target.setDiscoverTargets', { discover: true })

  let windows = 0
  const mayOpen = ({ openerFrameId }: Protocol.Target.TargetInfo) => {
    if (windows > 0 || !isFrameOfPayment(page, openerFrameId)) return false
    windows += 1
    return true
  }
  const connection = root.connection()
  const onAttached = ({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent) => {
    if (targetInfo.type !== 'tab' || targetInfo.browserContextId !== context.id) return
    connection?.session(sessionId)?.once('sessionattached', (session: CDPSession) => {
      guardWindow(root, session, guarded, mayOpen).catch(() => undefined)
    })
  }
  connection?.on('Target.attachedToTarget', onAttached)
  page.once('close', () => {
    connection?.off('Target.attachedToTarget', onAttached)
    // Its session stays: Puppeteer would take the end of it for the end of the browser.
    root.send('Target.setDiscoverTargets', { discover: false }).catch(() => undefined)
  })
}

/** For a refused window to ask for its document: one that has none asks for nothing. */
const firstRequestMs = 2_000

/**
 * A new window stands still until it is told to begin, and the page that opened it stands with it. Puppeteer, whose session this is, tells it
 * at once, and only what was sent before is in time: so it is guarded first, and what it asks for waits until it is known whether it may be
 * there at all.
 */
async function guardWindow(
  root: CDPSession,
  session: CDPSession,
  guarded: Guarded,
  mayOpen: (window: Protocol.Target.TargetInfo) => boolean,
): Promise<void> {
  const { promise: frame, resolve } = Promise.withResolvers<string>()
  const hasAsked = new Promise<unknown>((asked) => session.once('Fetch.requestPaused', asked))
  const [{ targetInfo }] = await Promise.all([
    session.send('Target.getTargetInfo'),
    guardPage(session, { ...guarded, frame }),
    // Closed before it has begun, a window leaves the page that opened it standing for ever.
    session.send('Runtime.runIfWaitingForDebugger'),
  ])
  const { targetId } = targetInfo
  // Its main frame has the same id.
  if (mayOpen(targetInfo)) return resolve(targetId)
  resolve('refused')
  guarded.rules.note('popup')
  // What is stopped, or has not begun, when a window closes still goes out.
  await Promise.race([hasAsked, delay(firstRequestMs)])
  await turn()
  await root.send('Target.closeTarget', { targetId })
}

function isFrameOfPayment(page: Page, frameId: string | undefined): boolean {
  const frame = page.frames().find((one) => '_id' in one && one._id === frameId)
  const host = frame === undefined ? null : URL.parse(frame.url())?.hostname
  return host !== null && host !== undefined && paymentRoleOf(host) !== null
}

/** What a page has in itself comes from nowhere. */
function isLocal(url: string): boolean {
  return /^(?:data|blob|about):/.test(url)
}

function hostOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null || parsed.hostname === '' ? (parsed?.protocol ?? 'an odd address') : parsed.hostname
}
