import { setTimeout as delay } from 'node:timers/promises'
import { patience } from '../../gate/pace.ts'
import { isStrange, type Testimony, type ToldPurchase } from '../../harness/witness.ts'
import { eachOf } from '../suite.ts'
import { queryStored } from './query-stored.ts'

/** Purchases with a cart at a shop that has never heard of us, and what the processor and these shops remember of them. */
export type StrangersFacts = {
  purchases: readonly ToldPurchase[]
  credentials: readonly IssuedCredential[]
  charges: readonly ShopCharge[]
  booked: readonly BookedOrder[]
}

/** What the processor has issued for an attempt of a cart. */
export type IssuedCredential = {
  id: string
  cart: string
  attempt: string
  /** What a shop holds or has taken of it. */
  charged: number
  /** Whether a shop could still use it. */
  isUsable: boolean
}

/** What a shop has authorized at the processor, under its own name of the order. */
export type ShopCharge = { name: string; credential: string; amount: number }

/** An order in the book of a shop, and how often the shop says that it was paid for it. */
export type BookedOrder = { name: string; state: string; paid: number }

type Where = {
  url: string
  wishes: string
  strangersUrl: string
  processorUrl: string
  shops: readonly string[]
}

export async function readStrangers(
  { url, wishes, strangersUrl, processorUrl, shops }: Where,
  get: (path: string) => Promise<unknown>,
): Promise<StrangersFacts> {
  const rows = await queryStored<{ id: string }>(
    url,
    `select i.id from purchase_intents i where i.reference_id like $1 and exists (select 1 from carts c
       where c.account_id = i.account_id and c.mode = i.mode and c.intent_id = i.id and c.channel in ('ucp', 'mpp', 'browser') and c.route is not null)`,
    [wishes],
  )
  const purchases: ToldPurchase[] = []
  await eachOf(rows, 16, async ({ id }) => {
    purchases.push((await get(`/v1/purchase_intents/${id}`)) as ToldPurchase) // the contract's own shape
  })
  // The shops first: an order that is in their book has been to the processor, or will never be.
  const booked = await readBooks(strangersUrl)
  const log = await read<Testimony['processor']>(`${processorUrl}/log`)
  const carts = new Set(purchases.flatMap((one) => one.carts.filter(isStrange).map(({ id }) => id)))
  const madeUnder = async (key: string) =>
    (await read<{ data: Made[] }>(`${processorUrl}/v1/objects?key=${encodeURIComponent(key)}`)).data
  const credentials: IssuedCredential[] = []
  const charges: ShopCharge[] = []
  await eachOf(log, 16, async ({ key, operation, reference, result }) => {
    const [cart = '', attempt = ''] = key.split(':')
    if (result !== 'approved') return
    if (operation.startsWith('issue_') && carts.has(cart))
      for (const one of await madeUnder(key)) credentials.push({ ...standing(one), cart, attempt })
    if (isCharge(operation) && shops.includes(reference?.split(':')[0] ?? ''))
      for (const { credential_id, virtual_card_id, amount } of await madeUnder(key))
        charges.push({
          name: reference ?? '',
          credential: credential_id ?? virtual_card_id ?? '',
          amount: amount ?? 0,
        })
  })
  return { purchases, credentials, charges, booked }
}

function isCharge(operation: string): boolean {
  return operation === 'charge_credential' || operation === 'authorize_card'
}

/** An object of the processor. */
type Made = {
  id: string
  object: string
  status: string
  amount?: number
  credential_id?: string
  virtual_card_id?: string
  takes_more?: boolean
  authorized_amount?: number
  captured_amount?: number
  authorized?: number
  captured?: number
}

function standing(one: Made): Pick<IssuedCredential, 'id' | 'charged' | 'isUsable'> {
  const { id, object, status, takes_more: takesMore } = one
  if (object === 'virtual_card')
    return { id, isUsable: takesMore === true, charged: (one.authorized ?? 0) + (one.captured ?? 0) }
  const held = status === 'authorized' ? (one.authorized_amount ?? 0) : 0
  return { id, isUsable: status === 'active', charged: one.captured_amount || held }
}

type Entry = { shop: string; kind: string; result: string; order: string | null }

async function readBooks(strangersUrl: string): Promise<BookedOrder[]> {
  const log = await read<Entry[]>(`${strangersUrl}/log`)
  const paid = Map.groupBy(
    log.filter(({ kind, result, order }) => kind === 'charge' && result === 'authorized' && order !== null),
    ({ shop, order }) => `${shop}:${order}`,
  )
  const used = [...new Set(log.map(({ shop }) => shop))]
  const books = await Promise.all(
    used.map(async (shop) => {
      const orders = await read<{ number: string; state: string }[]>(`${strangersUrl}/${shop}/orders`)
      return orders.map(({ number, state }) => ({ name: `${shop}:${number}`, state }))
    }),
  )
  return books.flat().map((order) => ({ ...order, paid: paid.get(order.name)?.length ?? 0 }))
}

async function read<Body>(url: string): Promise<Body> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return (await response.json()) as Body // as the sandbox documents it
}

const lookPatienceMs = 60_000

/** What nobody has looked at has no way of buying yet. */
export async function untilLookedAt(url: string): Promise<void> {
  const wait = patience(lookPatienceMs)
  const unseen = 'select 1 from registry_entries where looked_at is null and due_at is not null'
  while ((await queryStored(url, unseen)).length > 0) {
    if (wait.isOver()) throw new Error('no worker looks at the shops of the registry')
    await delay(50)
  }
}
