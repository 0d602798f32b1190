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
  const session = await guardPage(page, guarded)
  await watchTargets(root, page, guarded)
  return { page, session }
}

async function guardPage(page: Page, guarded: Guarded): Promise<CDPSession> {
  const session = await page.createCDPSession()
  const { frameTree } = await session.send('Page.getFrameTree')
  await guardSession(session, { ...guarded, mainFrame: frameTree.frame.id })
  await session.send('Page.enable')
  await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: withoutPowers,
    runImmediately: true,
  })
  await session.send('Page.setInterceptFileChooserDialog', { enabled: true, cancel: true })
  session.on('Page.fileChooserOpened', () => guarded.rules.note('file chooser'))
  session.on('Page.javascriptDialogOpening', () => {
    // A dialog stops the page until somebody answers. To agree to nothing is what a person does who wants to get on.
    session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => undefined)
  })
  return session
}

type GuardedTarget = Guarded & { readonly mainFrame: string | null }

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
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }], handleAuthRequests: true })
  await session.send('Network.enable').catch(() => undefined)
  await session.send('Network.setBypassServiceWorker', { bypass: true }).catch(() => undefined)
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
  })
}

async function guardChild(child: CDPSession, guarded: GuardedTarget): Promise<void> {
  try {
    await child
      .send('Page.addScriptToEvaluateOnNewDocument', { source: withoutPowers, runImmediately: true })
      .catch(() => undefined)
    await guardSession(child, { ...guarded, mainFrame: null })
  } finally {
    await child.send('Runtime.runIfWaitingForDebugger')
  }
}

async function decide(
  session: CDPSession,
  { requestId, request, resourceType, frameId }: Protocol.Fetch.RequestPausedEvent,
  { rules, mainFrame }: GuardedTarget,
): Promise<void> {
  const isMain = resourceType === 'Document' && frameId === mainFrame
  const refusal = !rules.countRequest()
    ? 'too many'
    : rules.holdsSecret(request.url)
      ? `${isMain ? 'navigation' : 'request'} to an address with what was typed`
      : isMain && !rules.mayNavigate(request.url)
        ? `navigation to ${hostOf(request.url)}`
        : !isLocal(request.url) && !rules.mayLoad(request.url)
          ? `request to ${hostOf(request.url)}`
          : null
  if (refusal === null) {
    await session.send('Fetch.continueRequest', { requestId })
    return
  }
  if (refusal !== 'too many') rules.note(refusal)
  await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
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

/** Windows that a page opens are closed, but for one that a frame of payment opens, as some banks do. */
async function watchTargets(root: CDPSession, page: Page, guarded: Guarded): Promise<void> {
  const { context, rules } = guarded
  let popups = 0
  const own = (await (await page.createCDPSession()).send('Target.getTargetInfo')).targetInfo.targetId
  root.on('Target.targetCreated', ({ targetInfo }) => {
    const { targetId, browserContextId, type, openerFrameId } = targetInfo
    if (browserContextId !== context.id || targetId === own) return
    if (type === 'page' && popups === 0 && isFrameOfPayment(page, openerFrameId)) {
      popups += 1
      guardPopup(context, page, guarded).catch(() => undefined)
      return
    }
    if (type !== 'page' && type !== 'service_worker' && type !== 'shared_worker') return
    rules.note(type === 'page' ? 'popup' : type.replace('_', ' '))
    root.send('Target.closeTarget', { targetId }).catch(() => undefined)
  })
  await root.send('Target.setDiscoverTargets', { discover: true })
}

async function guardPopup(context: BrowserContext, page: Page, guarded: Guarded): Promise<void> {
  for (const other of await context.pages()) if (other !== page) await guardPage(other, guarded)
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
