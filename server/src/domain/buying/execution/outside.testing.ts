import type { OfferAnswer, Way } from '../channels/port.ts'
import type { LoadedCart } from '../intents/public.ts'
import type { RailNews } from '../rail-movements/public.ts'
import { timing } from '../rails/timing.ts'
import { type CartState, holdOf } from './cart-state.ts'
import type { EffectRow, HoldRow } from './journal.ts'
import type { Answered, Command, Done, Facts, Outbound, Write } from './messages.ts'
import { TestRails } from './rails.testing.ts'
import { offer } from './states.testing.ts'
import { TestShop } from './world.testing.ts'

/** By whom the cart is sold; of `card` a stranger that charges a card which spends the operator's balance, of `token` a merchant of ours that charges a credential by itself. */
export const kinds = ['native', 'simulated', 'stranger', 'card', 'token'] as const
export type Kind = (typeof kinds)[number]

export const channelOf: Readonly<Record<Kind, LoadedCart['channel']>> = {
  native: 'native',
  simulated: 'simulated',
  stranger: 'ucp',
  card: 'browser',
  token: 'mpp',
}

/** How a cart of each kind is bought. */
export function wayOf(kind: Kind): Way {
  const isNative = kind === 'native'
  return {
    kind: isNative ? 'native' : kind === 'token' ? 'handed_over' : 'outbound',
    payment: isNative ? 'authorization' : 'credential',
    hasStrangers: kind === 'stranger' || kind === 'card',
    form: isNative ? null : kind === 'card' ? 'card' : 'token',
    longestCallMs: timing.longestCallMs,
  }
}

type NativeOrder = {
  status: 'awaiting' | 'confirmed' | 'rejected' | 'cancelled'
  total: bigint
  payment: string
  attempt: number
}

type Journal = { readonly effects: readonly EffectRow[]; readonly holds: readonly HoldRow[] }

/** Everybody whom a cart has to do with: its rail, its merchant, and the slices that carry out its commands. */
export class Outside {
  readonly rails: TestRails
  readonly shop: TestShop
  readonly orders = new Map<string, NativeOrder>()
  /** What the rail has reported of cards, and the cart has not looked at. */
  news: RailNews[] = []
  #reports = 0
  /** Whether anything still goes wrong. */
  hasFaults = true
  readonly #random: () => number
  readonly #kind: Kind

  constructor(random: () => number, kind: Kind, { cap, problems }: { cap: bigint; problems: string[] }) {
    this.#random = random
    this.#kind = kind
    const takesCards = kind === 'card'
    this.rails = new TestRails(random, { cap, problems, isPrefunded: takesCards })
    this.shop = new TestShop(random, this.rails, { isStrange: takesCards || kind === 'stranger', takesCards })
  }

  #chance(share: number): boolean {
    return this.#random() < share
  }

  /** Its people decide about orders, and take or give back money. Whether the rail has something to report of it. */
  live(now: Date, journal: Journal): boolean {
    const moved = this.shop.live()
    for (const attempt of moved)
      this.news.push({ id: `${++this.#reports}`, attempt, is_refund: false, refunded_amount: 0n })
    this.rails.live(now)
    if (this.#kind === 'token') this.#useTokens(now, journal)
    for (const order of this.orders.values()) {
      if (order.status !== 'awaiting') continue
      const chance = this.#random()
      order.status = chance < 0.7 ? 'confirmed' : 'rejected'
      if (chance < 0.1) order.total -= 100n
    }
    return moved.length > 0
  }

  /** The cart has looked at what the rail has reported. */
  settleNews(writes: readonly Write[]): void {
    for (const write of writes)
      if (write.kind === 'settle_news') this.news = this.news.filter(({ id }) => !write.ids.includes(id))
  }

  takenOf(attempt: number, { holds }: Journal): bigint {
    const row = holds.find((one) => one.attempt === attempt)
    const held = this.rails.held.find(({ reference }) => reference === row?.reference)
    return held ? (held.status === 'claimed' ? held.claimed : held.captured - held.refunded) : 0n
  }

  /** The truth, except that some shops take an order back when a person asks: then its money has to come back as well. */
  isPlaced(attempt: number, journal: Journal): boolean {
    const paid = [...this.orders.values()].filter(({ payment }) => payment === 'captured')
    if (this.#kind === 'native')
      return paid.some((one) => one.attempt === attempt && one.status === 'confirmed')
    if (this.#kind !== 'simulated' || this.#chance(0.5)) return this.takenOf(attempt, journal) > 0n
    for (const order of this.shop.orders.values()) order.told = 'refused'
    return false
  }

  /** A merchant of ours that was handed a credential uses it, or does not. */
  #useTokens(now: Date, { effects, holds }: Journal): void {
    for (const { step, attempt } of effects) {
      const row = holds.find((one) => one.attempt === attempt)
      if (step !== 'place' || !row) continue
      const held = this.rails.held.find(({ reference }) => reference === row.reference)
      const dice = this.#random()
      if (held?.status === 'authorized' && now < row.expires_at && dice < 0.5)
        this.rails.charge(row.reference, row.amount, dice < 0.25 ? 'captured' : 'claimed')
      else if (held?.status === 'claimed' && dice < 0.3) held.status = 'voided'
      else if (held?.status === 'claimed' && dice < 0.7) {
        held.status = 'captured'
        held.captured = held.claimed
      }
    }
  }

  /** What a call does outside, and its answer. */
  answer(state: CartState, call: Outbound): Answered {
    switch (call.kind) {
      case 'offer':
        if (this.#kind === 'stranger' && this.#chance(0.15))
          return { kind: 'offer', answer: this.#question() }
        return this.#chance(0.1)
          ? { kind: 'offer', answer: { kind: 'unavailable' } }
          : { kind: 'offer', answer: { kind: 'offer', offer: this.#priced() } }
      case 'rail':
        return { ...call, answer: this.rails.named(call.rail).do(call.sent, state.now) as never } // it knows what it did
      case 'rail_memory':
        return {
          ...call,
          answer:
            call.how === 'close' && call.sent
              ? this.rails.named(call.rail).close(call.key, call.sent)
              : this.rails.named(call.rail).ask(call.key),
        }
      case 'funds':
        // The operator has paid in too little, and pays in more in the end.
        return { kind: 'funds', at: call.at, amount: this.hasFaults && this.#chance(0.2) ? null : 5_000n }
      case 'reading':
        return { ...call, answer: this.rails.named(call.rail).get(call.of.reference) }
      case 'place': {
        const reference = holdOf(state, call.attempt)?.reference ?? ''
        const order = { reference, total: call.order.offer.total, attempt: call.attempt }
        return { ...call, answer: this.shop.place(call.order.key, order) as never } // it knows the order by now
      }
      case 'place_memory':
        return {
          ...call,
          answer: call.how === 'ask' ? this.shop.ask(call.order.key) : this.shop.close(call.order.key),
        }
      default:
        return call satisfies never
    }
  }

  /** Some of its pages ask for the same again and again, and others for something else each time. */
  #question(): Extract<OfferAnswer, { kind: 'needs_input' }> {
    const name = `asked ${Math.floor(this.#random() * 3)}`
    const session = this.#chance(0.5) ? 'page' : null
    return {
      kind: 'needs_input',
      fields: [{ name, label: name, kind: 'text', host: 'shop.example' }],
      message: null,
      session,
    }
  }

  /** Sometimes the merchant has another price by now, and once in a while one above all that was approved. */
  #priced() {
    const more = this.#chance(0.1) ? 1000n : this.#chance(0.2) ? -100n : 0n
    const unitAmount = 1800n + more
    return {
      ...offer,
      lines: offer.lines.map((line) => ({ ...line, unitAmount })),
      subtotal: unitAmount,
      total: unitAmount,
    }
  }

  carryOut(state: CartState, command: Command): Done {
    const attempt = state.cart.attempt_number
    switch (command.kind) {
      case 'read':
        return { kind: 'read', facts: this.#factsOf(command.fact, command.rail) }
      case 'offer':
        return this.#chance(0.1)
          ? { kind: 'offer', answer: { kind: 'unavailable' }, facts: {} }
          : { kind: 'offer', answer: { kind: 'offer', offer: this.#priced() }, facts: this.#factsOf('payer') }
      case 'place': {
        if (this.#chance(0.05))
          return {
            kind: 'place',
            answer: { kind: 'refused', refusal: { code: 'price_changed', message: null, declineCode: null } },
          }
        const id = `ord_${attempt}` as const
        const total = holdOf(state)?.amount ?? 0n
        this.orders.set(id, { status: 'awaiting', total, payment: 'pending', attempt })
        return {
          kind: 'place',
          answer: {
            kind: 'pending',
            value: { orderRow: id, orderId: null, transactionId: null, owed: total },
          },
        }
      }
      case 'open_card':
        return { kind: 'open_card', card: !this.hasFaults || this.#chance(0.8) ? 'opened' : 'not_covered' }
      case 'read_order':
        return { ...command, answer: this.#read(command.orderRow) }
      default:
        throw new Error(`nobody carries out ${command.kind} here`)
    }
  }

  #read(orderRow: string | null): Extract<Done, { kind: 'read_order' }>['answer'] {
    const order = orderRow === null ? undefined : this.orders.get(orderRow)
    const refusal = { message: null, declineCode: null }
    if (!order) return { kind: 'closed' }
    switch (order.status) {
      case 'awaiting':
        return { kind: 'pending' }
      case 'confirmed':
        return {
          kind: 'done',
          value: { orderId: `confirmed ${orderRow}`, transactionId: null, owed: order.total },
        }
      case 'rejected':
        return { kind: 'refused', refusal: { ...refusal, code: 'order_rejected_by_merchant' } }
      case 'cancelled':
        return { kind: 'refused', refusal: { ...refusal, code: 'cancelled' } }
      default:
        return order.status satisfies never
    }
  }

  #factsOf(fact: keyof Facts, rail: string | null = null): Partial<Facts> {
    const card = {
      test_card: 'pr_vt_test_card',
      vault_token: 'vault token',
      kept_by: null,
      kept_customer: null,
      kept_method: null,
    }
    const facts: Facts = {
      payer: {
        ...card,
        id: 'pm_00000000000000000000000001',
        card_brand: 'visa',
        agentic_status: 'ready',
        added_by: 'account',
        added_in: null,
      } as unknown as Facts['payer'], // of these only the card is sent
      sentCard: card,
      moreHosts: [],
      keptAnswers: [],
      site: null,
      sellerRefusal: null,
      tokenOrder: null,
      news: this.news,
      offerHeldSeconds: 0,
      railHeld: { rail, seconds: this.hasFaults && this.#chance(0.03) ? 9 : 0 },
    }
    return { [fact]: facts[fact] }
  }
}

/** The answer to a call that got none, or was turned away. */
export function unheard(
  call: Outbound,
  answer:
    | { kind: 'unknown' }
    | { kind: 'not_sent'; retryable: boolean }
    | { kind: 'not_now'; reason: 'busy'; retryAfterSeconds: number },
): Answered {
  if (call.kind === 'funds') return { kind: 'funds', at: call.at, amount: null }
  if (call.kind !== 'offer') return { ...call, answer } as Answered // every call can stay without an answer
  return { kind: 'offer', answer: answer.kind === 'not_now' ? answer : { kind: 'unavailable' } }
}
