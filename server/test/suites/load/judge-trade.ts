import { refundContradictions, type Testimony } from '../../harness/witness.ts'
import type { Verdict } from './judge-journal.ts'
import { judgeSeveral } from './judge-several.ts'
import type { ListenerFacts, ToldOrder, TradeFacts } from './read-trade.ts'

/**
 * Compares the quotes, orders, promotions and webhooks of one run with each other, and with the memory of the processor and the
 * buyers' backend.
 */
export function judgeTrade(facts: TradeFacts, testimony: Testimony): Verdict[] {
  const charged = chargesByName(testimony)
  return [
    judgeQuotes(facts, charged),
    judgeOrders(facts.orders, charged),
    judgeRefunds(facts.orders, testimony),
    judgePromotion(facts, charged),
    ...judgeSeveral(facts.several, testimony),
    ...judgeListener(facts.listener),
  ]
}

type Charges = ReadonlyMap<string, number>

/** What the processor captured for each cart, less what was undone. Later refunds by a merchant do not count. */
function chargesByName({ processor }: Testimony): Charges {
  const charges = new Map<string, number>()
  for (const { key, operation, reference, amount, result } of processor) {
    const isUndone = operation === 'refund' && !key.startsWith('rfd_')
    if (result !== 'approved' || (operation !== 'capture' && !isUndone)) continue
    const name = reference ?? ''
    charges.set(name, (charges.get(name) ?? 0) + (isUndone ? -1 : 1) * (amount ?? 0))
  }
  return charges
}

/** At most one purchase has a quote, and it costs exactly what was offered, or nothing. */
function judgeQuotes({ quotes, quoted }: TradeFacts, charged: Charges): Verdict {
  const buyers = Map.groupBy(
    quoted.filter(({ status }) => status !== 'declined'),
    (purchase) => purchase.quote,
  )
  const tookOf = sumByIntent(charged)
  const violations = quotes.flatMap((quote) => {
    const { id, status, accepted_offer_id, purchase_intent_id } = quote
    const bought = buyers.get(id) ?? []
    if (bought.length > 1) return [`${id} was bought by ${bought.map((one) => one.id).join(' and ')}`]
    const [purchase] = bought
    if (!purchase) return status === 'ordered' ? [`${id} is ordered, and nobody bought it`] : []
    if (status !== 'ordered' || purchase_intent_id !== purchase.id)
      return [`${id} is ${status} for ${purchase_intent_id}, and ${purchase.id} bought it`]
    const offer = quote.offers.find((one) => one.id === accepted_offer_id)
    const due = purchase.status === 'succeeded' ? offer?.total_amount : 0
    const took = tookOf.get(purchase.id) ?? 0
    return due === purchase.actual_amount && due === took
      ? []
      : [
          `${id} for ${offer?.total_amount}: ${purchase.id} ${purchase.status} cost ${purchase.actual_amount}, and ${took} was charged`,
        ]
  })
  return {
    id: 'M1-quotes',
    title: 'A quote is bought once, at its offer',
    checked: quotes.length,
    violations,
  }
}

function sumByIntent(charged: Charges): Charges {
  const sums = new Map<string, number>()
  for (const [name, amount] of charged) {
    const [intent = ''] = name.split('/')
    sums.set(intent, (sums.get(intent) ?? 0) + amount)
  }
  return sums
}

const paid: readonly string[] = ['captured', 'partially_refunded', 'refunded']

/** The total of an order is the sum of its parts, and what the processor captured for it. */
function judgeOrders(orders: readonly ToldOrder[], charged: Charges): Verdict {
  const parts = orders.flatMap(({ id, total_amount, totals }) => {
    const of = (type: string) => totals.find((one) => one.type === type)?.amount ?? 0
    const sum = of('subtotal') + of('fulfillment') + of('tax') - of('discount')
    return sum === total_amount ? [] : [`${id} costs ${total_amount}, its parts ${sum}`]
  })
  // A cart that was tried again has an order for each attempt.
  const charges = [...Map.groupBy(orders, ({ name }) => name)].flatMap(([name, same]) => {
    const took = charged.get(name) ?? 0
    const due = same.reduce(
      (sum, order) => sum + (paid.includes(order.payment_status) ? order.total_amount : 0),
      0,
    )
    const told = same.map((order) => `${order.id} is ${order.payment_status} for ${order.total_amount}`)
    return took === due ? [] : [`of ${name} ${told.join(', ')}, and ${took} was charged`]
  })
  return {
    id: 'M2-orders-outside',
    title: 'An order was charged for what it says',
    checked: orders.length,
    violations: [...parts, ...charges],
  }
}

/** Each refund was made once, and all together are never more than was captured. */
function judgeRefunds(orders: readonly ToldOrder[], testimony: Testimony): Verdict {
  const memories = Map.groupBy(testimony.processor, ({ reference }) => reference ?? '')
  const remembered = [...Map.groupBy(orders, ({ name }) => name)].flatMap(([name, same]) =>
    refundContradictions(
      name,
      same.flatMap(({ refunds }) => refunds),
      { ...testimony, processor: memories.get(name) ?? [] },
    ).map((text) => text.replace(/^\S+ /, '')),
  )
  const told = orders.flatMap(({ id, payment_status, total_amount, refunds }) => {
    const back = refunds.reduce((sum, { status, amount }) => sum + (status === 'failed' ? 0 : amount), 0)
    const should = back === total_amount ? 'refunded' : 'partially_refunded'
    return [
      ...(back > total_amount ? [`${id} gave back ${back} of ${total_amount}`] : []),
      ...(back > 0 && payment_status !== should
        ? [`${id} gave back ${back} of ${total_amount} and is ${payment_status}`]
        : []),
    ]
  })
  return {
    id: 'M2-refunds-outside',
    title: 'Refunds went back once, within what was captured',
    checked: orders.reduce((sum, { refunds }) => sum + refunds.length, 0),
    violations: [...remembered, ...told],
  }
}

const undone: readonly string[] = ['rejected', 'expired', 'cancelled']

/** A discount is given as often as the promotion allows and no more, by the product's word and by the processor's. */
function judgePromotion({ promotion, orders }: TradeFacts, charged: Charges): Verdict {
  const { cap, discount, uses, given, items } = promotion
  const offOf = ({ totals }: ToldOrder) => totals.find(({ type }) => type === 'discount')?.amount ?? 0
  const isPromoted = ({ line_items }: ToldOrder) =>
    line_items.some(({ catalog_item_id }) => catalog_item_id !== null && items.includes(catalog_item_id))
  const listed = ({ line_items }: ToldOrder) => line_items.reduce((sum, { amount }) => sum + amount, 0)
  const reduced = orders.filter((order) => offOf(order) > 0)
  const standing = reduced.filter(({ status }) => !undone.includes(status))
  const cheap = orders.filter((order) => {
    const took = charged.get(order.name) ?? 0
    return isPromoted(order) && took > 0 && took < listed(order)
  })
  const violations = [
    ...(uses > cap ? [`it tells ${uses} uses of ${cap}`] : []),
    ...(given === uses * discount ? [] : [`it tells ${given} given in ${uses} uses`]),
    ...(standing.length > uses
      ? [`${standing.length} orders stand with its discount, and it tells ${uses} uses`]
      : []),
    ...(cheap.length > cap ? [`${cheap.length} were charged less, of ${cap}`] : []),
    ...reduced.flatMap((order) =>
      offOf(order) === discount && isPromoted(order) ? [] : [`${order.id} has ${offOf(order)} off`],
    ),
    ...cheap.flatMap((order) =>
      charged.get(order.name) === listed(order) - offOf(order)
        ? []
        : [`${order.id} was charged ${charged.get(order.name)}`],
    ),
  ]
  return {
    id: 'M1-promotion',
    title: 'A promotion is used as often as it may be',
    checked: reduced.length,
    violations,
  }
}

/** The buyers got each event of their own at least once, the first time in order, and no other events. */
function judgeListener({ owed, deliveries, heard }: ListenerFacts): Verdict[] {
  const taken = new Set(heard.flatMap(({ event, status }) => (status === 200 ? [event] : [])))
  const told = new Map(deliveries.map((delivery) => [delivery.event, delivery]))
  const events = new Map(owed.map((event) => [event.id, event]))
  const unheard = owed.flatMap(({ id, type, aggregate }) => {
    const status = told.get(id)?.status ?? 'never to be delivered'
    return taken.has(id) && status === 'succeeded'
      ? []
      : [`${id} (${type} of ${aggregate}) was ${taken.has(id) ? '' : 'not '}heard and is told as ${status}`]
  })
  const strange = heard.flatMap(({ event }) =>
    events.has(event) ? [] : [`${event} was told to nobody it is for`],
  )
  // Nobody knows whether a first attempt without an answer arrived.
  const seen = new Set(deliveries.flatMap(({ event, attempts }) => (attempts[0] === null ? [event] : [])))
  const latest = new Map<string, number>()
  const disordered: string[] = []
  for (const { event } of heard) {
    const known = events.get(event)
    if (!known || seen.has(event)) continue
    seen.add(event)
    const before = latest.get(known.aggregate) ?? 0
    if (known.sequence < before)
      disordered.push(`${known.aggregate}: ${known.sequence} was heard after ${before}`)
    latest.set(known.aggregate, Math.max(before, known.sequence))
  }
  return [
    {
      id: 'E3-buyers-outside',
      title: 'Buyers heard every event of their own',
      checked: owed.length,
      violations: [...unheard, ...strange],
    },
    {
      id: 'E5-buyers-outside',
      title: 'They heard them in order',
      checked: heard.length,
      violations: disordered,
    },
  ]
}
