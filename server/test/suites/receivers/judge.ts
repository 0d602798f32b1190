import type { Reception } from './journal.ts'
import type { Audience, Fate } from './kinds.ts'

/** One delivery that an endpoint is owed. */
export type Owed = {
  endpoint: string
  audience: Audience
  destination: string
  event: string
  order: string
  sequence: number
  /** Milliseconds of the wall clock at which the commit was known. */
  committedAt: number
}

/** A delivery as the API shows it. */
export type ToldDelivery = {
  destination_id: string
  event_id: string
  status: 'pending' | 'succeeded' | 'failed' | 'exhausted'
  attempts: { at: string; http_status: number | null; error: string | null }[]
  next_attempt_at: string | null
}

export type ToldDestination = {
  status: 'enabled' | 'disabled' | 'archived'
  reason: string | null
  fate: Fate
}

/** The facts from both sides. */
export type Case = {
  owed: readonly Owed[]
  journal: readonly Reception[]
  deliveries: readonly ToldDelivery[]
  destinations: ReadonlyMap<string, ToldDestination>
  /** From when on nothing is owed to destinations that had been failing for days. */
  failingFrom: number
  canaryHits: number
}

/** How long after an attempt the same signature can still be a fresh one of the same second. */
const sameSecondMs = 2500

/** The event by which an endpoint confirms itself, before anything is owed to it. */
const testType = 'destination.test'

type Verdict = { kept: number; broken: string[] }

/** Compares the owed deliveries with those that the endpoints received and the product shows. Each line begins with the guarantee. */
export function judge(facts: Case): Verdict {
  const verdict: Verdict = { kept: 0, broken: [] }
  const received = Map.groupBy(facts.journal, pairOfReception)
  const told = new Map(facts.deliveries.map((delivery) => [pairOfDelivery(delivery), delivery]))
  const owed = new Set(facts.owed.map(pairOf))
  const firstSeen = new Map<string, number>()
  for (const { destination, at, type } of facts.journal)
    if (type !== testType && !firstSeen.has(destination)) firstSeen.set(destination, at)
  for (const one of facts.owed) {
    const destination = facts.destinations.get(one.destination)
    const lost = lossOf(one, {
      receptions: received.get(pairOf(one)) ?? [],
      delivery: told.get(pairOf(one)),
      destination,
      wasDisabled: one.committedAt > disabledFrom(facts, one, firstSeen),
    })
    note(verdict, lost === null, `lost ${pairOf(one)} (${one.endpoint}): ${lost}`)
  }
  for (const [pair, receptions] of received) {
    // The owner of the endpoint requested it, and it holds no order.
    if (receptions[0]?.type === testType) continue
    note(verdict, owed.has(pair), `stray ${pair}: nobody owed it`)
    noteAll(verdict, faultsOfReceptions(receptions), pair)
  }
  for (const delivery of facts.deliveries) {
    const fault = faultOfDelivery(delivery, received.get(pairOfDelivery(delivery)) ?? [])
    note(
      verdict,
      fault === null,
      `${fault} ${pairOfDelivery(delivery)}: ${JSON.stringify(delivery.attempts)}`,
    )
  }
  judgeOrder(verdict, facts)
  note(
    verdict,
    facts.canaryHits === 0,
    `redirect followed: ${facts.canaryHits} connections where none may lead`,
  )
  return verdict
}

type Circumstances = {
  receptions: readonly Reception[]
  delivery: ToldDelivery | undefined
  destination: ToldDestination | undefined
  wasDisabled: boolean
}

/** Why this delivery is lost; null when it arrived, or the API shows it as under way or given up. */
function lossOf(
  owed: Owed,
  { receptions, delivery, destination, wasDisabled }: Circumstances,
): string | null {
  if (!destination) return 'its destination is not there'
  if (!delivery) return wasDisabled && destination.status === 'disabled' ? null : 'no delivery was ever made'
  const isTaken = receptions.some(({ status }) => status === 200)
  if (destination.fate === 'arrives') {
    if (!isTaken) return `the endpoint never took it, which the API tells as ${delivery.status}`
    return delivery.status === 'succeeded' ? null : `it arrived and is told as ${delivery.status}`
  }
  if (delivery.status === 'succeeded' || delivery.status === 'exhausted') return null
  if (destination.status === 'disabled') return null
  // Its endpoint never confirmed, so it waits for that without an attempt.
  if (destination.fate === 'never' && delivery.status === 'pending' && delivery.attempts.length === 0)
    return null
  return delivery.next_attempt_at === null ? `${delivery.status} of ${owed.order} with no next attempt` : null
}

function disabledFrom(facts: Case, { destination }: Owed, firstSeen: ReadonlyMap<string, number>): number {
  const fate = facts.destinations.get(destination)?.fate
  if (fate === 'gone') return firstSeen.get(destination) ?? Number.POSITIVE_INFINITY
  return fate === 'never' ? facts.failingFrom : Number.POSITIVE_INFINITY
}

/** The same bytes and id at every attempt, each under a signature of its own that an independent library accepts. */
function faultsOfReceptions(receptions: readonly Reception[]): (string | null)[] {
  const [first] = receptions
  if (!first) return []
  return receptions.flatMap((reception, index) => {
    const isReplayed = receptions
      .slice(0, index)
      .some(
        (earlier) => reception.at - earlier.at > sameSecondMs && reception.signature === earlier.signature,
      )
    return [
      reception.verified.length > 0 ? null : `signature of attempt ${index + 1} is not valid`,
      isReplayed ? `signature of attempt ${index + 1} is that of an earlier one` : null,
      reception.digest === first.digest ? null : `bytes of attempt ${index + 1} differ`,
      reception.body?.id === reception.event
        ? null
        : `envelope of attempt ${index + 1} names ${reception.body?.id}`,
    ]
  })
}

/** The API shows no successful delivery that the endpoint does not know. */
function faultOfDelivery(delivery: ToldDelivery, receptions: readonly Reception[]): string | null {
  const answered = delivery.attempts.filter(({ http_status }) => http_status !== null)
  if (answered.length > receptions.length) return 'invented attempts'
  const isTaken = receptions.some(({ status }) => status === 200)
  return delivery.status === 'succeeded' && !isTaken ? 'invented acknowledgement' : null
}

/**
 * The first receptions of an order's events are in the sequence of the order. An endpoint that could not be connected to has not
 * seen first attempts that were made in order, and its retries come as they are due.
 */
function judgeOrder(verdict: Verdict, { journal, deliveries }: Case): void {
  const received = Map.groupBy(journal, pairOfReception)
  const isUnseen = (one: ToldDelivery) =>
    isBroken(one) && one.attempts.length > (received.get(pairOfDelivery(one))?.length ?? 0)
  const seen = new Set(deliveries.filter(isUnseen).map(pairOfDelivery))
  const latest = new Map<string, number>()
  for (const reception of journal) {
    if (reception.type === testType || reception.body === null || seen.has(pairOfReception(reception)))
      continue
    seen.add(pairOfReception(reception))
    const aggregate = `${reception.destination} ${reception.body.order}`
    const before = latest.get(aggregate) ?? 0
    note(
      verdict,
      reception.body.sequence > before,
      `order broken at ${aggregate} (${reception.kind}): ${reception.body.sequence} came after ${before}`,
    )
    latest.set(aggregate, Math.max(before, reception.body.sequence))
  }
}

/** The first attempt may not have come to the endpoint at all. */
function isBroken({ attempts: [first] }: ToldDelivery): boolean {
  return first?.error === 'connect' || first?.error === 'reset'
}

function noteAll(verdict: Verdict, faults: readonly (string | null)[], pair: string): void {
  for (const fault of faults) note(verdict, fault === null, `${fault} at ${pair}`)
}

function note(verdict: Verdict, isKept: boolean, what: string): void {
  if (isKept) verdict.kept += 1
  else verdict.broken.push(what)
}

function pairOf({ destination, event }: Owed): string {
  return `${destination} ${event}`
}

function pairOfReception({ destination, event }: Reception): string {
  return `${destination} ${event}`
}

function pairOfDelivery({ destination_id, event_id }: ToldDelivery): string {
  return `${destination_id} ${event_id}`
}
