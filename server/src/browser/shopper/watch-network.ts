import type { CDPSession, Page, Protocol } from 'puppeteer-core'

type Kind = Protocol.Network.ResourceType

/** What a page is still waiting for. Pictures and fonts change nothing that is bought. */
const waitedFor: ReadonlySet<Kind> = new Set(['Document', 'Script', 'Stylesheet', 'XHR', 'Fetch'])

/** A page that has said that it leaves is believed for so long, until its request is seen. */
const leavingMs = 2_000

/** An answer that a script does not read to its end never ends: it is done when nothing more of it has come for so long. */
const unreadMs = 800

type Traffic = Awaited<ReturnType<typeof watchTraffic>>

const traffics = new WeakMap<Page, Promise<Traffic>>()

/** Counts what a page has asked for and not yet got; one watcher for a page, however often it is asked for. */
export function trafficOf(page: Page): Promise<Traffic> {
  const known = traffics.get(page)
  if (known !== undefined) return known
  const traffic = watchTraffic(page)
  traffics.set(page, traffic)
  return traffic
}

type Open = {
  readonly sinceMs: number
  readonly isMain: boolean
  /** When something came of its answer. */
  heardMs: number | null
}

type State = {
  readonly open: Map<string, Open>
  readonly waiting: Set<() => void>
  lastStatus: number
  lastFailure: string | null
  navigations: number
  leftMs: number | null
}

async function watchTraffic(page: Page) {
  const state: State = {
    open: new Map(),
    waiting: new Set(),
    lastStatus: 0,
    lastFailure: null,
    navigations: 0,
    leftMs: null,
  }
  const { open, waiting } = state
  page.on('close', () => wake(state))
  // A page that asks in a window of the browser answers nothing else until it is closed; who leaves it, leaves it.
  page.on('dialog', (dialog) => {
    const answer = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()
    answer.catch(() => {})
  })
  await listen(await page.createCDPSession(), state)
  return {
    /** How many answers are still to come, but for those that are asked for so long that the page does not wait for them. */
    pending: (longestMs: number) =>
      [...open.values()].filter(
        ({ sinceMs, heardMs, isMain }) =>
          performance.now() - sinceMs < longestMs &&
          (isMain || heardMs === null || performance.now() - heardMs < unreadMs),
      ).length,
    isNavigating: () =>
      [...open.values()].some(({ isMain }) => isMain) ||
      (state.leftMs !== null && performance.now() - state.leftMs < leavingMs),
    /** How many times the main frame was led somewhere. */
    navigations: () => state.navigations,
    /** The state of the last answer to the main frame, and why its last navigation failed. */
    status: () => state.lastStatus,
    failure: () => state.lastFailure,
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

function wake({ waiting }: State): void {
  for (const one of [...waiting]) one()
}

/**
 * The document tells of its requests, and that a form or a script leads away, in the order of its answers: what it is asked afterwards is
 * answered later. So a page that says that it is at rest has nothing open that is not counted here.
 */
async function listen(session: CDPSession, state: State): Promise<void> {
  await session.send('Page.enable')
  // The main frame keeps its number for as long as the page is open.
  const { frameTree } = await session.send('Page.getFrameTree')
  const isMainFrame = (frameId: string | undefined) => frameId === frameTree.frame.id
  session.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
    if (disposition === 'currentTab' && isMainFrame(frameId)) state.leftMs = performance.now()
    wake(state)
  })
  session.on('Page.frameNavigated', ({ frame }) => {
    if (isMainFrame(frame.id)) state.leftMs = null
    wake(state)
  })
  session.on('Page.navigatedWithinDocument', ({ frameId }) => {
    if (isMainFrame(frameId)) state.leftMs = null
    wake(state)
  })
  session.on('Network.requestWillBeSent', ({ requestId, type = 'Other', frameId }) => {
    const isMain = type === 'Document' && isMainFrame(frameId)
    if (isMain) {
      state.lastFailure = null
      state.leftMs = null
      state.navigations += 1
    }
    if (waitedFor.has(type)) state.open.set(requestId, { sinceMs: performance.now(), isMain, heardMs: null })
    wake(state)
  })
  session.on('Network.dataReceived', ({ requestId }) => hear(state, requestId))
  session.on('Network.responseReceived', ({ requestId, response }) => {
    hear(state, requestId)
    if (state.open.get(requestId)?.isMain === true) state.lastStatus = response.status
  })
  session.on('Network.loadingFinished', ({ requestId }) => end(state, requestId))
  session.on('Network.loadingFailed', ({ requestId, errorText }) => {
    if (state.open.get(requestId)?.isMain === true) state.lastFailure = errorText
    end(state, requestId)
  })
  await session.send('Network.enable')
}

function hear({ open }: State, requestId: string): void {
  const request = open.get(requestId)
  if (request !== undefined) request.heardMs = performance.now()
}

function end(state: State, requestId: string): void {
  state.open.delete(requestId)
  wake(state)
}
