import type { CDPSession, HTTPRequest, Page } from 'puppeteer-core'

/** What a page is still waiting for. Pictures and fonts change nothing that is bought. */
const waitedFor = new Set(['document', 'script', 'stylesheet', 'xhr', 'fetch'])

/** A page that has said that it leaves is believed for so long, until its request is seen. */
const leavingMs = 2_000

export type Traffic = Awaited<ReturnType<typeof watchTraffic>>

const traffics = new WeakMap<Page, Promise<Traffic>>()

/** Counts what a page has asked for and not yet got; one watcher for a page, however often it is asked for. */
export function trafficOf(page: Page): Promise<Traffic> {
  const known = traffics.get(page)
  if (known !== undefined) return known
  const traffic = watchTraffic(page)
  traffics.set(page, traffic)
  return traffic
}

async function watchTraffic(page: Page) {
  const open = new Map<HTTPRequest, number>()
  const waiting = new Set<() => void>()
  let lastStatus = 0
  let navigations = 0
  let leftMs: number | null = null
  let lastFailure: string | null = null
  const changed = () => {
    for (const wake of [...waiting]) wake()
  }
  const isMain = (request: HTTPRequest) =>
    request.isNavigationRequest() && request.frame() === page.mainFrame()
  page.on('request', (request) => {
    if (isMain(request)) {
      lastFailure = null
      leftMs = null
      navigations += 1
    }
    if (waitedFor.has(request.resourceType())) open.set(request, performance.now())
    changed()
  })
  page.on('response', (response) => {
    if (isMain(response.request())) lastStatus = response.status()
  })
  const ended = (request: HTTPRequest) => {
    open.delete(request)
    changed()
  }
  page.on('requestfinished', ended)
  page.on('requestfailed', (request) => {
    if (isMain(request)) lastFailure = request.failure()?.errorText ?? 'failed'
    ended(request)
  })
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) leftMs = null
    changed()
  })
  await watchLeaving(page, () => {
    leftMs = performance.now()
    changed()
  })
  page.on('close', changed)
  return {
    /** How many answers are still to come, but for those that are asked for so long that the page does not wait for them. */
    pending: (longestMs: number) =>
      [...open.values()].filter((since) => performance.now() - since < longestMs).length,
    isNavigating: () =>
      [...open.keys()].some(isMain) || (leftMs !== null && performance.now() - leftMs < leavingMs),
    /** How many times the main frame was led somewhere. */
    navigations: () => navigations,
    /** The state of the last answer to the main frame, and why its last navigation failed. */
    status: () => lastStatus,
    failure: () => lastFailure,
    /** Resolves at the next change, or after so long. */
    change(maxMs: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, maxMs)
      waiting.add(resolve)
      return promise.finally(() => {
        clearTimeout(timer)
        waiting.delete(resolve)
      })
    },
  }
}

/**
 * Scripts and forms lead away a moment after the click. The document says so in the order of its answers: what is asked of it afterwards is
 * answered later, while its request is seen whenever another process has made it.
 */
async function watchLeaving(page: Page, left: () => void): Promise<void> {
  const session: CDPSession = await page.createCDPSession()
  await session.send('Page.enable')
  // The main frame keeps its number for as long as the page is open.
  const { frameTree } = await session.send('Page.getFrameTree')
  session.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
    if (disposition === 'currentTab' && frameId === frameTree.frame.id) left()
  })
}
