/** A purchase as the API shows it, as far as the outside world can contradict it. */
export type ToldPurchase = {
  id: string
  status: string
  actual_amount: number
  max_allowed_amount: number
  carts: readonly ToldCart[]
}
export type ToldCart = {
  id: string
  status: string
  channel: string
  /** How its shop was found; null at merchants of ours and at the simulated shops. */
  route?: object | null
  actual_amount: number
  max_allowed_amount: number
  order: string | null
}

/** What the processor, the shops and the merchants' backend remember. */
export type Testimony = {
  processor: readonly {
    key: string
    operation: string
    amount: number | null
    reference: string | null
    result: string
  }[]
  shops: readonly { key: string; result: string }[]
  merchant: readonly {
    kind: string
    merchant?: string
    event_id?: string
    order_id?: string
    status: number | string
  }[]
}

export async function hearWitnesses(urls: {
  processor: string
  shops: string
  merchant: string
}): Promise<Testimony> {
  const [processor, shops, merchant] = await Promise.all(
    [urls.processor, urls.shops, urls.merchant].map(readLog),
  )
  // The sandbox documents its logs.
  return { processor, shops, merchant } as Testimony
}

async function readLog(url: string): Promise<unknown> {
  const response = await fetch(url)
  return response.json()
}

const over: readonly string[] = ['succeeded', 'failed', 'cancelled', 'declined']
const openHolds: Readonly<Record<string, number>> = {
  'authorize approved': 1,
  'issue_credential approved': 1,
  'capture approved': -1,
  'void voided': -1,
  'revoke revoked': -1,
  'close voided': -1,
  'close revoked': -1,
}

/** The witnesses' entries on each object, by its name. */
type Memories = {
  processor: ReadonlyMap<string, Testimony['processor']>
  placed: ReadonlyMap<string, number>
  confirmed: ReadonlyMap<string, number>
}

/**
 * Every difference between purchases that are over and the outside world's memory of them: charges, holds, checkouts and
 * orders. Each begins with the id of the invariant that it breaks. Purchases of other accounts on the same sandbox are named by
 * `isOurs`.
 */
export function contradictions(
  purchases: readonly ToldPurchase[],
  testimony: Testimony,
  isOurs: (reference: string) => boolean = () => true,
): string[] {
  const ids = new Set(purchases.flatMap(({ id, carts }) => carts.map((cart) => `${id}/${cart.id}`)))
  const strangers = testimony.processor
    .filter(({ reference }) => reference !== null && isOurs(reference) && !ids.has(reference))
    .map(
      ({ operation, reference }) => `W3 the processor knows of ${operation} for ${reference}, and we do not`,
    )
  const memories = memoriesOf(testimony)
  return [...strangers, ...purchases.flatMap((purchase) => contradictionsOf(purchase, memories))]
}

function memoriesOf({ processor, shops, merchant }: Testimony): Memories {
  return {
    processor: Map.groupBy(processor, ({ reference }) => reference ?? ''),
    // The key of a checkout is that of its effect, which begins with the cart.
    placed: countBy(
      shops.flatMap(({ key, result }) => (result === 'placed' ? [key.split(':')[0] ?? ''] : [])),
    ),
    confirmed: countBy(
      merchant.flatMap(({ kind, order_id, status }) =>
        kind === 'order' && status === 'confirmed' && order_id !== undefined ? [order_id] : [],
      ),
    ),
  }
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function contradictionsOf(purchase: ToldPurchase, memories: Memories): string[] {
  const { id, status, actual_amount, max_allowed_amount, carts } = purchase
  const problems = carts.flatMap((cart) => cartProblems(cart, `${id}/${cart.id}`, memories))
  const sum = carts.reduce((total, cart) => total + cart.actual_amount, 0)
  if (!over.includes(status)) problems.push(`W2 ${id} is still ${status}`)
  if (sum !== actual_amount) problems.push(`M2 ${id} says it cost ${actual_amount}, its carts ${sum}`)
  if (actual_amount > max_allowed_amount)
    problems.push(`M1 ${id} cost ${actual_amount}, more than ${max_allowed_amount}`)
  return problems
}

/** Bought at a shop that has never heard of us. A merchant of ours also sells over UCP, for a payment token. */
export function isStrange({ channel, route = null }: Pick<ToldCart, 'channel' | 'route'>): boolean {
  return route !== null && (channel === 'ucp' || channel === 'mpp' || channel === 'browser')
}

function cartProblems(cart: ToldCart, name: string, { processor, placed, confirmed }: Memories): string[] {
  // These shops take the money themselves, under names of their own: `judge-strangers.ts` compares them.
  if (isStrange(cart)) return []
  const entries = processor.get(name) ?? []
  const charges = entries.filter(({ operation, result }) => operation === 'capture' && result === 'approved')
  const allRefunds = entries.filter(
    ({ operation, result }) => operation === 'refund' && result === 'approved',
  )
  // Later refunds by a merchant do not change the cost of the purchase.
  const refunds = allRefunds.filter(({ key }) => !isMerchantRefund(key))
  const givenBack = total(allRefunds)
  const charged = total(charges) - total(refunds)
  const held = entries.reduce(
    (sum, { operation, result }) => sum + (openHolds[`${operation} ${result}`] ?? 0),
    0,
  )
  const isBought = cart.status === 'succeeded'
  const problems: string[] = []
  if (charges.length - refunds.length > 1) problems.push(`M3 ${name} was charged ${charges.length} times`)
  if (charged !== cart.actual_amount)
    problems.push(`M2 ${name} is ${cart.status} for ${cart.actual_amount}, the processor charged ${charged}`)
  if (isBought !== charged > 0) problems.push(`M2 ${name} is ${cart.status} and was charged ${charged}`)
  if (charged > cart.max_allowed_amount)
    problems.push(`M1 ${name} was charged ${charged}, more than ${cart.max_allowed_amount}`)
  if (givenBack > total(charges))
    problems.push(`M2 ${name} was charged ${total(charges)} and got ${givenBack} back`)
  if (held !== 0) problems.push(`M6 ${name} is over and ${held} of its authorizations are open`)
  const orders = { simulated: placed.get(cart.id) ?? 0, native: confirmed.get(cart.order ?? '') ?? 0 }
  if (cart.channel === 'simulated' && orders.simulated !== (isBought ? 1 : 0))
    problems.push(`W3 ${name} is ${cart.status}, the shop has ${orders.simulated} orders`)
  if (cart.channel === 'native' && orders.native !== (isBought ? 1 : 0))
    problems.push(`W3 ${name} is ${cart.status}, its merchant has ${orders.native} orders`)
  return problems
}

/** An order's refunds as the API shows them. */
export type ToldRefunds = readonly { id: string; amount: number; status: string }[]

/** Every difference between an order's refunds and the processor's entries on its purchase. */
export function refundContradictions(name: string, told: ToldRefunds, { processor }: Testimony): string[] {
  const approved = processor.filter(
    ({ key, operation, reference, result }) =>
      operation === 'refund' && result === 'approved' && reference === name && isMerchantRefund(key),
  )
  const strange = approved.filter(({ key }) => !told.some(({ id }) => id === key))
  return [
    ...strange.map(({ key }) => `M2 ${name} got ${key} back, and its order does not know of it`),
    ...told.flatMap(({ id, amount, status }) => {
      const times = approved.filter(({ key }) => key === id)
      if (status === 'pending') return [`W2 ${id} is still pending`]
      if (status === 'succeeded' && times.length === 1 && times[0]?.amount === amount) return []
      if (status === 'failed' && times.length === 0) return []
      return [
        `M2 ${id} is ${status} for ${amount}, the processor gave back ${times.length} times ${total(times)}`,
      ]
    }),
  ]
}

function isMerchantRefund(key: string): boolean {
  return key.startsWith('rfd_')
}

function total(entries: Testimony['processor']): number {
  return entries.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
}
