import { after } from '../../../../core/backoff.ts'
import type { OfferAnswer } from '../../channels/public.ts'
import { atStage, inputHours } from '../../intents/public.ts'
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
  const until = after(now, inputHours * 3600).toISOString()
  return changeCart(
    state,
    { ...atStage({ kind: 'none' }), question: { fields, until, session } },
    'cart.input_required',
  )
}

function notTaken({ label, host }: NeedsInput['fields'][number]): string {
  return `“${label}” at ${host ?? 'the shop'} does not take what was answered.`
}
