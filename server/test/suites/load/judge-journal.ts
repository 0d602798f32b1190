import type { ToldOrder, ToldQuote } from './read-trade.ts'
import type { Deed, JournalLine } from './synced-journal.ts'

/** What the service stores of the driver's wishes. */
export type StoredFacts = {
  /** Purchases by the reference of their wish. */
  purchases: ReadonlyMap<string, readonly { id: string; events: readonly string[] }[]>
  profiles: ReadonlySet<string>
  /** Quotes of the driver's wishes, and orders of its purchases. */
  quotes: readonly ToldQuote[]
  orders: readonly ToldOrder[]
}

export type Verdict = { id: string; title: string; checked: number; violations: string[] }

type Answered = Extract<JournalLine, { kind: 'answered' }>

/** Refusals that are fair, because purchases go on while the driver asks. */
const fairRefusals: Readonly<Record<Deed, readonly string[]>> = {
  cancel: ['not_cancellable'],
  // It would have been cancelled by somebody else, which nobody does, or have expired, for which runs are too short.
  approve: [],
  create: [],
  profile: [],
  // Its backend got the request and did not take it.
  quote: ['responder_failed'],
  accept: [],
  fulfill: [],
  // Another request refunded the rest first.
  refund: ['refund_exceeds_captured'],
  // The merchant's confirmation came first.
  reprice: ['order_not_awaiting'],
  // The driver asks for it after a purchase has failed, and it waits for the end of each.
  retry: [],
  checkout: [],
  token: [],
  complete: [],
}

/**
 * Compares the answers that a driver got with what is stored: every acknowledged write is there (W1), equal requests made one object (W5),
 * and every request got an answer in the end (W2).
 */
export function judgeJournal(lines: readonly JournalLine[], stored: StoredFacts): Verdict[] {
  const asked = lines.filter((line) => line.kind === 'asked')
  const answered = lines.filter((line) => line.kind === 'answered')
  const acknowledged = answered.filter(({ status }) => status < 300)
  const targets = new Map(asked.map(({ name, target }) => [name, target]))
  const known = indexed(stored)

  const lost = acknowledged.flatMap((line) => lossOf(line, targets.get(line.name) ?? '', known) ?? [])
  const several = [...Map.groupBy(acknowledged, ({ name }) => name)].flatMap(([name, told]) => {
    const ids = new Set(told.map(({ id, told }) => told?.refund ?? id))
    return ids.size > 1 ? [`${name} was told ${[...ids].join(' and ')}`] : []
  })

  const heard = new Set(answered.map(({ name }) => name))
  const silent = asked.flatMap(({ name }) => (heard.has(name) ? [] : [`${name} never got a word`]))
  const unfair = answered.flatMap((line) =>
    line.status < 300 ? [] : (unfairness(line, targets.get(line.name) ?? '', known) ?? []),
  )
  return [
    { id: 'W1', title: 'Every acknowledged write is there', checked: acknowledged.length, violations: lost },
    {
      id: 'W5',
      title: 'Equal requests made one object',
      checked: asked.length,
      violations: [...several, ...doubles(stored), ...retriedUnasked(asked, known)],
    },
    {
      id: 'W2-answers',
      title: 'Everything asked for got a word, and a fair one',
      checked: asked.length,
      violations: [...silent, ...unfair],
    },
  ]
}

type Known = {
  profiles: ReadonlySet<string>
  purchases: ReadonlyMap<string, { id: string; events: readonly string[] }>
  quotes: ReadonlyMap<string, ToldQuote>
  orders: ReadonlyMap<string, ToldOrder>
  quoteOfWish: ReadonlyMap<string, ToldQuote>
}

function indexed({ profiles, purchases, quotes, orders }: StoredFacts): Known {
  return {
    profiles,
    purchases: new Map([...purchases.values()].flat().map((purchase) => [purchase.id, purchase])),
    quotes: new Map(quotes.map((quote) => [quote.id, quote])),
    orders: new Map(orders.map((order) => [order.id, order])),
    quoteOfWish: new Map(quotes.map((quote) => [`quote-${quote.metadata.wish}`, quote])),
  }
}

/** How an acknowledged write differs from its answer; null when it does not. */
function lossOf({ name, deed, id, told }: Answered, target: string, known: Known): string | null {
  const gone = (what: string | null) => `${what} of ${name} is gone`
  switch (deed) {
    case 'profile':
      return known.profiles.has(id ?? '') ? null : gone(id)
    case 'create':
    case 'approve':
    case 'cancel': {
      const purchase = known.purchases.get((deed === 'create' ? id : target) ?? '')
      if (!purchase) return gone(deed === 'create' ? id : target)
      if (purchase.events.includes(eventOf[deed])) return null
      return `${purchase.id} was told ${deed} and shows no ${eventOf[deed]}`
    }
    case 'retry': {
      const times = retriesOf(known.purchases.get(target))
      const due = Number(told?.retries)
      return times < due ? `${target} was told ${name} and was tried again ${times} times` : null
    }
    case 'quote': {
      const quote = known.quotes.get(id ?? '')
      return quote ? changeOfQuote(quote, { name, told }) : gone(id)
    }
    case 'accept': {
      const quote = known.quotes.get(target)
      if (!known.purchases.has(id ?? '') || !quote) return gone(id)
      const offer = quote.offers.find((one) => one.id === quote.accepted_offer_id)
      return quote.purchase_intent_id === id && offer?.total_amount === told?.total
        ? null
        : `${target} was bought by ${id} for ${told?.total} and names ${quote.purchase_intent_id} for ${offer?.total_amount}`
    }
    // Judged with the sales.
    case 'checkout':
    case 'token':
    case 'complete':
      return null
    default: {
      const order = known.orders.get(target)
      if (!order) return gone(target)
      return isThere[deed](order, name, told) ? null : `${target} was told ${name} and shows nothing of it`
    }
  }
}

function retriesOf(purchase: { events: readonly string[] } | undefined): number {
  return purchase?.events.filter((type) => type === 'purchase_intent.retried').length ?? 0
}

/** Purchases that were tried again more often than it was asked for. */
function retriedUnasked(asked: readonly { deed: Deed; target: string | null }[], known: Known): string[] {
  const wanted = Map.groupBy(asked, ({ deed, target }) => (deed === 'retry' ? target : null))
  return [...known.purchases.values()].flatMap((purchase) => {
    const [times, due] = [retriesOf(purchase), wanted.get(purchase.id)?.length ?? 0]
    return times > due ? [`${purchase.id} was tried again ${times} times, for ${due} requests`] : []
  })
}

const eventOf = {
  create: 'purchase_intent.created',
  approve: 'purchase_intent.approved',
  cancel: 'purchase_intent.cancelled',
} as const

/** The states that a quote may have reached since it was answered in one. */
const later: Readonly<Record<string, readonly string[]>> = {
  quoted: ['quoted', 'ordered', 'expired'],
  declined: ['declined'],
}

function changeOfQuote(quote: ToldQuote, { name, told }: Pick<Answered, 'name' | 'told'>): string | null {
  const status = String(told?.status)
  // There was no answer yet.
  if (status === 'pending') return null
  if (!later[status]?.includes(quote.status))
    return `${quote.id} of ${name} was ${status} and is ${quote.status}`
  if (told?.offer === undefined) return null
  const isKept = quote.offers.some(({ id, total_amount }) => id === told.offer && total_amount === told.total)
  return isKept ? null : `${quote.id} of ${name} was offered for ${told.total} and no longer is`
}

const isThere: Readonly<
  Record<
    'fulfill' | 'refund' | 'reprice',
    (order: ToldOrder, name: string, told: Answered['told']) => boolean
  >
> = {
  fulfill: ({ fulfillments }, name) => fulfillments.some(({ tracking_number }) => tracking_number === name),
  refund: ({ refunds }, name, told) =>
    refunds.some(
      ({ id, amount, reason }) => reason === name && id === told?.refund && amount === told.amount,
    ),
  reprice: ({ adjustments, total_amount }, name, told) =>
    total_amount === told?.total &&
    adjustments.some(({ type, reason }) => type === 'reprice' && reason === name),
}

/** Two objects of one request, whether or not both were answered: each carries the name of its wish. */
function doubles({ purchases, quotes, orders }: StoredFacts): string[] {
  const twice = (made: readonly { name: string; id: string }[]) =>
    [...Map.groupBy(made, ({ name }) => name)].flatMap(([name, same]) =>
      same.length > 1 ? [`${name} made ${same.map(({ id }) => id).join(' and ')}`] : [],
    )
  return [
    ...twice([...purchases].flatMap(([name, made]) => made.map(({ id }) => ({ name, id })))),
    ...twice(quotes.map(({ id, metadata }) => ({ name: `quote-${metadata.wish}`, id }))),
    ...orders.flatMap(({ id, refunds, fulfillments }) => [
      ...twice(refunds.map((refund) => ({ name: String(refund.reason), id: refund.id }))),
      ...twice(fulfillments.map(({ tracking_number }) => ({ name: String(tracking_number), id }))),
    ]),
  ]
}

/** Why a refusal was not fair; null when it was. A refused write must not be there. */
function unfairness(
  { name, deed, status, code, why }: Answered,
  target: string,
  known: Known,
): string | null {
  if (!fairRefusals[deed].includes(code ?? '')) return `${name} was refused with ${status} ${code ?? why}`
  if (deed === 'quote') {
    const is = known.quoteOfWish.get(name)?.status
    return is === 'failed' ? null : `${name} was told that its merchant failed, and is ${is}`
  }
  if (deed !== 'refund') return null
  const order = known.orders.get(target)
  const given = order?.refunds.reduce((sum, { amount }) => sum + amount, 0)
  if (order?.refunds.some(({ reason }) => reason === name)) return `${name} was refused and is there`
  return given === order?.total_amount
    ? null
    : `${name} was refused with ${given} of ${order?.total_amount} given back`
}
