import { createHash } from 'node:crypto'
import type { Placed, PlaceRefusal } from '../channels/port.ts'
import type { RailCall, RailMemory, RailObject, RailReading, Recalled, SentCall } from '../rails/port.ts'

/** Numbers in [0, 1) that are the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export type Held = {
  readonly reference: string
  readonly kind: 'authorization' | 'credential'
  /** The key of the call that made it. */
  readonly key: string
  /** Of a card: its number in the vault. */
  readonly record: string | null
  readonly amount: bigint
  status: 'waiting' | 'authorized' | 'claimed' | 'captured' | 'voided'
  claimed: bigint
  captured: bigint
  /** What of it was taken of a card without asking. */
  forced: bigint
  refunded: bigint
  isRevoked: boolean
}

/** What the person of a payment will do, until when they can, and the key of the call that waits for them. */
type Person = {
  readonly will: 'confirm' | 'refuse' | 'stay_away'
  readonly until: Date
  readonly key: string
}

type Known = { readonly digest: string; readonly held: Held | null; readonly refusal: string | null }

/** A payment rail with a memory of its own: it knows nothing of carts, and writes down what must never happen. */
export class TestRail {
  readonly held: Held[] = []
  readonly #all: Held[]
  readonly #name: string
  readonly #known = new Map<string, Known>()
  readonly #closed = new Set<string>()
  readonly #people = new Map<Held, Person>()
  readonly #random: () => number
  readonly #cap: bigint
  readonly #isPrefunded: boolean
  readonly problems: string[]

  /** `all`: what every rail of the account holds. `isPrefunded`: its credentials are cards that spend a balance of the operator's. */
  constructor(its: {
    name: string
    random: () => number
    cap: bigint
    problems: string[]
    all: Held[]
    isPrefunded: boolean
  }) {
    this.#isPrefunded = its.isPrefunded
    this.#name = its.name
    this.#random = its.random
    this.#cap = its.cap
    this.problems = its.problems
    this.#all = its.all
  }

  do({ step, input }: RailCall, now: Date): Recalled {
    const digest = createDigest({ step, input })
    const known = this.#known.get(input.key)
    if (known && known.digest !== digest) this.problems.push(`${input.key} was used for two different calls`)
    if (this.#closed.has(input.key)) return refused('closed')
    if (known) return this.#told(known)
    const held = this.#effect({ step, input } as RailCall)
    const isHeld = typeof held !== 'string'
    this.#known.set(input.key, { digest, held: isHeld ? held : null, refusal: isHeld ? null : held })
    const isAsked = step === 'authorize' || (step === 'issue_credential' && !this.#isPrefunded)
    if (isHeld && isAsked) this.#askPerson(held, input.key, now)
    this.#checkExposure()
    return this.#told({ held: isHeld ? held : null, refusal: isHeld ? null : held })
  }

  ask(key: string): Recalled {
    if (this.#closed.has(key)) return { kind: 'closed' }
    const known = this.#known.get(key)
    return known ? this.#told(known) : { kind: 'not_found' }
  }

  #told({ held, refusal }: Pick<Known, 'held' | 'refusal'>): Recalled {
    if (held === null) return refused(refusal ?? 'refused')
    const person = this.#people.get(held)
    return held.status === 'waiting' && person
      ? { kind: 'needs_person', url: `https://bank.example/${person.key}`, until: person.until }
      : done(held)
  }

  #askPerson(held: Held, key: string, now: Date): void {
    if (this.#random() < 0.8) return
    const dice = this.#random()
    const will = dice < 0.5 ? 'confirm' : dice < 0.7 ? 'refuse' : 'stay_away'
    const until = new Date(now.getTime() + (60 + this.#random() * 1740) * 1000)
    held.status = 'waiting'
    this.#people.set(held, { will, until, key })
  }

  /** People who were asked come to the page of their bank, or do not. */
  live(now: Date): void {
    for (const [held, { will, until, key }] of this.#people) {
      if (held.status !== 'waiting' || now >= until || will === 'stay_away' || this.#random() < 0.5) continue
      held.status = will === 'confirm' ? 'authorized' : 'voided'
      const known = this.#known.get(key)
      if (will === 'refuse' && known)
        this.#known.set(key, { ...known, held: null, refusal: 'authentication_failed' })
    }
    this.#checkExposure()
  }

  close(key: string, sent: SentCall): RailMemory {
    const known = this.#known.get(key)
    if (known?.refusal) return refused(known.refusal)
    if (known?.held && (known.held.status === 'captured' || known.held.status === 'claimed'))
      return done(known.held)
    this.#closed.add(key)
    const held = sent.step === 'capture' ? this.#named(sent.input.reference) : known?.held
    if (held?.status === 'authorized' || held?.status === 'waiting') held.status = 'voided'
    return { kind: 'closed' }
  }

  get(reference: string): RailReading {
    const held = this.#named(reference)
    return held ? { kind: 'done', value: objectOf(held) } : { kind: 'unknown' }
  }

  /** As the merchant of a credential. */
  charge(reference: string, amount: bigint, as: 'claimed' | 'captured'): boolean {
    const held = this.#named(reference)
    if (held?.status !== 'authorized' || held.isRevoked || amount > held.amount) return false
    held.status = as
    held.claimed = amount
    held.captured = as === 'captured' ? amount : 0n
    this.#checkExposure()
    return true
  }

  #effect({ step, input }: RailCall): Held | string {
    const named = 'reference' in input ? this.#named(input.reference) : undefined
    switch (step) {
      case 'authorize':
        return this.#random() < 0.08 ? 'card_declined' : this.#hold(input.key, 'authorization', input.amount)
      case 'issue_credential':
        return this.#random() < 0.08 ? 'card_declined' : this.#hold(input.key, 'credential', input.limit)
      case 'capture': {
        if (named?.status !== 'authorized' || input.amount > named.amount) return 'not_capturable'
        named.status = 'captured'
        named.captured = input.amount
        return named
      }
      case 'void': {
        if (!named || named.status === 'captured') return 'already_captured'
        named.status = 'voided'
        return named
      }
      case 'revoke': {
        if (!named) return 'no_such_credential'
        named.isRevoked = true
        if (named.status === 'authorized') named.status = 'voided'
        return named
      }
      case 'refund': {
        const held = this.held.find((one) => captureReferenceOf(one) === input.reference)
        if (!held || held.refunded + input.amount > held.captured) return 'nothing_to_refund'
        held.refunded += input.amount
        return held
      }
      default:
        // Of a new effect this rail knows no more than that it leaves the hold as it is.
        return named ?? 'nothing_held'
    }
  }

  #hold(key: string, kind: Held['kind'], amount: bigint): Held {
    const reference = `held ${this.held.length + 1} at ${this.#name}`
    const record = kind === 'credential' && this.#isPrefunded ? `number of ${reference}` : null
    const held = {
      reference,
      kind,
      key,
      record,
      amount,
      claimed: 0n,
      captured: 0n,
      forced: 0n,
      refunded: 0n,
      isRevoked: false,
    }
    const made: Held = { ...held, status: 'authorized' }
    this.held.push(made)
    this.#all.push(made)
    return made
  }

  #named(reference: string): Held | undefined {
    return this.held.find((one) => one.reference === reference)
  }

  /** A card that can be charged spends the operator's money: as much is held or taken of its buyer. */
  #checkBehind(card: Held, buyers: readonly Held[]): void {
    if (card.status !== 'authorized' || card.isRevoked) return
    const behind = buyers.find((one) => attemptOf(one) === attemptOf(card))
    const isThere = behind?.status === 'authorized' || behind?.status === 'captured'
    if (!isThere || behind.amount < card.amount)
      this.problems.push(`${card.key} can be charged, and nothing is held behind it`)
  }

  /** At no moment may more be held and taken together than was approved. */
  #checkExposure(): void {
    const buyers = this.#all.filter(({ kind }) => !this.#isPrefunded || kind === 'authorization')
    const sum = buyers.reduce((all, one) => all + exposureOf(one), 0n)
    for (const card of this.#all.filter((one) => !buyers.includes(one))) this.#checkBehind(card, buyers)
    if (sum > this.#cap) this.problems.push(`${sum} is held and taken of at most ${this.#cap}`)
  }
}

/** The attempt that a key is of. */
function attemptOf({ key }: Held): string {
  return key.split(':', 2).join(':')
}

function exposureOf({ status, amount, claimed, captured, refunded }: Held): bigint {
  if (status === 'authorized') return amount
  if (status === 'claimed') return claimed
  return status === 'captured' ? captured - refunded : 0n
}

function createDigest(sent: object): string {
  const text = JSON.stringify(sent, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
  return createHash('sha1').update(text).digest('hex')
}

function captureReferenceOf({ reference, captured }: Held): string | null {
  return captured > 0n ? `${reference} captured` : null
}

function objectOf(held: Held): RailObject {
  const { kind, status, captured, refunded } = held
  return {
    reference: held.reference,
    status: captured > 0n && refunded === captured ? 'refunded' : status === 'waiting' ? 'declined' : status,
    amount: held.amount,
    capturedAmount: captured,
    currency: 'EUR',
    captureReference: captureReferenceOf(held),
    ...(kind === 'credential'
      ? { claimedAmount: held.claimed, refundedAmount: refunded, record: held.record }
      : {}),
  }
}

function done(held: Held): RailMemory & { kind: 'done' } {
  return { kind: 'done', value: objectOf(held) }
}

function refused(code: string): RailMemory & { kind: 'refused' } {
  return { kind: 'refused', refusal: { code, declineCode: code === 'card_declined' ? 'do_not_honor' : null } }
}

type Told = 'placed' | 'refused' | 'pending'
type Order = {
  told: Told
  isClosed: boolean
  readonly reference: string
  readonly total: bigint
  readonly attempt: number
}
type OrderAnswer =
  | { readonly kind: 'done'; readonly value: Placed }
  | { readonly kind: 'refused'; readonly refusal: PlaceRefusal }
  | { readonly kind: 'pending' | 'not_found' | 'closed' }

/** All rails, as a shop sees them. */
type Rails = {
  readonly held: readonly Held[]
  charge(reference: string, amount: bigint, as: 'claimed' | 'captured'): boolean
}

/** A shop with a memory of its own, paid by credentials. A stranger says what it likes and charges as it likes. */
export class TestShop {
  readonly orders = new Map<string, Order>()
  readonly #closed = new Set<string>()
  readonly #random: () => number
  readonly #rails: Rails
  readonly #isStrange: boolean
  readonly #takesCards: boolean

  constructor(random: () => number, rails: Rails, how: { isStrange: boolean; takesCards: boolean }) {
    this.#random = random
    this.#rails = rails
    this.#isStrange = how.isStrange
    this.#takesCards = how.takesCards
  }

  place(key: string, order: { reference: string; total: bigint; attempt: number }): OrderAnswer {
    if (this.#closed.has(key)) return refusedOrder
    if (!this.orders.has(key)) this.orders.set(key, { ...order, told: this.#decide(order), isClosed: false })
    return this.ask(key)
  }

  ask(key: string): OrderAnswer {
    if (this.#closed.has(key)) return { kind: 'closed' }
    const order = this.orders.get(key)
    if (!order) return { kind: 'not_found' }
    if (order.told === 'pending') return { kind: 'pending' }
    return order.told === 'refused' ? refusedOrder : placedOrder(order)
  }

  close(key: string): OrderAnswer {
    const order = this.orders.get(key)
    if (order && order.told !== 'pending') return this.ask(key)
    this.#closed.add(key)
    if (order) order.isClosed = true
    return { kind: 'closed' }
  }

  /** Its people decide about what is pending, and take or give back money. */
  live(): readonly number[] {
    const moved: number[] = []
    for (const order of this.orders.values()) {
      if (order.told === 'pending' && !order.isClosed) order.told = this.#decide(order, false)
      if (!this.#isStrange) continue
      const held = this.#rails.held.find(({ reference }) => reference === order.reference)
      if (this.#takesCards && held && this.#moveOnCard(held)) moved.push(order.attempt)
      if (held?.status !== 'claimed') continue
      if (this.#takesCards && this.#random() < 0.7) continue
      const chance = this.#random()
      if (chance < 0.5) {
        held.status = 'captured'
        held.captured = chance < 0.15 ? held.claimed / 2n : held.claimed
      } else if (chance < 0.75) held.status = 'voided'
    }
    return moved
  }

  /** A shop gives back what it took of a card, in parts, and takes more than it was allowed, without asking. */
  #moveOnCard(held: Held): boolean {
    if (held.status !== 'captured' || held.captured === 0n) return false
    const chance = this.#random()
    if (chance < 0.1 && held.refunded < held.captured) {
      const left = held.captured - held.refunded
      held.refunded += chance < 0.05 ? left : (left + 1n) / 2n
      return true
    }
    if (chance > 0.98 && held.forced === 0n) {
      held.forced = 50n
      held.captured += 50n
      return true
    }
    return false
  }

  #decide({ reference, total }: Pick<Order, 'reference' | 'total'>, mayWait = true): Told {
    const chance = this.#random()
    if (mayWait && chance < 0.15) return 'pending'
    if (!this.#isStrange) {
      if (chance < 0.35) return 'refused'
      return this.#rails.charge(reference, total, 'captured') ? 'placed' : 'refused'
    }
    if (chance < 0.25) return 'refused'
    if (chance < 0.32) return 'placed'
    const isCharged = this.#rails.charge(reference, total, this.#random() < 0.5 ? 'claimed' : 'captured')
    return isCharged && chance > 0.4 ? 'placed' : 'refused'
  }
}

const refusedOrder: OrderAnswer = {
  kind: 'refused',
  refusal: { code: 'order_rejected_by_merchant', message: null, declineCode: null },
}

function placedOrder({ reference }: Order): OrderAnswer {
  return {
    kind: 'done',
    value: { orderId: `order for ${reference}`, transactionId: `charge of ${reference}` },
  }
}
