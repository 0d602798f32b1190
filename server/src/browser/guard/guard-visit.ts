import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import type { BrowserContext, CDPSession, Page, Protocol } from 'puppeteer-core'
import type { Renderers } from './renderers.ts'
import type { VisitRules } from './visit-rules.ts'

type Guarded = {
  /** A session of Chromium itself. */
  readonly root: CDPSession
  readonly context: BrowserContext
  readonly rules: VisitRules
  /** The secret of this visit at the proxy. */
  readonly credentials: { readonly username: string; readonly password: string }
  readonly renderers: Renderers
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
  const { root, context, rules } = guarded
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
  guarded.renderers.watch(session)
  await watchTargets(page, guarded, frameTree.frame.id)
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
  let isDocument = false
  try {
    isDocument = await child
      .send('Page.addScriptToEvaluateOnNewDocument', { source: withoutPowers, runImmediately: true })
      .then(
        () => true,
        () => false,
      )
    const frame = guarded.frame.then((outer) => (outer === 'refused' ? outer : null))
    await guardSession(child, { ...guarded, frame })
  } finally {
    await child.send('Runtime.runIfWaitingForDebugger')
  }
  if (isDocument) guarded.renderers.watch(child)
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

/**
 * What a page opens beside itself is closed, but for one window that a frame of payment opens, as some banks do. What a window asks for first
 * is stopped for the whole browser and judged there: while a page opens many, some have begun before anything is heard of them.
 */
async function watchTargets(page: Page, guarded: Guarded, own: string): Promise<void> {
  const { root, context, rules } = guarded
  const windows = new Map([[own, true]])
  const mayOpen = ({ targetId, openerFrameId }: Protocol.Target.TargetInfo) => {
    const known = windows.get(targetId)
    if (known !== undefined) return known
    const isFirst = [...windows.values()].filter(Boolean).length === 1
    windows.set(targetId, isFirst && isFrameOfPayment(page, openerFrameId, rules))
    return windows.get(targetId) === true
  }
  // On a busy machine some of many windows were still open after all of them had been closed. Why is not known.
  const closeLate = async (window: Protocol.Target.TargetInfo) => {
    await delay(2 * firstRequestMs, undefined, { ref: false })
    if (!mayOpen(window)) await root.send('Target.closeTarget', { targetId: window.targetId })
  }
  root.on('Target.targetCreated', ({ targetInfo }) => {
    const { targetId, browserContextId, type, subtype } = targetInfo
    if (browserContextId !== context.id) return
    const kind = subtype ?? type
    if (kind === 'page') closeLate(targetInfo).catch(() => undefined)
    if (!outlivingKinds.has(kind)) return
    rules.note(kind.replace('_', ' '))
    root.send('Target.closeTarget', { targetId }).catch(() => undefined)
  })
  await root.send('Target.setDiscoverTargets', { discover: true })

  root.on('Fetch.requestPaused', (event) => {
    decideNavigation(root, event, { context, mayOpen }).catch(() => undefined)
  })
  await root.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] })
  const connection = root.connection()
  const onAttached = ({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent) => {
    if (targetInfo.type !== 'tab' || targetInfo.browserContextId !== context.id) return
    connection?.session(sessionId)?.once('sessionattached', (session: CDPSession) => {
      guardWindow(session, guarded, mayOpen).catch(() => undefined)
    })
  }
  connection?.on('Target.attachedToTarget', onAttached)
  page.once('close', () => {
    connection?.off('Target.attachedToTarget', onAttached)
    root.send('Target.setDiscoverTargets', { discover: false }).catch(() => undefined)
    root.send('Fetch.disable').catch(() => undefined)
  })
}

/** A document of a window that may not be there is asked for by nobody; those of frames are judged where their page is. */
async function decideNavigation(
  root: CDPSession,
  { requestId, frameId }: Protocol.Fetch.RequestPausedEvent,
  { context, mayOpen }: { context: BrowserContext; mayOpen: (window: Protocol.Target.TargetInfo) => boolean },
): Promise<void> {
  const found = await root.send('Target.getTargetInfo', { targetId: frameId }).catch(() => null)
  const info = found?.targetInfo
  const isOurs = info?.browserContextId === context.id && info?.type === 'page'
  // guard windows-ask-nobody: a window that a page opens sends nothing before it is closed
  if (info !== undefined && isOurs && !mayOpen(info))
    await root.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
  else await root.send('Fetch.continueRequest', { requestId })
}

/** For a refused window to ask for its document: one that has none asks for nothing. */
const firstRequestMs = 2_000

/**
 * A new window stands still until it is told to begin, and the page that opened it stands with it. Puppeteer, whose session this is, tells it
 * at once, and only what was sent before is in time: so it is guarded first, and what it asks for waits until it is known whether it may be
 * there at all.
 */
async function guardWindow(
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
  // guard no-windows-of-a-shop: a shop opens no window
  if (mayOpen(targetInfo)) return resolve(targetId)
  resolve('refused')
  guarded.rules.note('popup')
  // What is stopped, or has not begun, when a window closes still goes out.
  await Promise.race([hasAsked, delay(firstRequestMs)])
  await turn()
  await guarded.root.send('Target.closeTarget', { targetId })
}

function isFrameOfPayment(page: Page, frameId: string | undefined, rules: VisitRules): boolean {
  const frame = page.frames().find((one) => '_id' in one && one._id === frameId)
  const host = frame === undefined ? null : URL.parse(frame.url())?.hostname
  return host !== null && host !== undefined && rules.isOfPayment(host)
}

/** What a page has in itself comes from nowhere. */
function isLocal(url: string): boolean {
  return /^(?:data|blob|about):/.test(url)
}

function hostOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null || parsed.hostname === '' ? (parsed?.protocol ?? 'an odd address') : parsed.hostname
}
