import type { ActingContext, CallContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import type { CartRow, Offer } from './cart.ts'
import { cartDifferences, insertCart, selectCarts, updateCartRow } from './carts.sql.ts'
import { areCartsRunning, inputAction } from './decide/input-action.ts'
import type { CartEventObject, cartEvents, intentEvents } from './events.ts'
import type { IntentRow, LoadedIntent, PurchaseIntent } from './intent.ts'
import { intentDifferences, selectIntent, updateIntentRow } from './intents.sql.ts'
import { cartMachine, intentMachine, isTerminalCart } from './machine.ts'
import { renderIntent } from './read/render-intent.ts'

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
  | 'pays_by_token'
  | 'promo_code'
  | 'created_at'
type DerivedOfIntent = 'actual_amount' | 'offer_summary' | 'search' | 'seq' | 'updated_at' | 'lease_token'
type FixedOfCart =
  | 'id'
  | 'intent_id'
  | 'position'
  | 'merchant_name'
  | 'merchant_domain'
  | 'merchant_account_id'
  | 'currency'
  | 'max_attempts'
  | 'created_at'
  | 'updated_at'
  | 'lease_token'

export type CartChanges = Partial<Omit<CartRow, FixedOfCart>>

/**
 * The changes that are made together. Columns that follow from others (actual amount, offer summary, sequence, times) are not among them.
 */
export type IntentChange = {
  readonly intent?: Partial<Omit<IntentRow, FixedOfIntent | DerivedOfIntent>>
  readonly carts?: readonly { readonly id: Id<'cart'>; readonly changes: CartChanges }[]
  readonly newCarts?: readonly CartRow[]
  /** In order. None: a change that only execution sees (a stage, a due time), without an event. */
  readonly events: readonly IntentEvent[]
}

/** Reads the intent and its carts in one round trip, without a lock. */
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
 * Changes a locked intent and its carts: replaces `loaded` in place, queues the writes, takes the next sequences, and emits every event
 * with the changed object. Returns that object.
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
  const before = loaded.carts
  loaded.carts = [...carts, ...(change.newCarts ?? [])]
  writeIntent(ctx, loaded, change)
  for (const [index, cart] of carts.entries()) {
    if (before[index] !== cart) writeCart(ctx, loaded, { before: before[index] ?? cart, cart })
  }
  for (const cart of change.newCarts ?? [])
    ctx.tx.write(insertCart({ ...cart, ...tenanted(ctx) }), newCartName(cart))
  const object = renderIntent(loaded.intent, loaded.carts, ctx.tenant)
  const first = loaded.intent.seq - change.events.length + 1
  for (const [index, { type, cartId }] of change.events.entries()) {
    const placed = { aggregateId: loaded.intent.id, sequence: first + index, ...(cartId ? { cartId } : {}) }
    if (isCartEvent(type)) ctx.tx.emit({ ...placed, type, object: withCartAlone(object, cartId) })
    else ctx.tx.emit({ ...placed, type, object })
  }
  return object
}

/** A cart that was made in this very transaction is inserted with all changes since. */
function writeCart(
  ctx: ActingContext,
  loaded: LoadedIntent,
  { before, cart }: { before: CartRow; cart: CartRow },
): void {
  const row = { ...cart, ...tenanted(ctx) }
  const changed = changedSoFar(loaded, cart.id, cartDifferences(before, cart))
  if (ctx.tx.isQueued(newCartName(cart))) ctx.tx.write(insertCart(row), newCartName(cart))
  else ctx.tx.write(updateCartRow(row, changed), cart.id)
}

/** A write replaces an earlier one of the same row that was not sent yet, so it has the columns of both. */
function changedSoFar(loaded: LoadedIntent, id: string, now: ReadonlySet<string>): ReadonlySet<string> {
  loaded.changed ??= new Map()
  const columns = new Set([...(loaded.changed.get(id) ?? []), ...now])
  loaded.changed.set(id, columns)
  return columns
}

function newCartName({ id }: CartRow): string {
  return `new ${id}`
}

/**
 * The intent's own row, as it follows from its carts. A row that is changed twice in a transaction is written once. A row without a
 * visible change is not written: execution keeps its own notes in the carts.
 */
function writeIntent(ctx: ActingContext, loaded: LoadedIntent, change: IntentChange): void {
  const isOwn = Object.keys(change.intent ?? {}).length > 0
  const newCarts = change.newCarts ?? []
  if (!isOwn && change.events.length === 0 && newCarts.length === 0) return
  const { intent: before, stored = before } = loaded
  const changedRow = { ...before, ...change.intent }
  loaded.intent = {
    ...changedRow,
    next_action: areCartsRunning(changedRow) ? inputAction(loaded.carts) : changedRow.next_action,
    actual_amount: chargedOf(loaded.carts),
    offer_summary: summaryOf(loaded.carts),
    search: foundBy(before.search, loaded.carts, newCarts),
    seq: before.seq + change.events.length,
    updated_at: ctx.now,
  }
  const changed = changedSoFar(loaded, before.id, intentDifferences(stored, loaded.intent))
  loaded.stored = loaded.intent
  ctx.tx.write(updateIntentRow({ ...loaded.intent, ...tenanted(ctx) }, changed), before.id)
}

/** The text by which a purchase is found, with new shops, and the order references of shops. */
function foundBy(before: string, carts: readonly CartRow[], newCarts: readonly CartRow[]): string {
  const said = [
    ...newCarts.map(({ merchant_name }) => merchant_name),
    ...carts.flatMap(({ order_id }) => order_id ?? []),
  ]
  return said.reduce((text, one) => {
    const word = one.toLowerCase()
    return text.includes(word) ? text : `${text} ${word}`
  }, before)
}

function tenanted({ tenant }: Pick<ActingContext, 'tenant'>) {
  return { account_id: tenant.accountId, mode: tenant.mode }
}

function isCartEvent(type: IntentEvent['type']): type is keyof typeof cartEvents {
  return type.startsWith('cart.')
}

function withCartAlone({ id, status, carts }: PurchaseIntent, cartId: string | undefined): CartEventObject {
  return { id, status, carts: carts.filter((cart) => cart.id === cartId) }
}

/** The state tables decide: a move that they do not have is a bug, and rolls back. */
function assertMove<S extends string>(
  id: string,
  from: S,
  to: S,
  table: Readonly<Record<S, Readonly<Record<string, string>>>>,
): void {
  const moves: string[] = Object.values(table[from])
  // guard states-are-law: no intent and no cart moves in a way that is not published
  if (from !== to && !moves.includes(to)) throw new Error(`${id} cannot go from ${from} to ${to}`)
}

/** Events of carts do not show the status of their purchase, so each of its moves needs an event of its own. */
function assertTold({ id, status }: IntentRow, { intent, events }: IntentChange): void {
  const to = intent?.status ?? status
  if (to === status || events.some(({ type }) => type.startsWith('purchase_intent.'))) return
  throw new Error(`${id} went from ${status} to ${to} and no event says so`)
}

/** The amount that was charged for the carts that succeeded, with shipping and tax. */
export function chargedOf(carts: readonly CartRow[]): bigint {
  return carts.reduce((sum, cart) => (cart.status === 'succeeded' ? sum + cart.actual_amount : sum), 0n)
}

/** The offers of the carts that were bought or can still be bought, as one offer. */
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
