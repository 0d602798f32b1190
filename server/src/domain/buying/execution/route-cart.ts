import type { ActingContext, Mode } from '../../../contract/context.ts'
import { decideRoute, registryEntriesOfHosts } from '../../discovery/registry/public.ts'
import type { Cart, CartRoute, LoadedCart } from '../intents/public.ts'

type Channel = Cart['channel']

/** What the registry knows of a site. */
type KnownSite = NonNullable<
  Awaited<ReturnType<typeof readSites>> extends ReadonlyMap<string, infer Row> ? Row : never
>

/** The way by which a cart of a merchant elsewhere is bought, and what there was to choose from. */
type Routed = { readonly channel: Channel; readonly route: CartRoute | null }

/** Of these addresses, what the registry of the tenant's mode knows of the sites, by host. */
export function readSites({ tenant, tx }: Pick<ActingContext, 'tenant' | 'tx'>, urls: readonly string[]) {
  return registryEntriesOfHosts(tx, tenant.mode, [...new Set(urls.map(hostOf))])
}

/** Where a browser may go besides the shop's own domain, as the operator says at this moment. */
export async function readMoreHosts(
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  { items, route }: Pick<LoadedCart, 'items' | 'route'>,
): Promise<readonly string[]> {
  const [item] = items
  if (route === null || item === undefined) return []
  return (await readSites(ctx, [item.url])).get(hostOf(item.url))?.more_hosts ?? []
}

export function hostOf(url: string): string {
  return new URL(url).host
}

/**
 * The best way that the product has and that was not given up. `site` null: the registry does not know it, and nobody contacts it. A cart
 * without any way keeps the name of the last resort, and fails by it.
 */
export function chooseRoute(
  { mode, site, excluded }: { mode: Mode; site: KnownSite | null; excluded: CartRoute['excluded'] },
  canBuy: (channel: Channel) => boolean,
): Routed {
  const candidates = decideRoute({ mode, seller: null, entry: site })
  if (site === null) return { channel: candidates[0]?.channel ?? lastResort, route: null }
  return chosenOf({ site: site.origin, candidates, excluded }, canBuy)
}

/** The next way, after one that did not work. */
export function routeAfter(
  route: CartRoute,
  failed: CartRoute['excluded'][number],
  canBuy: (channel: Channel) => boolean,
): Routed & { readonly route: CartRoute } {
  return chosenOf({ ...route, excluded: [...route.excluded, failed] }, canBuy)
}

const lastResort = 'browser'

function chosenOf(
  { site, candidates, excluded }: Omit<CartRoute, 'chosen'>,
  canBuy: (channel: Channel) => boolean,
): Routed & { readonly route: CartRoute } {
  const left = candidates.filter(({ channel }) => !excluded.some((one) => one.channel === channel))
  const chosen = left.find(({ channel }) => canBuy(channel))?.channel ?? null
  return { channel: chosen ?? lastResort, route: { site, candidates, chosen, excluded } }
}
