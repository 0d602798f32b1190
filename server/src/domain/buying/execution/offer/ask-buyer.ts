import { after } from '../../../../core/backoff.ts'
import type { OfferAnswer } from '../../channels/public.ts'
import { atStage, inputHours, type StoredAnswer } from '../../intents/public.ts'
import { type CartState, changeCart } from '../cart-state.ts'
import { failCart } from '../end-cart.ts'
import { refusedByMerchant } from '../failures.ts'

type NeedsInput = Extract<OfferAnswer, { kind: 'needs_input' }>

/** How often a shop elsewhere may ask within an attempt: it asks step by step, and one that changes its words could ask for ever. */
const questionsMax = 4

/** The cart waits to be told, with nothing held. What was told already is not asked again: the shop has not taken it. */
export function askBuyer(state: CartState, { fields, message, session }: NeedsInput): CartState {
  const { cart, now } = state
  const { given = [], asked = 0 } = cart.answers ?? {}
  const again = fields.find(({ name, host }) => given.some((one) => one.name === name && one.host === host))
  // guard asked-once-by-a-cart: what a shop does not take ends its cart, and nobody is asked for it a second time
  if (again !== undefined)
    return failCart(state, refusedByMerchant('merchant_unsupported', message ?? notTaken(again)))
  // guard shops-ask-so-often: a shop that asks and asks is not bought from
  if (asked >= questionsMax)
    return failCart(
      state,
      refusedByMerchant('merchant_unsupported', message ?? 'The shop asks more and more.'),
    )
  const kept = keptFor(state, fields)
  const open = fields.filter(({ name, host }) => !kept.some((one) => one.name === name && one.host === host))
  if (kept.length > 0 && open.length === 0)
    return changeCart(state, {
      ...atStage({ kind: 'none' }),
      answers: { given: [...given, ...kept], session, asked: asked + 1 },
    })
  const until = after(now, inputHours * 3600).toISOString()
  return changeCart(
    state,
    {
      ...atStage({ kind: 'none' }),
      question: { fields: open, until, session },
      ...(kept.length === 0 ? {} : { answers: { given: [...given, ...kept], session: null, asked } }),
    },
    'cart.input_required',
  )
}

/** Whether the purchase names an answer for what is asked, and what is kept was not read yet. */
export function lacksKeptAnswers({ intent, known }: CartState, answer: Pick<OfferAnswer, 'kind'>): boolean {
  return answer.kind === 'needs_input' && intent.kept_answers !== null && known.keptAnswers === undefined
}

/** What is kept for these fields, as far as the purchase has named it: nothing else was shown before it is told again. */
function keptFor({ intent, known }: CartState, fields: NeedsInput['fields']): readonly StoredAnswer[] {
  const isNamed = ({ name, host }: Pick<StoredAnswer, 'name' | 'host'>) =>
    (intent.kept_answers ?? []).some((one) => one.name === name && one.host === host)
  return (known.keptAnswers ?? []).flatMap((one) => {
    const { host, name, label, sealed } = one
    const isAsked = fields.some((field) => field.name === name && field.host === host)
    // guard kept-answers-are-named: what a purchase does not name is not told to a shop
    return isAsked && isNamed(one) ? [{ host, name, label, sealed, owner: intent.profile_id }] : []
  })
}

function notTaken({ label, host }: NeedsInput['fields'][number]): string {
  return `“${label}” at ${host ?? 'the shop'} does not take what was answered.`
}
