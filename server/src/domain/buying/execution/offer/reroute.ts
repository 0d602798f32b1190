import type { Elsewhere } from '../../channels/public.ts'
import { atStage, failureOf } from '../../intents/public.ts'
import { type CartState, changeCart, type Turn } from '../cart-state.ts'
import { failCart } from '../end-cart.ts'
import { isRequestSent } from '../requests.ts'
import { started } from './hear-offer.ts'
import { chooseRoute, isPageOf, routeAfter } from './route-cart.ts'

const byPages = 'browser'

/** The way that was chosen cannot be used, and nothing was placed: the cart goes on by the next one, or fails where there is none. */
export function giveUpRoute(before: CartState, { why, page }: Elsewhere): Turn {
  const { cart, known } = before
  if (cart.status !== 'created' && cart.status !== 'in_progress') return { state: before }
  if (cart.route === null) throw new Error('a way of buying was given up that had not been chosen')
  const state = started(before)
  const { site } = cart.route
  const isThere = !page || isPageOf({ site, moreHosts: known.moreHosts ?? [] }, page.url)
  const canBuy = canBuyBy(state)
  // What stands in a cart of the shop is bought there, or not at all.
  const { channel, route } = routeAfter(cart.route, { channel: cart.channel, why }, (one) =>
    page ? one === byPages && isThere && canBuy(one) : canBuy(one),
  )
  if (route.chosen === null) {
    const merchant_message = page ? `${why} ${page.url}` : why
    return {
      state: failCart(changeCart(state, { route }), failureOf('merchant_unsupported', { merchant_message })),
    }
  }
  const kept = page ? { ...route, page: { ...page, attempt: cart.attempt_number } } : route
  return { state: changeCart(state, { ...atStage({ kind: 'none' }), channel, route: kept }, 'cart.rerouted') }
}

/** Whether a retry looks at the registry of this day. */
export function lacksRoute({ cart, known }: CartState): boolean {
  const isRetried = cart.status === 'created' && cart.attempt_number > 1
  return isRetried && cart.route !== null && cart.items.length > 0 && known.site === undefined
}

/** It leaves out what an earlier attempt has given up. */
export function routeAnew(state: CartState): CartState {
  const { cart, known, tenant } = state
  if (cart.route === null || !known.site) return state
  // Another attempt may be paid by something else.
  const excluded = cart.route.excluded.filter(({ isOfPayment = false }) => !isOfPayment)
  const { channel, route } = chooseRoute({ mode: tenant.mode, site: known.site, excluded }, canBuyBy(state))
  const isSame = channel === cart.channel && excluded.length === cart.route.excluded.length
  if (route?.chosen == null || isSame) return state
  return changeCart(state, { channel, route }, 'cart.rerouted')
}

export function canBuyBy({ means, intent, cart }: CartState): Parameters<typeof chooseRoute>[1] {
  return (channel) => means.offered.includes(channel) && isRequestSent(intent, { ...cart, channel })
}
