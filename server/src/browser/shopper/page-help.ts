import {
  movesMax,
  type PageMove,
  type ReaderAim,
  type ReaderPage,
  readMove,
} from '../../channels/browser/page-reader.ts'
import type { ShopPrice } from '../../channels/browser/shopping-words.ts'
import { readerPageOf } from '../reading/reader-page.ts'
import { typeEntries } from './fill-fields.ts'
import type { Help } from './help.ts'
import { agreeableOf, pressIfAgreed } from './page-script.ts'
import { chosenBy, isAtShop, mayAsk, mayPress, typedBy } from './reader-limits.ts'
import type { ShopTask } from './shop-task.ts'

/** How long one answer is waited for, and all answers of a visit. */
const moveMs = 20_000
const helpMs = 90_000
/** How often a page is read again that changed between the reading and the press. */
const pressTries = 5

/** The rules do not know how to go on, and the shop has said nothing against the purchase. */
export function isGivenUp(said: ShopPrice | null): boolean {
  return said?.kind === 'refused' && said.code === 'merchant_unsupported' && said.message === null
}

/**
 * Lets a reader of pages try where the rules are stuck: it fills and chooses until it has pressed something, and the rules go on from there.
 * False: nothing was done. What comes of it is judged as if the rules had done it.
 */
export async function helpOn(task: ShopTask, aim: ReaderAim): Promise<boolean> {
  const { help, tab } = task
  let isDone = false
  while (help !== null && (await mayAskNow(task, help))) {
    const shown = readerPageOf(await tab.read(), { aim, request: task.request })
    const print = JSON.stringify(shown)
    if (help.seen.has(print)) break
    help.seen.add(print)
    help.moves += 1
    const move = readMove(await answerOf(help, shown, tab.visit.signal), shown)
    if (move?.move === 'stuck') break
    help.isOver = move === null || !(await make(task, move, shown))
    if (help.isOver) break
    isDone = true
    if (move?.move === 'click' || move?.move === 'back') break
  }
  return isDone
}

async function mayAskNow(task: ShopTask, help: Help): Promise<boolean> {
  if (help.isOver || help.moves >= movesMax || help.spentMs >= helpMs) return false
  return mayAsk(task, await task.tab.read())
}

/** Null: no answer in time, or none at all. */
async function answerOf(help: Help, shown: ReaderPage, signal: AbortSignal): Promise<unknown> {
  const startedMs = performance.now()
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const giveUp = () => resolve(null)
  const timer = setTimeout(giveUp, moveMs)
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([help.reader.move(shown), late])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
    help.spentMs += performance.now() - startedMs
  }
}

/**
 * Presses what may be pressed while the page says what it said when that was judged: one step in the page. The element itself is pressed,
 * and not what lies at its place.
 */
async function press(task: ShopTask, wanted: { ref: number; name: string }): Promise<boolean> {
  const { tab } = task
  for (let tries = 0; tries < pressTries; tries++) {
    const { page, agreement } = await tab.guarded(agreeableOf(tab.page.mainFrame()))
    if (!mayPress(task, page, wanted)) return false
    const pressed = await tab.guarded(pressIfAgreed(tab.page.mainFrame(), wanted.ref, agreement))
    await tab.settled()
    if (pressed !== 'differs') return pressed === 'pressed'
  }
  return false
}

/** False: it may not be done here, or could not be. The page is read once more: it may have changed while the reader thought. */
async function make(task: ShopTask, move: PageMove, shown: ReaderPage): Promise<boolean> {
  const { tab } = task
  const page = await tab.read()
  switch (move.move) {
    case 'click': {
      const name = shown.elements.find(({ ref }) => ref === move.ref)?.name ?? ''
      return (await press(task, { ...move, name })) && isAtShop(task.request, tab.page.url())
    }
    case 'choose':
    case 'fill': {
      const entry =
        move.move === 'fill' ? typedBy(task, page, move) : chosenBy(task, page, { ...move, shown })
      if (entry === null) return false
      const wasIntroduced = task.isIntroduced
      await typeEntries(task, await tab.standing(), [{ entry, text: entry.text }])
      task.isIntroduced = wasIntroduced || move.move === 'fill'
      return isAtShop(task.request, tab.page.url())
    }
    case 'back':
      await tab.guarded(tab.page.goBack({ waitUntil: 'domcontentloaded' }).catch(() => null))
      await tab.settled()
      return isAtShop(task.request, tab.page.url())
    case 'stuck':
      return false
    default:
      return move satisfies never
  }
}
