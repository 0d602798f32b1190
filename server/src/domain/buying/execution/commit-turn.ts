import type { ActingContext } from '../../../contract/context.ts'
import { correctReservation } from '../../policies/public.ts'
import { followStrangerPayment, markOrderPaid, placeStrangerOrder } from '../../trade/orders/public.ts'
import { closeCard } from '../card-authorizations/public.ts'
import { keepResult } from '../cart-results/public.ts'
import { changeIntent, finishIfDone, type LoadedIntent } from '../intents/public.ts'
import { restCart } from '../intents/writes.sql.ts'
import { followCredential, settleNews } from '../rail-movements/public.ts'
import { followOrder } from '../stranger-orders/public.ts'
import type { CartState, Saying } from './cart-state.ts'
import {
  insertEffect,
  insertFunding,
  insertHold,
  updateEffect,
  updateFunding,
  updateHold,
} from './execution.sql.ts'
import { digestOf, type EffectRow, type FundingRow, type HoldRow } from './journal.ts'
import type { Next, Write } from './messages.ts'

/** Writes a cart as it is changed within one transaction: each time what has changed since the last time. */
export class CartWriter {
  readonly #ctx: ActingContext
  /** The purchase as it is written. */
  readonly loaded: LoadedIntent
  #written: CartState

  constructor(ctx: ActingContext, loaded: LoadedIntent, state: CartState) {
    this.#ctx = ctx
    this.loaded = loaded
    this.#written = state
  }

  /** Queues everything that has changed, with its events, and ends the intent when this was its last open cart. */
  async write(state: CartState, lease: Lease | null = null): Promise<void> {
    const { effects, holds, fundings, writes, sayings } = this.#written
    this.#written = state
    for (const effect of state.effects) this.#writeEffect(effect, sameEffect(effects, effect))
    for (const hold of state.holds) this.#writeHold(hold, ofAttempt(holds, hold))
    for (const funding of state.fundings) this.#writeFunding(funding, ofAttempt(fundings, funding))
    for (const write of state.writes.slice(writes.length)) await carryWrite(this.#ctx, state, write)
    const told = state.sayings.slice(sayings.length).filter(saysSomething)
    for (const [index, saying] of told.entries())
      await this.#say(state, saying, index === told.length - 1 ? lease : null)
    if (lease !== null && told.length === 0) this.#giveBack(lease)
  }

  /** Commits a turn: after a call is decided on, the lease stays. */
  async commit(state: CartState, next: Next): Promise<void> {
    if (next.kind === 'yield') this.#ctx.tx.wake('carts')
    const dueAt = next.kind === 'yield' ? state.now : next.kind === 'rest' ? next.until : undefined
    await this.write(state, dueAt === undefined ? null : { due_at: dueAt, lease_until: null })
  }

  async #say(
    { cart }: CartState,
    { intent, cart: changes, events }: Saying,
    lease: Lease | null,
  ): Promise<void> {
    changeIntent(this.#ctx, this.loaded, {
      intent,
      carts: [{ id: cart.id, changes: { ...changes, ...lease } }],
      events,
    })
    const isEnd = events.some(
      ({ type }) => type === 'cart.succeeded' || type === 'cart.failed' || type === 'cart.cancelled',
    )
    if (isEnd) await finishIfDone(this.#ctx, this.loaded)
  }

  #giveBack({ due_at }: Lease): void {
    const { id } = this.#written.cart
    this.#ctx.tx.write(restCart({ ...this.#tenanted, id, due_at }))
  }

  #writeEffect(effect: EffectRow, before: EffectRow | null): void {
    const row = { ...effect, ...this.#tenanted }
    if (before === null)
      this.#ctx.tx.write(insertEffect({ ...row, request_digest: digestOf(effect.request) }))
    else if (before !== effect) this.#ctx.tx.write(updateEffect(row, differences(before, effect)))
  }

  #writeHold(hold: HoldRow, before: HoldRow | null): void {
    const row = { ...hold, ...this.#tenanted }
    if (before === null) this.#ctx.tx.write(insertHold(row))
    else if (before !== hold) this.#ctx.tx.write(updateHold(row, differences(before, hold)))
  }

  #writeFunding(funding: FundingRow, before: FundingRow | null): void {
    const row = { ...funding, ...this.#tenanted }
    if (before === null) this.#ctx.tx.write(insertFunding(row))
    else if (before !== funding) this.#ctx.tx.write(updateFunding(row, differences(before, funding)))
  }

  get #tenanted() {
    return { account_id: this.#ctx.tenant.accountId, mode: this.#ctx.tenant.mode }
  }
}

type Lease = { readonly due_at: Date | null; readonly lease_until: null }

function saysSomething({ intent, cart, events }: Saying): boolean {
  return events.length > 0 || Object.keys(intent).length > 0 || Object.keys(cart).length > 0
}

function sameEffect(effects: readonly EffectRow[], { step, attempt }: EffectRow): EffectRow | null {
  return effects.find((one) => one.step === step && one.attempt === attempt) ?? null
}

function ofAttempt<Row extends { readonly attempt: number }>(
  rows: readonly Row[],
  { attempt }: Row,
): Row | null {
  return rows.find((one) => one.attempt === attempt) ?? null
}

function differences<Row extends object>(before: Row, after: Row): ReadonlySet<string> {
  const columns = Object.keys(after) as (keyof Row & string)[] // the keys of a row are its columns
  return new Set(columns.filter((column) => before[column] !== after[column]))
}

async function carryWrite(ctx: ActingContext, { intent, cart }: CartState, write: Write): Promise<void> {
  switch (write.kind) {
    case 'order_paid':
      await markOrderPaid(ctx, write.orderId, write.standing)
      return
    case 'follow_credential': {
      const { reference, attempt } = write
      return followCredential(ctx, { reference, cartId: cart.id, attempt })
    }
    case 'settle_news': {
      const { ids, refused } = write
      return settleNews(ctx, { cartId: cart.id, ids, refused })
    }
    case 'stranger_order':
      placeStrangerOrder(ctx, write.order)
      if (write.toldAs) await followOrder(ctx, { orderId: write.order.id, toldAs: write.toldAs })
      return
    case 'stranger_payment':
      return await followStrangerPayment(ctx, write.orderId, write)
    case 'close_card':
      return closeCard(ctx, write.reference)
    case 'correct_reservation':
      return await correctReservation(ctx, { intentId: intent.id, by: write.by })
    case 'keep_result':
      return keepResult(ctx, { intentId: intent.id, cartId: cart.id }, write.result)
    default:
      return write satisfies never
  }
}
