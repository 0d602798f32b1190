import type { Offer, ShopPlaced } from '../../channels/browser/shopping-words.ts'
import { intentOf, rankActions } from '../reading/action-of.ts'
import { kindOf } from '../reading/page-kind.ts'
import { refusalOf } from '../reading/page-says.ts'
import type { Action, PageSnapshot } from '../reading/page-snapshot.ts'
import { placedBy, readOutcome } from './after-order.ts'
import { neededBoxes } from './buyer-fields.ts'
import { controlFor } from './card-fields.ts'
import { pressThrough } from './clear-way.ts'
import { newLines } from './new-lines.ts'
import { pressWhenAgreed } from './press-agreed.ts'
import { type ShopTask, shows } from './shop-task.ts'
import { wronglyShown } from './shown-address.ts'
import { summaryOf } from './summary.ts'
import { answerOf, withReason } from './why-stuck.ts'

/** How long the page after the card is waited for, and how long one that only repeats the question. */
const reviewMs = 20_000
const repeatedMs = 1_500
const lookMs = 200

type Typed = Extract<ShopPlaced, { kind: 'refused' }>

/**
 * Some shops ask for the card before they show what all of it costs. There the card is sent, and the order is a button of the page after
 * it: it is pressed if that page asks for no more than was agreed to.
 */
export async function orderAfterReview(
  task: ShopTask,
  { offer, cardPage }: { offer: Offer; cardPage: PageSnapshot },
): Promise<ShopPlaced> {
  task.isTotalLater = false
  const stopped = await reachReview(task, cardPage)
  if (stopped !== null) return stopped
  const page = await task.tab.read()
  if (wronglyShown(page, task.request) !== null)
    return typed('merchant_unsupported', 'The page shows the address otherwise than it was given.')
  for (const { ref } of neededBoxes(page)) await pressThrough(task, ref)
  await shows(task, 'review', null)
  const before = task.tab.page.url()
  task.navigations = task.tab.traffic.navigations()
  const pressed = await pressWhenAgreed(task, {
    offer,
    isElsewhere: false,
    choose: (now) => lastButton(task, now),
  })
  if (pressed.kind === 'refused') return pressed
  await task.tab.visit.at('page.clicked')
  return readOutcome(task, { offer, before })
}

function typed(code: Typed['code'], message: string | null): Typed {
  return { kind: 'refused', code, message, isTyped: true }
}

/**
 * What orders on the page after the card; where no word says so, what sends its form below the total: by the words that elsewhere lead
 * there, else as the only one that sends anything.
 */
function lastButton(task: ShopTask, page: PageSnapshot): Action | undefined {
  const [said] = rankActions(page, 'place_order')
  if (said !== undefined || summaryOf(task, page) === null) return said
  const sends = ({ isSubmit, isInNavigation, isInDialog, isDisabled }: Action) =>
    isSubmit && !isInNavigation && !isInDialog && !isDisabled
  const known = [...rankActions(page, 'continue'), ...rankActions(page, 'checkout')].find(sends)
  if (known !== undefined) return known
  const [only, another] = page.actions.filter(
    (action) => sends(action) && !page.controls.some(({ form }) => form === action.form),
  )
  return another === undefined && only !== undefined && intentOf(only, page.language) === null
    ? only
    : undefined
}

/** Null: the page that orders is there. Else what became of the card. */
async function reachReview(task: ShopTask, cardPage: PageSnapshot): Promise<ShopPlaced | null> {
  const { tab } = task
  const startMs = performance.now()
  while (performance.now() - startMs < reviewMs) {
    await tab.settled()
    const page = await tab.read()
    const { kind } = kindOf(page)
    // `Order confirmation` is also what the page is called that asks for it.
    const isReady = lastButton(task, page) !== undefined
    if (kind === 'confirmation' && !isReady) return placedBy(page)
    if (kind === 'error') return { kind: 'unknown', why: 'the page shows an error' }
    if (controlFor(page, 'one_time_code') !== null) return typed('payment_authentication_failed', null)
    const isAsking = controlFor(page, 'card_number') !== null
    const declined = isAsking
      ? refusalOf({ ...page, text: newLines(cardPage, page).join('\n') }, ofCards)
      : null
    if (declined !== null) return typed('payment_declined', declined.sentence)
    if (!isAsking && isReady) return null
    if (isAsking && performance.now() - startMs > repeatedMs)
      return withReason(typed('merchant_unsupported', null), {
        page,
        answers: answerOf({ before: cardPage, page }, []),
      })
    await tab.traffic.change(lookMs)
  }
  return { kind: 'unknown', why: 'no page with the order came after the card' }
}

const ofCards = ['payment_declined', 'payment_failed'] as const
