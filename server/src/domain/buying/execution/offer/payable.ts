import { formatMoney } from '../../../../core/money.ts'
import { failureOf } from '../../intents/public.ts'
import { type CartState, changeCart, effectOf, railOf, read, type Turn, wayOf } from '../cart-state.ts'
import { failCart } from '../end-cart.ts'
import { canBuyBy } from './reroute.ts'
import { routeAfter } from './route-cart.ts'

/**
 * What has to be known, and hold, before a merchant is asked for a price and before money is asked for: what pays, and that it pays in this
 * way. Null: nothing is in the way.
 */
export function beforePaying(state: CartState): Turn | null {
  const { cart, means, known } = state
  const pay =
    effectOf(state, 'issue_credential', cart.attempt_number) ??
    effectOf(state, 'authorize', cart.attempt_number)
  if (pay !== null) return null
  if (Object.keys(means.wallets).length > 0 && known.payer === undefined) return read(state, 'payer')
  const why = whyNotPaid(state)
  return why === null ? null : { state: giveUpPayment(state, why) }
}

/** The conditions that what pays lays upon the way of buying, each with a sentence for people. */
function whyNotPaid(state: CartState): string | null {
  const { cart, means, accepted } = state
  const { form } = wayOf(state)
  const rail = railOf(state, cart.attempt_number)
  const wallet = rail === null ? undefined : means.wallets[rail]
  if (wallet === undefined) {
    // guard no-card-no-page: a shop that takes cards alone is not gone to where none can be issued
    const isCardless = form === 'card' && rail !== null && means.cardless.includes(rail)
    return isCardless ? 'No card can be issued here for what the buyer pays with.' : null
  }
  // guard wallets-pay-in-their-currency: a wallet is asked for no other currency than its own
  if (cart.currency !== wallet.currency) return `A wallet at Link pays in ${wallet.currency} alone.`
  const amount = accepted?.total ?? cart.expected_amount
  // guard wallets-pay-up-to-their-limit: nobody is asked for a price that their wallet cannot pay
  if (amount > wallet.amountMax)
    return `A wallet at Link pays at most ${formatMoney(wallet.amountMax, wallet.currency)} for one purchase.`
  // guard wallets-pay-at-pages: a wallet pays by a card that is typed into a page, and in no other way
  if (form !== 'card') return 'A wallet at Link pays at shops with pages alone.'
  return null
}

/** The next way is tried; another way to pay helps where there is none. */
function giveUpPayment(before: CartState, why: string): CartState {
  const { cart } = before
  const failure = failureOf('payment_method_required', { message: why })
  if (cart.route === null) return failCart(before, failure)
  const failed = { channel: cart.channel, why, isOfPayment: true }
  const { channel, route } = routeAfter(cart.route, failed, canBuyBy(before))
  if (route.chosen === null) return failCart(changeCart(before, { route }), failure)
  return changeCart(before, { channel, route }, 'cart.rerouted')
}
