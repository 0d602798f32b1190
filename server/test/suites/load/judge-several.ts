import type { Testimony } from '../../harness/witness.ts'
import type { Verdict } from './judge-journal.ts'
import type { SeveralFacts } from './read-trade.ts'

type Entry = Testimony['processor'][number]
type SeveralCart = SeveralFacts['purchase']['carts'][number]

/**
 * Compares purchases from several merchants with the memory of the processor and of the merchants' backend: each cart is bought, retried
 * and released as if it were alone.
 */
export function judgeSeveral(several: readonly SeveralFacts[], testimony: Testimony): Verdict[] {
  const ofIntent = Map.groupBy(testimony.processor, ({ reference }) => (reference ?? '').split('/')[0] ?? '')
  const confirmed = new Set(
    testimony.merchant.flatMap(({ kind, status, order_id }) =>
      kind === 'order' && status === 'confirmed' && order_id !== undefined ? [order_id] : [],
    ),
  )
  const judged = (
    id: string,
    title: string,
    find: (facts: SeveralFacts, entries: readonly Entry[]) => string[],
  ): Verdict => ({
    ...{ id, title, checked: several.length },
    violations: several.flatMap((facts) => find(facts, ofIntent.get(facts.purchase.id) ?? [])),
  })
  return [
    judged('M6-several-outside', 'Each attempt held the money once, and no hold is unknown', holdProblems),
    judged('M3-several-outside', 'What was bought was captured once, in its last attempt', captureProblems),
    judged(
      'M2-several-outside',
      'A purchase costs what was captured, and says what is missing',
      costProblems,
    ),
    judged('W2-several-outside', 'Each cart ended as its merchants said', (facts) =>
      endProblems(facts, confirmed),
    ),
  ]
}

function approved(entries: readonly Entry[], operation: string): Entry[] {
  return entries.filter((entry) => entry.operation === operation && entry.result === 'approved')
}

/** The key of a call names its cart and its attempt. */
function attemptOf({ key }: Entry): string {
  return key.split(':').slice(0, 2).join(':')
}

function holdProblems({ purchase, holds, orders }: SeveralFacts, entries: readonly Entry[]): string[] {
  const held = Map.groupBy(approved(entries, 'authorize'), attemptOf)
  const known = new Set(holds.map(({ cart, attempt }) => `${cart}:${attempt}`))
  return [
    ...[...held].flatMap(([attempt, same]) => [
      ...(known.has(attempt) ? [] : [`${purchase.id} holds money for ${attempt}, which nobody knows of`]),
      ...(same.length > 1 ? [`${purchase.id} held money ${same.length} times for ${attempt}`] : []),
    ]),
    ...orders.flatMap(({ cart, attempt, id }) =>
      held.has(`${cart}:${attempt}`) ? [] : [`${purchase.id} ordered ${id}, and holds nothing for it`],
    ),
    ...holds.flatMap(({ cart, attempt, status }) =>
      status === 'authorized' ? [`${purchase.id} is over, and ${cart}:${attempt} is still held`] : [],
    ),
  ]
}

function captureProblems({ purchase }: SeveralFacts, entries: readonly Entry[]): string[] {
  const captured = Map.groupBy(approved(entries, 'capture'), ({ reference }) => reference ?? '')
  return purchase.carts.flatMap(({ id, status, attempt_number }) => {
    const due = status === 'succeeded' ? [`${id}:${attempt_number}`] : []
    const took = (captured.get(`${purchase.id}/${id}`) ?? []).map(attemptOf)
    return due.join() === took.join()
      ? []
      : [`${purchase.id} ${id} is ${status} in attempt ${attempt_number}, and captured: ${took.join(', ')}`]
  })
}

function costProblems({ purchase }: SeveralFacts, entries: readonly Entry[]): string[] {
  const { id, status, partial, actual_amount, carts } = purchase
  const took = approved(entries, 'capture').reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  const bought = carts.filter((cart) => cart.status === 'succeeded').length
  const isWhole = bought === carts.length
  return [
    ...(took === actual_amount ? [] : [`${id} says it cost ${actual_amount}, and ${took} was captured`]),
    ...((status === 'succeeded') === isWhole && partial === (bought > 0 && !isWhole)
      ? []
      : [`${id} is ${status}${partial ? ' in part' : ''} with ${bought} of ${carts.length} carts bought`]),
  ]
}

const over: readonly string[] = ['succeeded', 'failed', 'cancelled']

function endProblems({ purchase, orders }: SeveralFacts, confirmed: ReadonlySet<string>): string[] {
  const taken = (cart: SeveralCart) => orders.filter((one) => one.cart === cart.id && confirmed.has(one.id))
  return [
    ...(over.includes(purchase.status) ? [] : [`${purchase.id} is still ${purchase.status}`]),
    ...purchase.carts.flatMap((cart) => [
      ...(over.includes(cart.status) ? [] : [`${purchase.id} ${cart.id} is still ${cart.status}`]),
      ...(taken(cart).length === (cart.status === 'succeeded' ? 1 : 0)
        ? []
        : [`${purchase.id} ${cart.id} is ${cart.status}, and ${taken(cart).length} orders of it were taken`]),
    ]),
  ]
}
