import type { Testimony } from '../../harness/witness.ts'
import type { Verdict } from './judge-journal.ts'
import type { SaleFacts, SalesFacts, TokenFacts } from './read-sales.ts'
import type { JournalLine } from './synced-journal.ts'

type Entries = Testimony['processor']

/** The processor's name of everything that belongs to the order of a sale. */
const nameOf = (order: string) => `sale ${order}`
export const isOfSale = (reference: string) => reference.startsWith('sale ')

const holding: readonly string[] = ['authorize approved', 'charge_credential approved']
const releasing: readonly string[] = ['capture approved', 'void voided', 'close voided']

/** Compares what was sold over UCP with the memory of the processor and of the merchants' backend, and with what the platform was told. */
export function judgeSales(
  facts: SalesFacts,
  { processor, merchant }: Testimony,
  journal: readonly JournalLine[],
): Verdict[] {
  const byName = Map.groupBy(processor, ({ reference }) => reference ?? '')
  const entriesOf = (order: string) => byName.get(nameOf(order)) ?? []
  const taken = new Set(
    merchant.flatMap(({ kind, status, order_id }) =>
      kind === 'order' && status === 'confirmed' && order_id !== undefined ? [order_id] : [],
    ),
  )
  const ofEach = (
    id: string,
    title: string,
    find: (sale: SaleFacts, entries: Entries) => string[],
  ): Verdict => ({
    ...{ id, title, checked: facts.sales.length },
    violations: facts.sales.flatMap((sale) => find(sale, entriesOf(sale.order))),
  })
  return [
    ofEach('M3-sales-outside', 'A sale is charged once, for its price', chargeProblems),
    ofEach('M6-sales-outside', 'A sale that is over holds nothing', (sale, entries) => {
      const open = countOf(entries, holding) - countOf(entries, releasing)
      return open === 0 ? [] : [`${sale.order} is ${sale.state} and ${open} of its holds are open`]
    }),
    ofEach('W2-sales-outside', 'A sale ends as its merchant says', (sale) => endProblems(sale, taken)),
    {
      id: 'W3-sales-outside',
      title: 'The processor knows of no sale that we do not know, and a checkout has one',
      checked: facts.checkouts.length,
      violations: strangeSales(facts, [...byName.keys()]),
    },
    {
      id: 'W1-sales',
      title: 'What the platform was told of a checkout is still so',
      checked: journal.filter(({ kind, deed }) => kind === 'answered' && deed === 'complete').length,
      violations: lostSales(facts, journal),
    },
    {
      id: 'M14-tokens-outside',
      title: 'A token pays what its order was charged for, and the reservation of its purchase follows',
      checked: facts.tokens.length,
      violations: facts.tokens.flatMap((token) =>
        tokenProblems(token, {
          own: byName.get(`${token.intent}/${token.cart}`) ?? [],
          sold: token.order === null ? [] : entriesOf(token.order),
        }),
      ),
    },
  ]
}

function countOf(entries: Entries, kinds: readonly string[]): number {
  return entries.filter(({ operation, result }) => kinds.includes(`${operation} ${result}`)).length
}

function capturesOf(entries: Entries): Entries {
  return entries.filter(({ operation, result }) => operation === 'capture' && result === 'approved')
}

function sumOf(entries: Entries): number {
  return entries.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
}

function chargeProblems(
  { order, state, amount, total_amount, payment_status }: SaleFacts,
  entries: Entries,
): string[] {
  const captures = capturesOf(entries)
  const took = sumOf(captures)
  const due = payment_status === 'captured' ? total_amount : 0
  return [
    ...(captures.length > 1 ? [`${order} was charged ${captures.length} times`] : []),
    ...(took === due && took <= amount && (state === 'captured') === took > 0
      ? []
      : [`${order} is ${state} and ${payment_status} for ${due} of ${amount}, and ${took} was charged`]),
  ]
}

const overStates: readonly string[] = ['captured', 'released', 'declined', 'unpaid']

function endProblems({ order, state, status }: SaleFacts, taken: ReadonlySet<string>): string[] {
  return [
    ...(overStates.includes(state) ? [] : [`${order} is still ${state}`]),
    ...((state === 'captured') === taken.has(order)
      ? []
      : [
          `${order} is ${state} and ${status}, and its merchant ${taken.has(order) ? 'took' : 'did not take'} it`,
        ]),
  ]
}

function strangeSales({ checkouts, sales }: SalesFacts, names: readonly string[]): string[] {
  const known = new Set(sales.map(({ order }) => nameOf(order)))
  const buyers = Map.groupBy(
    checkouts.filter((checkout) => checkout.order !== null),
    (checkout) => checkout.order,
  )
  return [
    ...names.flatMap((name) =>
      isOfSale(name) && !known.has(name) ? [`the processor knows of ${name}, and we do not`] : [],
    ),
    ...[...buyers].flatMap(([order, same]) =>
      same.length > 1 ? [`${order} is of ${same.map(({ id }) => id).join(' and ')}`] : [],
    ),
  ]
}

/** A checkout that was opened is there, and one whose payment was taken has a sale. */
function lostSales({ checkouts, sales }: SalesFacts, journal: readonly JournalLine[]): string[] {
  const orders = new Map(checkouts.map(({ id, order }) => [id, order]))
  const sold = new Set(sales.map(({ order }) => order))
  return journal.flatMap((line) => {
    if (line.kind !== 'answered' || line.status >= 300 || line.id === null) return []
    if (line.deed !== 'checkout' && line.deed !== 'complete') return []
    if (!orders.has(line.id)) return [`${line.id} of ${line.name} is gone`]
    const isTaken = line.deed === 'complete' && line.told?.status !== 'ready_for_complete'
    return isTaken && !sold.has(orders.get(line.id) ?? '')
      ? [`${line.id} was told ${line.told?.status} and has no sale`]
      : []
  })
}

function tokenProblems(token: TokenFacts, { own, sold }: { own: Entries; sold: Entries }): string[] {
  const { id, intent, status, actual_amount, max_allowed_amount, reservations } = token
  const took = sumOf(capturesOf(sold))
  const issued = countOf(own, ['issue_credential approved'])
  const used = countOf(sold, ['charge_credential approved'])
  const revoked = countOf(own, ['revoke revoked', 'close revoked'])
  const kept = reservations.filter(({ state }) => state === 'settled')
  return [
    ...(issued > 1 || used > 1 ? [`${id} was issued ${issued} times and used ${used} times`] : []),
    ...(issued > used + revoked ? [`${id} of ${intent} is over and can still be charged`] : []),
    ...(took === actual_amount && took <= Math.min(token.amount, max_allowed_amount)
      ? []
      : [`${intent} of ${id} cost ${actual_amount} of ${max_allowed_amount}, and ${took} was charged`]),
    ...((status === 'succeeded') === took > 0
      ? []
      : [`${intent} of ${id} is ${status}, and ${took} was charged`]),
    ...(sumOf(capturesOf(own)) > 0 ? [`${intent} was charged beside ${id}`] : []),
    ...reservations.flatMap(({ state, actual_amount: counted }) =>
      state === 'held' || (state === 'settled' && counted !== took)
        ? [`the reservation of ${intent} is ${state} for ${counted}, and ${took} was charged`]
        : [],
    ),
    ...(reservations.length > 0 && took > 0 && kept.length === 0
      ? [`${intent} was charged ${took}, and no policy counts it`]
      : []),
  ]
}
