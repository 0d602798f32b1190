import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import { type Freezes, isFrozen } from '../../accounts/controls/public.ts'
import { type PayingMethod, readPayingMethod } from '../../buyers/payment-methods/public.ts'
import {
  changeIntent,
  cleanupStage,
  finishIfDone,
  type IntentChange,
  type IntentEvent,
  type LoadedCart,
  type LoadedIntent,
  lockPurchase,
  parseStage,
  purchaseFrom,
} from '../intents/public.ts'
import { type ClaimedCart, restCart } from '../intents/writes.sql.ts'
import type { CartFacts, EffectStep } from './cart-facts.ts'
import { insertEffect, insertHold, lockCartWithJournal, updateEffect, updateHold } from './execution.sql.ts'
import { digestOf, type EffectRow, effectFacts, effectKey, type HoldRow, holdFacts } from './journal.ts'
import { loadBuyer, loadPayer } from './load-buyer.ts'
import type { NewsRow } from './movements/movements.sql.ts'
import { credentialExpiry, isHandedOver } from './place/handed-over.ts'
import type { Buyer, Offer } from './port.ts'

type IntentChanges = NonNullable<IntentChange['intent']>
type CartChanges = NonNullable<IntentChange['carts']>[number]['changes']

/**
 * One cart under its locks: everything that its next step depends on, locked in one transaction, with the changes made so far. Changes
 * are visible at once and written by `flush`.
 */
export class LockedCart {
  readonly ctx: ActingContext
  readonly loaded: LoadedIntent
  readonly cartId: Id<'cart'>
  readonly isFrozen: boolean
  /** Whether the cart was due or made due: at a worker's first look, and where something happened while it made a call. */
  readonly isWoken: boolean
  readonly effects: EffectRow[]
  readonly holds: HoldRow[]
  /** The offer of this very look, if it was found acceptable. */
  accepted: Offer | null = null
  /** Whether the native order was read in this very look. */
  isAsked = false
  /** What the rail has reported of its charge, and this cart has not looked at. */
  news: readonly NewsRow[] = []
  /** How many reports of the rail were refused in this very look. */
  refusedMovements = 0
  /** Whether a cart that was bought costs something else since this very look. */
  isCorrected = false
  #intentChanges: IntentChanges = {}
  #cartChanges: CartChanges = {}
  #events: IntentEvent[] = []
  /** The columns that were changed so far, by the key of the effect. */
  readonly #changedEffects = new Map<string, Set<string>>()
  #buyer: Promise<Buyer> | null
  readonly #methods = new Map<string | null, Promise<PayingMethod | null>>()

  constructor(
    ctx: ActingContext,
    facts: Pick<LockedCart, 'loaded' | 'cartId' | 'isFrozen'> & Journal & { isWoken?: boolean },
  ) {
    this.ctx = ctx
    this.loaded = facts.loaded
    this.cartId = facts.cartId
    this.isFrozen = facts.isFrozen
    this.isWoken = facts.isWoken ?? false
    this.effects = facts.effects
    this.holds = facts.holds
    this.#buyer = facts.knownBuyer
  }

  /** The row as it will be after `flush`. */
  get cart(): LoadedCart {
    return { ...this.#row, ...this.#cartChanges }
  }

  get intent(): LoadedIntent['intent'] {
    return { ...this.loaded.intent, ...this.#intentChanges }
  }

  change(changes: CartChanges, ...types: Extract<IntentEvent, { cartId: Id<'cart'> }>['type'][]): void {
    Object.assign(this.#cartChanges, changes)
    for (const type of types) this.#events.push({ type, cartId: this.cartId })
  }

  changeIntent(changes: IntentChanges, ...events: IntentEvent[]): void {
    Object.assign(this.#intentChanges, changes)
    this.#events.push(...events)
  }

  effect(step: EffectStep, attempt: number): EffectRow | null {
    return this.effects.find((effect) => effect.step === step && effect.attempt === attempt) ?? null
  }

  hold(attempt: number): HoldRow | null {
    return this.holds.find((hold) => hold.attempt === attempt) ?? null
  }

  addEffect(row: EffectRow): void {
    this.effects.push(row)
    this.ctx.tx.write(insertEffect({ ...row, request_digest: digestOf(row.request), ...this.#tenanted }))
  }

  changeEffect(row: EffectRow, changes: Partial<EffectRow>): void {
    Object.assign(row, changes)
    const name = effectKey(row.cart_id, row.attempt, row.step)
    const changed = this.#changedEffects.get(name) ?? new Set()
    for (const column of Object.keys(changes)) changed.add(column)
    this.#changedEffects.set(name, changed)
    // Of several writes of one row only the last is sent, so it has the columns of all.
    this.ctx.tx.write(updateEffect({ ...row, ...this.#tenanted }, changed), name)
  }

  addHold(row: HoldRow): void {
    this.holds.push(row)
    this.ctx.tx.write(insertHold({ ...row, ...this.#tenanted }))
  }

  changeHold(row: HoldRow, changes: Partial<HoldRow>): void {
    const changed = { ...changes, updated_at: this.ctx.now }
    Object.assign(row, changed)
    this.ctx.tx.write(updateHold({ ...row, ...this.#tenanted }, new Set(Object.keys(changed))))
  }

  /** The buyer that the cart is bought for. Read once for all turns that one worker takes in a row. */
  buyer(): Promise<Buyer> {
    this.#buyer ??= loadBuyer({ reads: this.ctx.tx.ahead, tenant: this.ctx.tenant }, this.intent)
    return this.#buyer
  }

  /** What the next turn of the same worker need not read again. */
  get journal(): Journal {
    return { effects: this.effects, holds: this.holds, knownBuyer: this.#buyer, dueAt: this.#row.due_at }
  }

  /** The payment method of this id, or the profile's default, if it may still be used. Read once. */
  payingMethod(id: string | null): Promise<PayingMethod | null> {
    const named = { profileId: this.intent.profile_id, id }
    const read = this.#methods.get(id) ?? readPayingMethod(this.ctx.tx.ahead, this.ctx.tenant, named)
    this.#methods.set(id, read)
    return read
  }

  /** Reads the buyer and the purchase's own payment method in one statement, for a cart that needs both. */
  readPayer(): Promise<unknown> {
    const read = loadPayer({ reads: this.ctx.tx.ahead, tenant: this.ctx.tenant }, this.intent)
    const buyer = read.then((payer) => payer.buyer)
    const method = read.then((payer) => payer.method)
    this.#buyer ??= buyer
    this.#methods.set(this.intent.payment_method_id, method)
    return Promise.all([buyer, method])
  }

  facts(terms: Pick<CartFacts, 'payment' | 'hasStrangers' | 'isNative'>): CartFacts {
    const cart = this.cart
    const stage = parseStage(cart.stage)
    return {
      ...terms,
      now: this.ctx.now,
      isFrozen: this.isFrozen,
      mayBuy: mayBuy(this.intent, cart.id),
      cart: {
        status: cart.status,
        isCleanup: cart.stage === cleanupStage,
        attempt: cart.attempt_number,
        isOutcomeKnown: cart.outcome_known,
        inputUntil: cart.question && new Date(cart.question.until),
        signInUntil: stage.kind === 'sign_in' ? stage.until : null,
        codeUntil: stage.kind === 'sign_in' ? (stage.code?.until ?? null) : null,
      },
      isOfferAccepted: this.accepted !== null,
      offerTries: stage.kind === 'offer' ? stage.tries : 0,
      offerTriedAt: stage.kind === 'offer' ? stage.at : null,
      noRoom: stage.kind === 'offer' ? stage.noRoom : null,
      effects: this.effects.map(effectFacts),
      holds: this.holds.map(holdFacts),
      isAsked: this.isAsked,
      handedOverUntil: isHandedOver(cart) ? credentialExpiry(cart) : null,
      isWoken: this.isWoken,
      hasNews: this.news.length > 0,
    }
  }

  /** Queues the changes with their events, and ends the intent when this was its last open cart. */
  async flush(): Promise<void> {
    const events = this.#events
    const hasChanged =
      Object.keys(this.#cartChanges).length > 0 || Object.keys(this.#intentChanges).length > 0
    if (!hasChanged && events.length === 0) return
    changeIntent(this.ctx, this.loaded, {
      intent: this.#intentChanges,
      carts: [{ id: this.cartId, changes: this.#cartChanges }],
      events,
    })
    this.#intentChanges = {}
    this.#cartChanges = {}
    this.#events = []
    if (
      events.some(
        ({ type }) => type === 'cart.succeeded' || type === 'cart.failed' || type === 'cart.cancelled',
      )
    ) {
      await finishIfDone(this.ctx, this.loaded)
    }
  }

  /** Ends the lease; the cart is worked on again when it is due, or when something makes it due. */
  async rest(dueAt: Date | null): Promise<void> {
    const lease = { due_at: dueAt, lease_until: null }
    if (Object.keys(this.#cartChanges).length > 0 || this.#events.length > 0) {
      Object.assign(this.#cartChanges, lease)
      return await this.flush()
    }
    const { id, stage } = this.#row
    this.ctx.tx.write(restCart({ ...this.#tenanted, id, stage, due_at: dueAt }))
  }

  get #row(): LoadedCart {
    const row = this.loaded.carts.find(({ id }) => id === this.cartId)
    if (!row) throw new Error('the cart is not among those of its intent')
    return row
  }

  get #tenanted() {
    return { account_id: this.ctx.tenant.accountId, mode: this.ctx.tenant.mode }
  }
}

/**
 * The rows that only execution writes, under the cart's lease, and the buyer: the worker that has held the lease throughout knows them.
 */
export type Journal = Pick<LockedCart, 'effects' | 'holds'> & {
  readonly knownBuyer: Promise<Buyer> | null
  /** When the cart was due as it was locked: another time says that something made it due since. */
  readonly dueAt: Date | null
}

/**
 * Locks control (share), intent and carts, in that order, and compares the lease's token: after a lost lease nothing is written. `known`
 * is the journal as the same holder of the lease has committed it.
 */
export async function lockCart(
  ctx: ActingContext,
  row: ClaimedCart,
  known: Journal | null = null,
): Promise<LockedCart> {
  const { control, loaded, journal } = known
    ? { ...(await lockPurchase(ctx, row.intent_id)), journal: copyOf(known) }
    : await lockWithJournal(ctx, row)
  if (!loaded) throw new Error('a cart without its intent')
  const cart = expectHeld(
    // guard lease-of-a-cart: a worker that lost its lease on a cart writes nothing
    loaded.carts.filter(({ id, lease_token }) => id === row.id && lease_token === row.lease_token),
  )
  // guard news-during-a-call: what happens while the rail is asked is not missed
  const isWoken = known === null || known.dueAt?.getTime() !== cart.due_at?.getTime()
  return lockedCartOf(ctx, { loaded, control, cartId: row.id, isWoken }, journal)
}

/** A `LockedCart` from rows that are locked already; a cart that has just been made has no journal yet. */
export function lockedCartOf(
  ctx: ActingContext,
  locked: {
    loaded: LoadedIntent
    control: Freezes | null
    cartId: Id<'cart'>
    isWoken?: boolean
  },
  journal: Journal = { effects: [], holds: [], knownBuyer: null, dueAt: null },
): LockedCart {
  const { loaded, control, cartId, isWoken = false } = locked
  const { profile_id, agent_id } = loaded.intent
  // guard freeze-reaches-carts: a freeze reaches purchases that are running
  const frozen = control !== null && isFrozen(control, { profileId: profile_id, agentId: agent_id })
  return new LockedCart(ctx, { loaded, cartId, isFrozen: frozen, isWoken, ...journal })
}

/** A transaction that is run again begins with what was committed, not with the changes of its first run. */
function copyOf({ effects, holds, ...rest }: Journal): Journal {
  return { ...rest, effects: effects.map((row) => ({ ...row })), holds: holds.map((row) => ({ ...row })) }
}

async function lockWithJournal(ctx: ActingContext, { account_id, mode, id, intent_id }: ClaimedCart) {
  const { control, loaded, rows } = await purchaseFrom(async () =>
    lockCartWithJournal.read(
      await ctx.tx.rows(lockCartWithJournal({ account_id, mode, intent_id, cart_id: id })),
    ),
  )
  const { effects, holds } = rows
  return { control, loaded, journal: { effects, holds, knownBuyer: null, dueAt: null } }
}

/** Other carts of the intent run on while one of them waits for a person; the cart in question waits. */
function mayBuy(intent: LoadedIntent['intent'], cartId: string): boolean {
  switch (intent.status) {
    case 'approved':
    case 'queued':
    case 'awaiting_merchant_auth':
    case 'merchant_auth_failed':
      return true
    case 'awaiting_approval':
      // guard question-holds-its-cart: the cart whose price is in question waits for the answer
      return intent.reapproval !== null && intent.reapproval.cart_id !== cartId
    case 'succeeded':
    case 'failed':
    case 'cancelled':
    case 'declined':
      return false
    default:
      return intent.status satisfies never
  }
}
