import type { ActingContext, CallContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import type { CartRow, Offer } from './cart.ts'
import { insertCart, lockCarts, selectCarts, updateCartRow } from './carts.sql.ts'
import type { CartEventObject, cartEvents, intentEvents } from './events.ts'
import type { IntentRow, LoadedIntent, PurchaseIntent } from './intent.ts'
import {
  type LockedIntentRow,
  lockIntent,
  progressIntentRow,
  selectIntent,
  updateIntentRow,
} from './intents.sql.ts'
import { cartMachine, intentMachine, isTerminalCart } from './machine.ts'
import { renderIntent } from './render-intent.ts'
import { cartWriteOf, intentWriteOf } from './write-rows.ts'

export type IntentEvent =
  | { readonly type: keyof typeof intentEvents; readonly cartId?: Id<'cart'> }
  | { readonly type: keyof typeof cartEvents; readonly cartId: Id<'cart'> }

type FixedOfIntent =
  | 'id'
  | 'profile_id'
  | 'api_key_id'
  | 'agent_id'
  | 'policy_id'
  | 'currency'
  | 'caller_max_amount'
  | 'reference_id'
  | 'metadata'
  | 'idempotency_key'
  | 'actor_type'
  | 'actor_id'
  | 'merchants'
  | 'id_scheme'
  | 'created_at'
type DerivedOfIntent = 'actual_amount' | 'offer_summary' | 'search' | 'seq' | 'updated_at' | 'lease_token'
type FixedOfCart =
  | 'id'
  | 'intent_id'
  | 'position'
  | 'merchant_name'
  | 'merchant_domain'
  | 'merchant_account_id'
  | 'channel'
  | 'currency'
  | 'max_attempts'
  | 'created_at'
  | 'updated_at'
  | 'lease_token'

export type CartChanges = Partial<Omit<CartRow, FixedOfCart>>

/** What changes at once. Columns that follow from others (actual amount, offer summary, sequence, times) are not written here. */
export type IntentChange = {
  readonly intent?: Partial<Omit<IntentRow, FixedOfIntent | DerivedOfIntent>>
  readonly carts?: readonly { readonly id: Id<'cart'>; readonly changes: CartChanges }[]
  readonly newCarts?: readonly CartRow[]
  /** In order. None: a change that only execution sees (a stage, a due time), without an event. */
  readonly events: readonly IntentEvent[]
}

/** Locks an intent and its carts, in that order and in one round trip. Null: there is none in this account and mode. */
export async function lockIntentWithCarts(
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  intentId: string,
): Promise<(LoadedIntent & { intent: LockedIntentRow }) | null> {
  const { accountId: account_id, mode } = ctx.tenant
  const [intent, carts] = await Promise.all([
    ctx.tx.maybe(lockIntent({ account_id, mode, id: intentId })),
    ctx.tx.rows(lockCarts({ account_id, mode, intent_id: intentId })),
  ])
  return intent ? { intent, carts } : null
}

/** The intent and its carts as of now, in one round trip and without a lock. */
export async function readIntentWithCarts(
  ctx: Pick<CallContext, 'tenant' | 'reads'>,
  intentId: string,
): Promise<LoadedIntent | null> {
  const { accountId: account_id, mode } = ctx.tenant
  const [intent, carts] = await Promise.all([
    ctx.reads.maybe(selectIntent({ account_id, mode, id: intentId })),
    ctx.reads.rows(selectCarts({ account_id, mode, intent_id: intentId })),
  ])
  return intent ? { intent, carts } : null
}

/**
 * Changes a locked intent and its carts: replaces `loaded` in place, queues the writes, takes the next sequences and emits every
 * event with the object as it now is. Returns that object.
 */
export function changeIntent(ctx: ActingContext, loaded: LoadedIntent, change: IntentChange): PurchaseIntent {
  const changes = new Map(change.carts?.map((cart) => [cart.id, cart.changes]))
  const carts = loaded.carts.map((cart) => {
    const one = changes.get(cart.id)
    if (!one) return cart
    assertMove(cart.id, cart.status, one.status ?? cart.status, cartMachine)
    return { ...cart, ...one, updated_at: ctx.now }
  })
  const unknown = change.carts?.find(({ id }) => !loaded.carts.some((cart) => cart.id === id))
  if (unknown) throw new Error(`the loaded intent has no cart ${unknown.id}`)
  assertMove(
    loaded.intent.id,
    loaded.intent.status,
    change.intent?.status ?? loaded.intent.status,
    intentMachine,
  )
  assertTold(loaded.intent, change)
  loaded.carts = [...carts, ...(change.newCarts ?? [])]
  writeIntent(ctx, loaded, change)
  for (const cart of loaded.carts) {
    if (changes.has(cart.id)) writeCart(ctx, cart)
  }
  for (const cart of change.newCarts ?? [])
    ctx.tx.write(insertCart(cartWriteOf(cart, ctx.tenant)), newCartName(cart))
  const object = renderIntent(loaded.intent, loaded.carts, ctx.tenant)
  const first = loaded.intent.seq - change.events.length + 1
  for (const [index, { type, cartId }] of change.events.entries()) {
    const placed = { aggregateId: loaded.intent.id, sequence: first + index, ...(cartId ? { cartId } : {}) }
    if (isCartEvent(type)) ctx.tx.emit({ ...placed, type, object: withCartAlone(object, cartId) })
    else ctx.tx.emit({ ...placed, type, object })
  }
  return object
}

/** A cart that was made in this very transaction is inserted as it has become since. */
function writeCart(ctx: ActingContext, cart: CartRow): void {
  const row = cartWriteOf(cart, ctx.tenant)
  if (ctx.tx.isQueued(newCartName(cart))) ctx.tx.write(insertCart(row), newCartName(cart))
  else ctx.tx.write(updateCartRow(row), cart.id)
}

function newCartName({ id }: CartRow): string {
  return `new ${id}`
}

/**
 * The intent's own row, as it follows from its carts. A row that is changed twice in a transaction is written once, and one of which
 * nothing shows that was not there before is not written: execution's own notes stand in its carts.
 */
function writeIntent(ctx: ActingContext, loaded: LoadedIntent, change: IntentChange): void {
  const isOwn = Object.keys(change.intent ?? {}).length > 0
  const newCarts = change.newCarts ?? []
  if (!isOwn && change.events.length === 0 && newCarts.length === 0) return
  loaded.intent = {
    ...loaded.intent,
    ...change.intent,
    actual_amount: chargedOf(loaded.carts),
    offer_summary: summaryOf(loaded.carts),
    search: [loaded.intent.search, ...newCarts.map((cart) => cart.merchant_name.toLowerCase())].join(' '),
    seq: loaded.intent.seq + change.events.length,
    updated_at: ctx.now,
  }
  loaded.hasOwnChanges ||= isOwn
  const update = loaded.hasOwnChanges ? updateIntentRow : progressIntentRow
  ctx.tx.write(update(intentWriteOf(loaded.intent, ctx.tenant)), loaded.intent.id)
}

function isCartEvent(type: IntentEvent['type']): type is keyof typeof cartEvents {
  return type.startsWith('cart.')
}

function withCartAlone({ id, status, carts }: PurchaseIntent, cartId: string | undefined): CartEventObject {
  return { id, status, carts: carts.filter((cart) => cart.id === cartId) }
}

/** The state tables are the law: a move that they do not know is a bug, and rolls back. */
function assertMove<S extends string>(
  id: string,
  from: S,
  to: S,
  table: Readonly<Record<S, Readonly<Record<string, string>>>>,
): void {
  const moves: string[] = Object.values(table[from])
  if (from !== to && !moves.includes(to)) throw new Error(`${id} cannot go from ${from} to ${to}`)
}

/** Events of carts do not show their purchase: whoever follows the events hears of its moves only by events of its own. */
function assertTold({ id, status }: IntentRow, { intent, events }: IntentChange): void {
  const to = intent?.status ?? status
  if (to === status || events.some(({ type }) => type.startsWith('purchase_intent.'))) return
  throw new Error(`${id} went from ${status} to ${to} and no event says so`)
}

/** What the carts that succeeded were charged, with shipping and tax. */
export function chargedOf(carts: readonly CartRow[]): bigint {
  return carts.reduce((sum, cart) => (cart.status === 'succeeded' ? sum + cart.actual_amount : sum), 0n)
}

/** The offers of the carts that were bought or still can be, as one. */
function summaryOf(carts: readonly CartRow[]): Offer | null {
  const counted = carts.filter((cart) => cart.status === 'succeeded' || !isTerminalCart(cart.status))
  const offers = (counted.length > 0 ? counted : carts).flatMap((cart) => (cart.offer ? [cart.offer] : []))
  if (offers.length === 0) return null
  return offers.reduce((sum, offer) => ({
    subtotal: sum.subtotal + offer.subtotal,
    fulfillment: sum.fulfillment + offer.fulfillment,
    tax: sum.tax + offer.tax,
    discount: sum.discount + offer.discount,
    total: sum.total + offer.total,
    as_of: sum.as_of > offer.as_of ? sum.as_of : offer.as_of,
  }))
}
