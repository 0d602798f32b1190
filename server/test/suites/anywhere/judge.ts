import type { Service } from '../whole-product.ts'
import type { Case, Expected } from './cases.ts'

/** What the outside world remembers of one purchase: how often the shop charged it, and whether the purchase says so. */
export type Bought = { readonly charges: number; readonly told: boolean }

type Judged = Pick<Case, 'page'> & { readonly id: string; readonly email: string; readonly end: Expected }

type ProcessorObject = {
  object: string
  status: string
  limit: number
  captured_amount?: number
  authorized_amount?: number
  captured?: number
  authorized?: number
}
type ShopEntry = { kind: string; result: string; email: string | null }

/** Compares a purchase with the memory of its shop and of the processor. Neither knows anything of our rows. */
export async function judgePurchase(
  service: Service,
  { page, id, email, end }: Judged,
): Promise<{ bought: Bought; broken: string[] }> {
  const purchase = await service.read(id)
  const credentials = await credentialsOf(service, purchase.carts)
  const charged = credentials.reduce((sum, one) => sum + chargedBy(one), 0)
  const used = credentials.filter((one) => chargedBy(one) > 0).length
  const atShop = page.channel === 'mpp' ? used : await chargesAt(service, page.shop, email)
  const isBought = purchase.status === 'succeeded'
  const elsewhere = purchase.carts.filter(({ channel }) => channel !== page.channel)
  const broken = [
    ...elsewhere.map(({ channel }) => `${id} was bought by ${channel}`),
    ...(isBought === charged > 0 ? [] : [`${id} is ${purchase.status}, and ${charged} was charged`]),
    ...(purchase.actual_amount === charged
      ? []
      : [`${id} says that it cost ${purchase.actual_amount}, and ${charged} was charged`]),
    ...(charged <= purchase.max_allowed_amount
      ? []
      : [`${id} may cost ${purchase.max_allowed_amount}, and ${charged} was charged`]),
    ...(Math.max(used, atShop) <= 1 ? [] : [`${id} was charged ${used} times, ${atShop} by its shop`]),
    ...(atShop === used ? [] : [`${id} was charged ${used} times, and its shop says ${atShop}`]),
    ...credentials
      .filter(({ status, takes_more }) => status === 'active' || takes_more === true)
      .map(({ status }) => `${id} is over, and a credential of it is ${status}`),
    ...(end === 'either' || (isBought ? 'bought' : 'not bought') === end
      ? []
      : [`${id} ended ${purchase.status}, not ${end}`]),
  ]
  return {
    bought: { charges: Math.max(used, atShop), told: isBought && purchase.actual_amount === charged },
    broken,
  }
}

type Credential = ProcessorObject & { takes_more?: boolean }

/** What the processor has issued for these carts, in all of their attempts. */
async function credentialsOf({ ready }: Service, carts: readonly { id: string }[]): Promise<Credential[]> {
  const processor = ready.sandbox.processor_log_url.replace(/\/log$/, '')
  const log = await read<{ key: string; operation: string; result: string }[]>(`${processor}/log`)
  const keys = log.flatMap(({ key, operation, result }) =>
    operation.startsWith('issue_') &&
    result === 'approved' &&
    carts.some(({ id }) => key.startsWith(`${id}:`))
      ? [key]
      : [],
  )
  const made = await Promise.all(
    keys.map((key) => read<{ data: Credential[] }>(`${processor}/v1/objects?key=${encodeURIComponent(key)}`)),
  )
  return made.flatMap(({ data }) => data)
}

/** What its merchant holds or has taken of it. */
function chargedBy(one: Credential): number {
  if (one.object === 'virtual_card') return (one.authorized ?? 0) + (one.captured ?? 0)
  return one.captured_amount || (one.status === 'authorized' ? (one.authorized_amount ?? 0) : 0)
}

/** How many orders the shop has charged this buyer for. */
async function chargesAt({ ready }: Service, shop: string, email: string): Promise<number> {
  const log = await read<ShopEntry[]>(`${ready.sandbox.strangers_url}/${shop}/log`)
  return log.filter(
    (entry) => entry.kind === 'charge' && entry.result === 'authorized' && entry.email === email,
  ).length
}

async function read<Body>(url: string): Promise<Body> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return (await response.json()) as Body // as the sandbox documents it
}
