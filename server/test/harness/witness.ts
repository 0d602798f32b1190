/** A purchase as the API tells it, as far as the outside world can contradict it. */
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
  merchant: readonly { kind: string; order_id?: string; status: number | string }[]
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

/**
 * Every way in which purchases that are over differ from what the outside world remembers of them: charges, holds, checkouts and
 * orders. Purchases of other accounts on the same sandbox are named by `isOurs`.
 */
export function contradictions(
  purchases: readonly ToldPurchase[],
  testimony: Testimony,
  isOurs: (reference: string) => boolean = () => true,
): string[] {
  const ids = new Set(purchases.flatMap(({ id, carts }) => carts.map((cart) => `${id}/${cart.id}`)))
  const strangers = testimony.processor
    .filter(({ reference }) => reference !== null && isOurs(reference) && !ids.has(reference))
    .map(({ operation, reference }) => `the processor knows of ${operation} for ${reference}, and we do not`)
  return [...strangers, ...purchases.flatMap((purchase) => contradictionsOf(purchase, testimony))]
}

function contradictionsOf(purchase: ToldPurchase, testimony: Testimony): string[] {
  const { id, status, actual_amount, max_allowed_amount, carts } = purchase
  const problems = carts.flatMap((cart) => cartProblems(cart, `${id}/${cart.id}`, testimony))
  const sum = carts.reduce((total, cart) => total + cart.actual_amount, 0)
  if (!over.includes(status)) problems.push(`${id} is still ${status}`)
  if (sum !== actual_amount) problems.push(`${id} says it cost ${actual_amount}, its carts ${sum}`)
  if (actual_amount > max_allowed_amount)
    problems.push(`${id} cost ${actual_amount}, more than ${max_allowed_amount}`)
  return problems
}

function cartProblems(cart: ToldCart, name: string, { processor, shops, merchant }: Testimony): string[] {
  const entries = processor.filter(({ reference }) => reference === name)
  const charges = entries.filter(({ operation, result }) => operation === 'capture' && result === 'approved')
  const refunds = entries.filter(({ operation, result }) => operation === 'refund' && result === 'approved')
  const charged = total(charges) - total(refunds)
  const held = entries.reduce(
    (sum, { operation, result }) => sum + (openHolds[`${operation} ${result}`] ?? 0),
    0,
  )
  const isBought = cart.status === 'succeeded'
  const problems: string[] = []
  if (charges.length - refunds.length > 1) problems.push(`${name} was charged ${charges.length} times`)
  if (charged !== cart.actual_amount)
    problems.push(`${name} is ${cart.status} for ${cart.actual_amount}, the processor charged ${charged}`)
  if (isBought !== charged > 0) problems.push(`${name} is ${cart.status} and was charged ${charged}`)
  if (charged > cart.max_allowed_amount)
    problems.push(`${name} was charged ${charged}, more than ${cart.max_allowed_amount}`)
  if (held !== 0) problems.push(`${name} is over and ${held} of its authorizations are open`)
  const placed = shops.filter(
    ({ key, result }) => key.startsWith(`${cart.id}:`) && result === 'placed',
  ).length
  if (cart.channel === 'simulated' && placed !== (isBought ? 1 : 0))
    problems.push(`${name} is ${cart.status}, the shop has ${placed} orders`)
  const confirmed = merchant.filter(
    ({ kind, order_id, status }) => kind === 'order' && status === 'confirmed' && order_id === cart.order,
  )
  if (cart.channel === 'native' && confirmed.length !== (isBought ? 1 : 0)) {
    problems.push(`${name} is ${cart.status}, its merchant has ${confirmed.length} orders`)
  }
  return problems
}

function total(entries: Testimony['processor']): number {
  return entries.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
}
