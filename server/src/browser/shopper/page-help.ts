import {
  movesMax,
  type PageMove,
  type ReaderAim,
  type ReaderPage,
  readMove,
} from '../../channels/browser/page-reader.ts'
import type { ShopPrice } from '../../channels/browser/shopping-words.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { readerPageOf } from '../reading/reader-page.ts'
import { askedBy, fieldOf } from './ask-field.ts'
import { fillBuyer, typeEntries } from './fill-fields.ts'
import type { Help } from './help.ts'
import { agreeableOf, pressIfAgreed } from './page-script.ts'
import { proveStep, type Unproven } from './prove-step.ts'
import { chosenBy, isAtShop, mayAsk, mayPress, nameField } from './reader-limits.ts'
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
    const move = await nextMove(task, help, shown)
    if (move === null || !(await makeOrEnd(task, help, { move, shown }))) break
    isDone = true
    if (move.move === 'click' || move.move === 'back') break
  }
  return isDone
}

/**
 * Lets a reader say what the controls are for that a step cannot be left without, and that the rules do not understand: a part of the buyer's
 * data, or a choice. False: it has said nothing of them that may be so, and a person is asked.
 */
export async function nameLacking(task: ShopTask, { page, lacking }: Unproven): Promise<boolean> {
  const { help, tab } = task
  const asked = lacking.map((control) => askedBy(page, control))
  if (asked.includes('secret') || asked.includes(null)) return false
  let open = lacking.filter((control) => fieldOf(page, control) === null)
  let isDone = false
  while (help !== null && open.length > 0 && (await mayAskNow(task, help))) {
    const refs = new Set(open.map(({ ref }) => ref))
    const shown = readerPageOf(await tab.read(), { aim: 'fill_form', request: task.request, asked: refs })
    const move = await nextMove(task, help, shown)
    if (move === null) break
    const about = 'ref' in move ? open.find(({ ref }) => ref === move.ref) : undefined
    // Beside a form that cannot be sent, it moves nothing but what is asked about.
    if (about === undefined) help.isOver = true
    if (about === undefined || !(await makeOrEnd(task, help, { move, shown }))) break
    isDone = true
    open = open.filter((one) => one !== about && !isOfGroup(one, about))
  }
  return isDone
}

function isOfGroup(one: Control, about: Control): boolean {
  return about.kind === 'radio' && one.kind === 'radio' && one.name === about.name && one.form === about.form
}

/** Null: none, or the reader does not know either. It is not asked twice for the same, and after garbage not at all. */
async function nextMove({ tab }: ShopTask, help: Help, shown: ReaderPage): Promise<PageMove | null> {
  const print = JSON.stringify(shown)
  if (help.seen.has(print)) return null
  help.seen.add(print)
  help.moves += 1
  const move = readMove(await answerOf(help, shown, tab.visit.signal), shown)
  if (move === null) help.isOver = true
  return move?.move === 'stuck' ? null : move
}

type Answered = { readonly move: PageMove; readonly shown: ReaderPage }

/** After a move that may not be made, nobody asks again. */
async function makeOrEnd(task: ShopTask, help: Help, { move, shown }: Answered): Promise<boolean> {
  const isMade = await make(task, move, shown)
  if (!isMade) help.isOver = true
  return isMade
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
      if (shown.aim === 'go_to_payment' && !(await mayLeave(task, page, move.ref))) return false
      return (await press(task, { ...move, name })) && isAtShop(task.request, tab.page.url())
    }
    case 'fill':
      // It is filled in as if the rules had known it.
      return nameField(task, page, move) && (shown.aim === 'fill_form' || (await fillNamed(task)))
    case 'choose': {
      const entry = chosenBy(task, page, { ...move, shown })
      if (entry === null) return false
      const wasIntroduced = task.isIntroduced
      await typeEntries(task, await tab.standing(), [{ entry, text: entry.text }])
      task.isIntroduced = wasIntroduced
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

/** What a reader has named, and what else of the buyer belongs on the page. */
async function fillNamed(task: ShopTask): Promise<boolean> {
  await fillBuyer(task, await task.tab.read())
  return isAtShop(task.request, task.tab.page.url())
}

/** What a button sends is read back before a reader has it pressed, as before the rules press it. */
async function mayLeave(task: ShopTask, { actions }: PageSnapshot, ref: number): Promise<boolean> {
  const action = actions.find((one) => one.ref === ref)
  if (action === undefined || (action.role === 'link' && action.form === null)) return true
  return (await proveStep(task, { form: action.form })) === null
}
