import type { CallContext } from '../../../contract/context.ts'
import type { PageLook, ProductPages, ShopOfPage } from '../../discovery/listings/public.ts'
import { isHostWithin } from '../../selling/merchant/public.ts'
import {
  type AskedLook,
  awaitLooks,
  findLooks,
  lookRetrySeconds,
  readSites,
  startLooks,
  type VisibleSite,
} from './ask-looks.ts'

/** Shows what is sold at the addresses of shops that the registry knows. */
export const productPages: ProductPages = {
  async shopAt(ctx, url, { id, domain }): Promise<ShopOfPage | null> {
    if (!mayLook(ctx)) return null
    const site = await readSite(ctx, url)
    if (site === null || site.ways.length === 0) return null
    const isNamed = id === site.id || (domain !== undefined && isHostWithin(new URL(url).hostname, domain))
    return isNamed ? { id: site.id, name: site.name, domain: new URL(site.origin).hostname } : null
  },
  async look(ctx, url) {
    const site = await readSite(ctx, url)
    if (site === null) return { now: { kind: 'seen', sold: null }, settled: null }
    const looks = await findLooks(ctx, [productAt(url, site)])
    await startLooks(ctx, looks)
    const now = pageLookOf(looks)
    const settled = async () => pageLookOf(await awaitLooks(ctx, looks))
    return { now, settled: now.kind === 'pending' ? settled : null }
  },
}

/** Shops are asked for accounts alone, which have limits of their own. */
function mayLook({ tenant, viewer, actor }: Pick<CallContext, 'tenant' | 'viewer' | 'actor'>): boolean {
  return viewer === tenant.accountId && actor.type !== 'anonymous'
}

async function readSite(
  { reads, tenant }: Pick<CallContext, 'reads' | 'tenant'>,
  url: string,
): Promise<VisibleSite | null> {
  const { host } = new URL(url)
  return (await readSites(reads, tenant.mode, [host])).get(host) ?? null
}

function productAt(url: string, { origin: site }: VisibleSite) {
  const items = [{ url, quantity: 1, variant: null }]
  const open = { currency: null, method: 'ship', speed: 'cheapest', feeAllowance: null, place: null } as const
  return { aim: 'product', site, items, ...open } as const
}

function pageLookOf([look]: readonly AskedLook[]): PageLook {
  const answer = look?.known?.answer ?? null
  if (answer === null) return { kind: 'pending', retryAfterSeconds: lookRetrySeconds }
  if (answer.kind === 'unavailable') return answer
  const sight = answer.kind === 'seen' ? answer.sight : null
  const product = sight?.items[0]?.product ?? null
  if (answer.kind !== 'seen' || sight === null || product === null) return { kind: 'seen', sold: null }
  const source = answer.channel === 'ucp' ? 'public_ucp' : 'page'
  return { kind: 'seen', sold: { product, source, isPayable: sight.isPayable } }
}
