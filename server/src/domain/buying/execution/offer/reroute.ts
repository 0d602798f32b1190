import { failureOf } from '../../intents/public.ts'
import type { Channels } from '../channels.ts'
import type { LockedCart } from '../locked-cart.ts'
import type { Elsewhere } from '../port.ts'
import { isRequestSent } from '../requests.ts'
import { failCart } from './apply-offer.ts'
import { chooseRoute, hostOf, isPageOf, readMoreHosts, readSites, routeAfter } from './route-cart.ts'

type Deps = { readonly channels: Channels }

/** The way that was chosen cannot be used, and nothing was placed: the cart goes on by the next one, or fails where there is none. */
export async function giveUpRoute(locked: LockedCart, { why, page }: Elsewhere, deps: Deps): Promise<void> {
  const { cart, ctx } = locked
  if (cart.status !== 'created' && cart.status !== 'in_progress') return
  if (cart.status === 'created')
    locked.change({ status: 'in_progress', started_at: cart.started_at ?? locked.ctx.now }, 'cart.started')
  if (cart.route === null) throw new Error('a way of buying was given up that had not been chosen')
  const { site } = cart.route
  const isThere =
    page === undefined || isPageOf({ site, moreHosts: await readMoreHosts(ctx, cart) }, page.url)
  const canBuy = canBuyBy(locked, deps)
  // What stands in a cart of the shop is bought there, or not at all.
  const { channel, route } = routeAfter(cart.route, { channel: cart.channel, why }, (one) =>
    page === undefined ? canBuy(one) : one === byPages && isThere && canBuy(one),
  )
  if (route.chosen === null) {
    locked.change({ route })
    const merchant_message = page === undefined ? why : `${why} ${page.url}`
    failCart(locked, failureOf('merchant_unsupported', { merchant_message }))
    return
  }
  const kept = page === undefined ? route : { ...route, page: { ...page, attempt: cart.attempt_number } }
  locked.change({ channel, route: kept, stage: null }, 'cart.rerouted')
}

const byPages = 'browser'

/** A retry looks at the registry of this day, and leaves out what an earlier attempt has given up. */
export async function routeAnew(locked: LockedCart, deps: Deps): Promise<void> {
  const { cart, ctx } = locked
  const [item] = cart.items
  if (cart.route === null || cart.status !== 'created' || cart.attempt_number === 1 || !item) return
  const { sites } = await readSites(ctx, [item.url])
  const site = sites.get(hostOf(item.url)) ?? null
  if (site === null) return
  const { excluded } = cart.route
  const { channel, route } = chooseRoute({ mode: ctx.tenant.mode, site, excluded }, canBuyBy(locked, deps))
  if (route?.chosen == null || channel === cart.channel) return
  locked.change({ channel, route }, 'cart.rerouted')
}

function canBuyBy({ ctx, intent, cart }: LockedCart, { channels }: Deps): Parameters<typeof chooseRoute>[1] {
  return (channel) =>
    channels.canEverBuy(ctx.tenant.mode, { channel, merchant_account_id: null }) &&
    isRequestSent(intent, { ...cart, channel })
}
