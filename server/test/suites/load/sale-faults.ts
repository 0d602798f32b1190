import type { Planted, RunFacts } from './run-facts.ts'

type Sales = RunFacts['traded']['sales']
type Entry = RunFacts['testimony']['processor'][number]

/** Faults of sales over UCP and of payment tokens. */
export const plantedInSales: readonly Planted[] = [
  {
    fault: 'a sale was charged twice',
    id: 'M3-sales-outside',
    plant: (facts) => onCaptured(facts, (entry) => remembering(facts, [{ ...entry, key: 'second' }])),
  },
  {
    fault: 'a sale was charged too much',
    id: 'M3-sales-outside',
    plant: (facts) =>
      onCaptured(facts, (entry) => without(facts, entry, [{ ...entry, amount: (entry.amount ?? 0) + 1 }])),
  },
  {
    fault: 'the money of a sale is still held',
    id: 'M6-sales-outside',
    plant: (facts) =>
      onCaptured(facts, (entry) => remembering(facts, [{ ...entry, operation: 'authorize' }])),
  },
  {
    fault: 'a sale never ended',
    id: 'W2-sales-outside',
    plant: (facts) => onSold(facts, (sales) => sales.map((sale) => ({ ...sale, state: 'capturing' }))),
  },
  {
    fault: 'a merchant was paid for an order that it did not take',
    id: 'W2-sales-outside',
    plant: (facts) =>
      onCaptured(facts, ({ reference }) => ({
        ...facts,
        testimony: {
          ...facts.testimony,
          merchant: facts.testimony.merchant.filter(({ order_id }) => `sale ${order_id}` !== reference),
        },
      })),
  },
  {
    fault: 'the processor knows of a sale of nobody',
    id: 'W3-sales-outside',
    plant: (facts) =>
      onCaptured(facts, (entry) => remembering(facts, [{ ...entry, reference: 'sale ord_of_nobody' }])),
  },
  {
    fault: 'a checkout that was paid is gone',
    id: 'W1-sales',
    plant: (facts) => {
      const told = facts.journal.find(
        (line) => line.kind === 'answered' && line.deed === 'complete' && line.status < 300,
      )
      const id = told?.kind === 'answered' ? told.id : null
      const checkouts = facts.traded.sales.checkouts.filter((one) => one.id !== id)
      return id === null ? null : selling(facts, { checkouts })
    },
  },
  {
    fault: 'a purchase told another price than its token was charged',
    id: 'M14-tokens-outside',
    plant: (facts) => onUsed(facts, (token) => ({ ...token, actual_amount: token.actual_amount - 1 })),
  },
  {
    fault: 'a reservation did not follow the charge of its token',
    id: 'M14-tokens-outside',
    plant: (facts) =>
      onUsed(facts, (token) => ({ ...token, reservations: [{ state: 'held', actual_amount: null }] })),
  },
]

function selling(facts: RunFacts, changes: Partial<Sales>): RunFacts {
  return { ...facts, traded: { ...facts.traded, sales: { ...facts.traded.sales, ...changes } } }
}

function onSold(facts: RunFacts, change: (sales: Sales['sales']) => Sales['sales']): RunFacts | null {
  const { sales } = facts.traded.sales
  return sales.length === 0 ? null : selling(facts, { sales: change(sales) })
}

function onUsed(
  facts: RunFacts,
  change: (token: Sales['tokens'][number]) => Sales['tokens'][number],
): RunFacts | null {
  const { tokens } = facts.traded.sales
  return tokens.some(({ actual_amount }) => actual_amount > 0)
    ? selling(facts, { tokens: tokens.map((token) => (token.actual_amount > 0 ? change(token) : token)) })
    : null
}

/** Plants at the first capture of a sale that the processor remembers. */
function onCaptured(facts: RunFacts, plant: (entry: Entry) => RunFacts): RunFacts | null {
  const entry = facts.testimony.processor.find(
    ({ operation, reference, result }) =>
      operation === 'capture' && result === 'approved' && reference?.startsWith('sale '),
  )
  return entry ? plant(entry) : null
}

function remembering(facts: RunFacts, entries: readonly Entry[]): RunFacts {
  return {
    ...facts,
    testimony: { ...facts.testimony, processor: [...facts.testimony.processor, ...entries] },
  }
}

function without(facts: RunFacts, entry: Entry, instead: readonly Entry[]): RunFacts {
  const processor = facts.testimony.processor.filter((one) => one !== entry)
  return remembering({ ...facts, testimony: { ...facts.testimony, processor } }, instead)
}
