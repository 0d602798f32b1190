import {
  movesMax,
  type PageMove,
  type ReaderAim,
  type ReaderPage,
  readMove,
} from '../../channels/browser/page-reader.ts'
import type { ShopPrice } from '../../channels/browser/shopping-words.ts'
import { readerPageOf } from '../reading/reader-page.ts'
import { pressThrough } from './clear-way.ts'
import type { Errand } from './errand.ts'
import type { Help } from './help.ts'
import { chosenBy, isAtShop, mayAsk, mayPress, typedBy } from './reader-limits.ts'

/** How long one answer is waited for, and all answers of a visit. */
const moveMs = 20_000
const helpMs = 90_000

/** The rules do not know how to go on, and the shop has said nothing against the purchase. */
export function isGivenUp(said: ShopPrice | null): boolean {
  return said?.kind === 'refused' && said.code === 'merchant_unsupported' && said.message === null
}

/**
 * Lets a reader of pages try where the rules are stuck: it fills and chooses until it has pressed something, and the rules go on from there.
 * False: nothing was done. What comes of it is judged as if the rules had done it.
 */
export async function helpOn(errand: Errand, aim: ReaderAim): Promise<boolean> {
  const { help, tab } = errand
  let isDone = false
  while (help !== null && (await mayAskNow(errand, help))) {
    const shown = readerPageOf(await tab.read(), { aim, request: errand.request })
    const print = JSON.stringify(shown)
    if (help.seen.has(print)) break
    help.seen.add(print)
    help.moves += 1
    const move = readMove(await answerOf(help, shown, tab.visit.signal), shown)
    if (move?.move === 'stuck') break
    help.isOver = move === null || !(await make(errand, move, shown))
    if (help.isOver) break
    isDone = true
    if (move?.move === 'click' || move?.move === 'back') break
  }
  return isDone
}

async function mayAskNow(errand: Errand, help: Help): Promise<boolean> {
  if (help.isOver || help.moves >= movesMax || help.spentMs >= helpMs) return false
  return mayAsk(errand, await errand.tab.read())
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

/** False: it may not be done here, or could not be. The page is read once more: it may have changed while the reader thought. */
async function make(errand: Errand, move: PageMove, shown: ReaderPage): Promise<boolean> {
  const { tab } = errand
  const page = await tab.read()
  switch (move.move) {
    case 'click': {
      const name = shown.elements.find(({ ref }) => ref === move.ref)?.name ?? ''
      if (!mayPress(errand, page, { ...move, name })) return false
      return (await pressThrough(errand, move.ref)) && isAtShop(errand.request, tab.page.url())
    }
    case 'choose':
    case 'fill': {
      const entry =
        move.move === 'fill' ? typedBy(errand, page, move) : chosenBy(errand, page, { ...move, shown })
      if (entry === null) return false
      if (entry.control.kind === 'select') await tab.select(entry.control.ref, entry.text)
      else await tab.type(entry.control.ref, entry.text)
      if (move.move === 'fill') errand.isIntroduced = true
      await tab.page.keyboard.press('Tab')
      await tab.settled()
      return isAtShop(errand.request, tab.page.url())
    }
    case 'back':
      await tab.guarded(tab.page.goBack({ waitUntil: 'domcontentloaded' }).catch(() => null))
      await tab.settled()
      return isAtShop(errand.request, tab.page.url())
    case 'stuck':
      return false
    default:
      return move satisfies never
  }
}
