import type { Testimony } from '../../harness/witness.ts'
import type { Tally } from '../suite.ts'
import { judgeJournal, type Verdict } from './judge-journal.ts'
import { judgeSales } from './judge-sales.ts'
import { judgeStrangers } from './judge-strangers.ts'
import { judgeTrade } from './judge-trade.ts'
import type { SeveralFacts, ToldOrder, TradeFacts } from './read-trade.ts'
import type { Planted, RunFacts } from './run-facts.ts'
import { plantedInSales } from './sale-faults.ts'
import { plantedAtStrangers } from './stranger-faults.ts'
import type { Deed, JournalLine } from './synced-journal.ts'

export function judgeAll({ journal, stored, traded, testimony }: RunFacts): Verdict[] {
  return [
    ...judgeJournal(journal, { ...stored, ...traded }),
    ...judgeTrade(traded, testimony),
    ...judgeSales(traded.sales, testimony, journal),
    ...judgeStrangers(traded.strangers),
  ]
}

/**
 * Judges that find nothing must be able to find something: each of these faults is planted in the facts of this run, and must be found. A
 * run in which one cannot be planted has not tried what that judge checks.
 */
export function checkJudges(facts: RunFacts, tally: Tally): void {
  const before = judgeAll(facts)
  const countOf = (verdicts: readonly Verdict[], id: string) =>
    verdicts.find((verdict) => verdict.id === id)?.violations.length ?? 0
  for (const { fault, id, plant } of planted) {
    const broken = plant(facts)
    if (broken === null) tally.fail(`planted: the run has no place for the fault that ${fault}`)
    else if (countOf(judgeAll(broken), id) > countOf(before, id)) tally.pass()
    else tally.fail(`planted: ${id} does not see that ${fault}`)
  }
  tally.figure('planted faults seen', planted.length)
}

export const planted: readonly Planted[] = [
  ...plantedInSales,
  ...plantedAtStrangers,
  {
    fault: 'an acknowledged quote is gone',
    id: 'W1',
    plant: (facts) =>
      onTold(facts, 'quote', ({ id }) => trading(facts, { quotes: without(facts.traded.quotes, id) })),
  },
  {
    fault: 'an acknowledged quote has another price',
    id: 'W1',
    plant: (facts) =>
      onTold(facts, 'quote', ({ id, told }) => {
        if (told?.offer === undefined) return null
        const dearer = facts.traded.quotes.map((quote) =>
          quote.id === id
            ? {
                ...quote,
                offers: quote.offers.map((one) => ({ ...one, total_amount: one.total_amount + 1 })),
              }
            : quote,
        )
        return trading(facts, { quotes: dearer })
      }),
  },
  {
    fault: 'an accepted quote names another purchase',
    id: 'W1',
    plant: (facts) =>
      onTold(facts, 'accept', ({ id }) => {
        const quotes = facts.traded.quotes.map((quote) =>
          quote.purchase_intent_id === id ? { ...quote, purchase_intent_id: 'pi_other' } : quote,
        )
        return trading(facts, { quotes })
      }),
  },
  {
    fault: 'one request made two quotes',
    id: 'W5',
    plant: (facts) => {
      const [quote] = facts.traded.quotes
      return quote
        ? trading(facts, { quotes: [...facts.traded.quotes, { ...quote, id: 'quo_second' }] })
        : null
    },
  },
  {
    fault: 'a quote was bought twice',
    id: 'M1-quotes',
    plant: (facts) => {
      const [bought] = facts.traded.quoted
      return bought
        ? trading(facts, { quoted: [...facts.traded.quoted, { ...bought, id: 'pi_second' }] })
        : null
    },
  },
  {
    fault: 'a quote was charged otherwise than it was offered',
    id: 'M1-quotes',
    plant: (facts) => {
      const bought = facts.traded.quoted.find(({ status }) => status === 'succeeded')
      return bought ? charging(facts, (reference) => reference.startsWith(`${bought.id}/`), 1) : null
    },
  },
  {
    fault: 'an acknowledged shipment is not there',
    id: 'W1',
    plant: (facts) => onOrder(facts, 'fulfill', (order) => ({ ...order, fulfillments: [] })),
  },
  {
    fault: 'an acknowledged price is not there',
    id: 'W1',
    plant: (facts) => onOrder(facts, 'reprice', (order) => ({ ...order, adjustments: [] })),
  },
  {
    fault: 'an acknowledged refund is not there',
    id: 'W1',
    plant: (facts) => onOrder(facts, 'refund', (order) => ({ ...order, refunds: [] })),
  },
  {
    fault: 'one request made two refunds',
    id: 'W5',
    plant: (facts) =>
      onOrder(facts, 'refund', (order) => ({
        ...order,
        refunds: order.refunds.flatMap((refund) => [refund, { ...refund, id: 'rfd_second' }]),
      })),
  },
  {
    fault: 'a refund was refused and made',
    id: 'W2-answers',
    plant: (facts) => {
      const refused = facts.journal.find(
        (line) => line.kind === 'answered' && line.code === 'refund_exceeds_captured',
      )
      const target = targetOf(facts, refused?.name)
      const made = { id: 'rfd_refused', amount: 1, status: 'succeeded', reason: refused?.name ?? '' }
      return refused && target
        ? changing(facts, target, (order) => ({ ...order, refunds: [...order.refunds, made] }))
        : null
    },
  },
  {
    fault: 'a refund went back twice',
    id: 'M2-refunds-outside',
    plant: (facts) => {
      const sent = refundsIn(facts.testimony)
      return sent.length === 0
        ? null
        : { ...facts, testimony: { ...facts.testimony, processor: [...facts.testimony.processor, ...sent] } }
    },
  },
  {
    fault: 'a refund never left',
    id: 'M2-refunds-outside',
    plant: (facts) => {
      const [sent] = refundsIn(facts.testimony)
      const processor = facts.testimony.processor.filter((entry) => entry !== sent)
      return sent ? { ...facts, testimony: { ...facts.testimony, processor } } : null
    },
  },
  {
    fault: 'more went back than was captured',
    id: 'M2-refunds-outside',
    plant: (facts) =>
      onOrder(facts, 'refund', (order) => ({ ...order, total_amount: order.total_amount - 1 })),
  },
  {
    fault: 'a promotion was used too often',
    id: 'M1-promotion',
    plant: (facts) => {
      const { promotion } = facts.traded
      return promotion.uses === 0
        ? null
        : trading(facts, { promotion: { ...promotion, cap: promotion.uses - 1 } })
    },
  },
  {
    fault: 'more orders than uses have a discount',
    id: 'M1-promotion',
    plant: (facts) => {
      const { promotion } = facts.traded
      return promotion.uses === 0 ? null : trading(facts, { promotion: { ...promotion, uses: 0, given: 0 } })
    },
  },
  {
    fault: 'a discounted order was charged in full',
    id: 'M2-orders-outside',
    plant: (facts) => {
      const { orders, promotion } = facts.traded
      const reduced = orders.find(
        ({ totals, payment_status }) =>
          payment_status === 'captured' && totals.some(({ type }) => type === 'discount'),
      )
      return reduced ? charging(facts, (reference) => reference === reduced.name, promotion.discount) : null
    },
  },
  {
    fault: 'there is a hold that nobody knows of',
    id: 'M6-several-outside',
    plant: (facts) =>
      onRetried(facts, (_, cart) => remembering(facts, `${cart}:1:authorize`, 'key', `${cart}:9:authorize`)),
  },
  {
    fault: 'an attempt held the money twice',
    id: 'M6-several-outside',
    plant: (facts) => onRetried(facts, (_, cart) => remembering(facts, `${cart}:1:authorize`, 'amount', 1)),
  },
  {
    fault: 'a cart never ended',
    id: 'W2-several-outside',
    plant: (facts) => onRetried(facts, (one, cart) => ending(facts, one, cart, 'in_progress')),
  },
  {
    fault: 'a retried cart was captured twice',
    id: 'M3-several-outside',
    plant: (facts) =>
      onRetried(facts, ({ purchase }, id) => {
        const cart = purchase.carts.find((one) => one.id === id)
        if (cart?.status !== 'succeeded') return null
        return remembering(facts, `${id}:${cart.attempt_number}:capture`, 'key', `${id}:1:capture`)
      }),
  },
  {
    fault: 'a purchase told that all of it was bought, and it was not',
    id: 'M2-several-outside',
    plant: (facts) => onRetried(facts, (one, cart) => ending(facts, one, cart, 'failed')),
  },
  {
    fault: 'an acknowledged retry is not there',
    id: 'W1',
    plant: (facts) => onTold(facts, 'retry', () => retrying(facts, () => [])),
  },
  {
    fault: 'one request tried it again twice',
    id: 'W5',
    plant: (facts) => onTold(facts, 'retry', () => retrying(facts, (type) => [type, type])),
  },
  {
    fault: 'buyers never heard of something',
    id: 'E3-buyers-outside',
    plant: (facts) => {
      const [first] = facts.traded.listener.heard
      return first ? hearing(facts, (heard) => heard.filter(({ event }) => event !== first.event)) : null
    },
  },
  {
    fault: "buyers heard of somebody else's purchase",
    id: 'E3-buyers-outside',
    plant: (facts) => hearing(facts, (heard) => [...heard, { event: 'evt_of_somebody_else', status: 200 }]),
  },
  {
    fault: 'buyers heard of it in the wrong order',
    id: 'E5-buyers-outside',
    plant: (facts) => hearing(facts, (heard) => heard.toReversed()),
  },
]

/** Plants in the first cart that was tried again and has a place for it. */
function onRetried(
  { traded }: RunFacts,
  plant: (facts: SeveralFacts, cart: string) => RunFacts | null,
): RunFacts | null {
  for (const one of traded.several)
    for (const { id, attempt_number } of one.purchase.carts) {
      const broken = attempt_number > 1 ? plant(one, id) : null
      if (broken) return broken
    }
  return null
}

/** Adds an entry to the processor's log that differs from the one of this key in one member. */
function remembering<Name extends 'key' | 'amount'>(
  facts: RunFacts,
  key: string,
  name: Name,
  value: Testimony['processor'][number][Name],
): RunFacts | null {
  const { processor } = facts.testimony
  const entry = processor.find((one) => one.key === key && one.result === 'approved')
  if (!entry) return null
  return {
    ...facts,
    testimony: { ...facts.testimony, processor: [...processor, { ...entry, [name]: value }] },
  }
}

/** A cart that was bought has ended otherwise, or not at all. */
function ending(facts: RunFacts, one: SeveralFacts, cart: string, status: string): RunFacts | null {
  const { purchase } = one
  if (purchase.status !== 'succeeded') return null
  const carts = purchase.carts.map((told) => (told.id === cart ? { ...told, status } : told))
  return trading(facts, {
    several: facts.traded.several.map((other) =>
      other === one ? { ...one, purchase: { ...purchase, carts } } : other,
    ),
  })
}

function retrying(facts: RunFacts, change: (type: string) => string[]): RunFacts {
  const purchases = [...facts.stored.purchases].map(([wish, made]): [string, typeof made] => [
    wish,
    made.map(({ id, events }) => ({
      id,
      events: events.flatMap((type) => (type === 'purchase_intent.retried' ? change(type) : [type])),
    })),
  ])
  return { ...facts, stored: { ...facts.stored, purchases: new Map(purchases) } }
}

function trading(facts: RunFacts, changes: Partial<TradeFacts>): RunFacts {
  return { ...facts, traded: { ...facts.traded, ...changes } }
}

function hearing(
  facts: RunFacts,
  change: (heard: TradeFacts['listener']['heard']) => TradeFacts['listener']['heard'],
): RunFacts {
  const { listener } = facts.traded
  return trading(facts, { listener: { ...listener, heard: change(listener.heard) } })
}

function without<Thing extends { id: string }>(things: readonly Thing[], id: string | null): Thing[] {
  return things.filter((one) => one.id !== id)
}

type Answered = Extract<JournalLine, { kind: 'answered' }>

/** Plants in the first acknowledged deed of this kind that has a place for it. */
function onTold(
  { journal }: RunFacts,
  deed: Deed,
  plant: (line: Answered) => RunFacts | null,
): RunFacts | null {
  for (const line of journal) {
    if (line.kind !== 'answered' || line.deed !== deed || line.status >= 300) continue
    const broken = plant(line)
    if (broken) return broken
  }
  return null
}

function targetOf({ journal }: RunFacts, name: string | undefined): string | null {
  const asked = journal.find((line) => line.kind === 'asked' && line.name === name)
  return asked?.kind === 'asked' ? asked.target : null
}

function onOrder(facts: RunFacts, deed: Deed, change: (order: ToldOrder) => ToldOrder): RunFacts | null {
  return onTold(facts, deed, ({ name }) => {
    const target = targetOf(facts, name)
    return target === null ? null : changing(facts, target, change)
  })
}

function changing(facts: RunFacts, id: string, change: (order: ToldOrder) => ToldOrder): RunFacts {
  return trading(facts, {
    orders: facts.traded.orders.map((order) => (order.id === id ? change(order) : order)),
  })
}

function refundsIn({ processor }: Testimony): Testimony['processor'] {
  return processor.filter(({ key, result }) => key.startsWith('rfd_') && result === 'approved')
}

function charging(facts: RunFacts, isIt: (reference: string) => boolean, more: number): RunFacts | null {
  const isCharge = (entry: Testimony['processor'][number]) =>
    entry.operation === 'capture' && entry.result === 'approved' && isIt(entry.reference ?? '')
  if (!facts.testimony.processor.some(isCharge)) return null
  const processor = facts.testimony.processor.map((entry) =>
    isCharge(entry) ? { ...entry, amount: (entry.amount ?? 0) + more } : entry,
  )
  return { ...facts, testimony: { ...facts.testimony, processor } }
}
