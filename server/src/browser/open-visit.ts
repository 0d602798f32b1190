import type {
  ShopEvidence,
  ShopLook,
  ShopRequest,
  ShopWayRequest,
} from '../channels/browser/shopping-words.ts'
import type { Mode } from '../contract/context.ts'
import type { Faults } from '../platform/faults/faults.ts'
import type { Log } from '../platform/logs/logs.ts'
import type { Chromiums } from './chromium/keep-chromium.ts'
import { takeMaskedPicture } from './evidence/masked-picture.ts'
import { openGuardedPage } from './guard/guard-visit.ts'
import type { PaymentHosts } from './guard/payment-hosts.ts'
import { type PageFault, Renderers } from './guard/renderers.ts'
import { VisitRules } from './guard/visit-rules.ts'
import type { Visit } from './shopper/visit.ts'

/** A visit with all that belongs to it. It outlives a question where its page stays open for the order. */
export type OpenVisit = {
  readonly visit: Visit
  readonly mode: Mode
  /** Whom its place is counted for. */
  readonly share: string
  readonly request: ShopRequest | ShopLook | ShopWayRequest
  /** What the page itself has done to end it; null: nothing. */
  fault(): PageFault | null
  /** Who gets the pictures from here on. */
  tellEvidence(listener: (evidence: ShopEvidence) => void): void
  /** Ends the visit, also where it has hung itself up. */
  close(): Promise<void>
}

type VisitOptions = {
  readonly chromiums: Chromiums
  readonly mode: Mode
  readonly share: string
  readonly request: ShopRequest | ShopLook | ShopWayRequest
  readonly paymentHosts: PaymentHosts
  readonly faults: Faults
  readonly log: Log
}

/** A context that hangs is left to the end of its Chromium. */
const closeMs = 5_000

/** Opens a context of its own for one cart, with its own way to the network. Throws where there is no Chromium for it. */
export async function openVisit({
  chromiums,
  mode,
  share,
  request,
  paymentHosts,
  faults,
  log,
}: VisitOptions): Promise<OpenVisit> {
  const { browser, proxy, release } = await chromiums.use(mode, share)
  const rules = new VisitRules(request, paymentHosts)
  const { close: closeWay, ...credentials } = proxy.admit(rules)
  const ended = new AbortController()
  let closing: Promise<void> | null = null
  let closeContext = () => Promise.resolve()
  let stopWatching = () => {}
  let fault: PageFault | null = null
  const onDisconnected = () => void close()
  const close = () => {
    closing ??= (async () => {
      ended.abort()
      // First the way out, which needs no answer of Chromium.
      closeWay()
      stopWatching()
      browser.off('disconnected', onDisconnected)
      await inTime(closeContext())
      release()
    })()
    return closing
  }
  browser.once('disconnected', onDisconnected)
  try {
    const context = await browser.createBrowserContext()
    closeContext = () => context.close()
    // It lasts as long as its Chromium: Puppeteer takes the end of one for the end of the browser.
    const root = await browser.target().createCDPSession()
    const renderers = new Renderers(root, (what) => {
      fault = what
      log.warn({ site: request.site }, `browser: a visit is ended because ${what}`)
      void close()
    })
    stopWatching = () => renderers.stop()
    const opened = await openGuardedPage({ root, context, rules, credentials, renderers })
    let listener: (evidence: ShopEvidence) => void = () => undefined
    const visit: Visit = {
      page: opened.page,
      signal: ended.signal,
      at: faults.at,
      async evidence(stage, totalText) {
        if (ended.signal.aborted) return
        // A purchase does not fail because its picture does.
        const picture = await takeMaskedPicture(opened.session).catch((error: unknown) => {
          if (!ended.signal.aborted) log.warn({ err: error, stage }, 'browser: no picture could be taken')
          return null
        })
        if (picture === null) return
        const urlHost = URL.parse(opened.page.url())?.hostname ?? ''
        listener({ stage, at: new Date(), urlHost, picture, totalText, hosts: rules.contacted() })
      },
      mayTakeCard: (origin) => rules.mayTakeCard(origin),
      mayTakePassword: (origin) => rules.mayTakePassword(origin),
      keepOutOfAddresses: (secret) => rules.keepOutOfAddresses(secret),
      closeHosts: () => rules.closeHosts(),
      refusals: () => rules.refusals(),
    }
    return {
      visit,
      mode,
      share,
      request,
      close,
      fault: () => fault,
      tellEvidence(next) {
        listener = next
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeMs)
  })
  await Promise.race([work.catch(() => undefined), late])
  clearTimeout(timer)
}
