import { getDomain } from 'tldts'
import type { ActingContext, Mode } from '../../../../contract/context.ts'
import { decideRoute, type KnownSite, knownSites } from '../../../discovery/registry/public.ts'
import type { Cart, KeptRoute, LoadedCart } from '../../intents/public.ts'

type Channel = Cart['channel']

type Route = Omit<KeptRoute, 'page'>

/** The way by which a cart of a merchant elsewhere is bought, and what there was to choose from. */
type Routed = { readonly channel: Channel; readonly route: Route | null }

/** Of these addresses, what is known of the sites in the tenant's mode. */
export function readSites({ tenant, tx }: Pick<ActingContext, 'tenant' | 'tx'>, urls: readonly string[]) {
  return knownSites(tx, tenant.mode, [...new Set(urls.map(hostOf))])
}

/** Where a browser may go besides the shop's own domain, as the operator says at this moment. */
export async function readMoreHosts(
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  { items, route }: Pick<LoadedCart, 'items' | 'route'>,
): Promise<readonly string[]> {
  const [item] = items
  if (route === null || item === undefined) return []
  const { sites } = await readSites(ctx, [item.url])
  return sites.get(hostOf(item.url))?.more_hosts ?? []
}

export function hostOf(url: string): string {
  return new URL(url).host
}

/** Whether a page belongs to the merchant of a site: over TLS, and below the same registrable domain or at a host that its entry names. */
export function isPageOf(
  { site, moreHosts }: { site: string; moreHosts: readonly string[] },
  address: string,
): boolean {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' || url.port !== '') return false
  return moreHosts.includes(url.hostname) || domainOf(url.hostname) === domainOf(new URL(site).hostname)
}

/** Shops that live below a hosting domain of the list's private section are different merchants. */
function domainOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host
}

/**
 * The best way that the product has and that was not given up. `site` null: nobody knows it, and nobody contacts it. A cart
 * without any way keeps the name of the last resort, and fails by it.
 */
export function chooseRoute(
  { mode, site, excluded }: { mode: Mode; site: KnownSite | null; excluded: Route['excluded'] },
  canBuy: (channel: Channel) => boolean,
): Routed {
  const candidates = decideRoute({ mode, seller: null, entry: site })
  if (site === null) return { channel: candidates[0]?.channel ?? lastResort, route: null }
  return chosenOf({ site: site.origin, candidates, excluded }, canBuy)
}

/** The next way, after one that did not work. */
export function routeAfter(
  route: Route,
  failed: Route['excluded'][number],
  canBuy: (channel: Channel) => boolean,
): Routed & { readonly route: Route } {
  return chosenOf({ ...route, excluded: [...route.excluded, failed] }, canBuy)
}

const lastResort = 'browser'

function chosenOf(
  { site, candidates, excluded }: Omit<Route, 'chosen'>,
  canBuy: (channel: Channel) => boolean,
): Routed & { readonly route: Route } {
  const left = candidates.filter(({ channel }) => !excluded.some((one) => one.channel === channel))
  const chosen = left.find(({ channel }) => canBuy(channel))?.channel ?? null
  return { channel: chosen ?? lastResort, route: { site, candidates, chosen, excluded } }
}
