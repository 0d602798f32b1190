import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { derivedId } from '../../../platform/ids/derived-id.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import { type Freezes, isFrozen } from '../../accounts/controls/public.ts'
import {
  changeIntent,
  decideWithAddress,
  divideCap,
  expireApproval,
  failureOf,
  type IntentItem,
  isTerminalCart,
  type LoadedCart,
  type LoadedIntent,
  lockPurchase,
  readSellers,
  type SoldItem,
  wakeMore,
} from '../intents/public.ts'
import { type ClaimedCart, type ClaimedIntent, restIntent } from '../intents/writes.sql.ts'
import { failCart } from './apply-offer.ts'
import type { Channels } from './channels.ts'
import { isHopeless } from './give-up.ts'
import { lockedCartOf } from './locked-cart.ts'
import { advance, type Committed, type Deps, resume } from './run-cart.ts'
import { after, pace } from './step.ts'

/**
 * Begins the execution of an intent that may run, or ends one whose approval did not arrive in time. The lease of an intent that begins
 * passes to the first cart that this process has the means for, and that cart's first turn is taken in the same transaction. The other
 * carts are left to the processes that have their means.
 */
export async function beginIntent(step: StepContext, row: ClaimedIntent, channels: Channels): Promise<void> {
  const deps = { channels, lease: step.lease }
  const begun = await beginOrEnd(step, row, deps)
  if (begun?.kind === 'begun') await resume(step, begun.cart, channels, begun.committed)
  // Not in the transaction that holds the intent: a transaction that holds one purchase waits for no other.
  if (begun?.kind === 'address_given') await step.transaction(async (ctx) => wakeMore(ctx, begun.profileId))
}

async function beginOrEnd(step: StepContext, row: ClaimedIntent, deps: Deps): Promise<Begun | null> {
  try {
    return await step.transaction((ctx) => begin(ctx, row, deps), row.id)
  } catch (error) {
    if (!isHopeless(row, error)) throw error
    // Nothing was held or ordered: what fails is the first thing that is done for the intent.
    const ended = await step.transaction((ctx) => begin(ctx, row, { ...deps, isGivenUp: true }))
    step.log.error(
      { err: error, failures: row.step_failures + 1 },
      'intent: it cannot be begun and has ended',
    )
    return ended
  }
}

type Begun =
  | { kind: 'begun'; cart: ClaimedCart; committed: Committed }
  | { kind: 'address_given'; profileId: string }

/** `isGivenUp`: each of its carts fails as soon as it is made. */
async function begin(
  ctx: ActingContext,
  row: ClaimedIntent,
  deps: Deps & { isGivenUp?: boolean },
): Promise<Begun | null> {
  const tenanted = { account_id: row.account_id, mode: row.mode }
  const { control, loaded } = await lockPurchase(ctx, row.id)
  if (!loaded) throw new Error('a claimed intent that does not exist')
  const intent = expectHeld([loaded.intent].filter(({ lease_token }) => lease_token === row.lease_token))
  switch (intent.status) {
    case 'awaiting_approval':
      if ((await expireApproval(ctx, loaded)) !== null) return null
      return intent.ship_to === 'awaited'
        ? await lookForAddress(ctx, row, { loaded, control })
        : rest(ctx, row, intent.approval_expires_at)
    case 'approved':
    case 'queued': {
      if (loaded.carts.length > 0) return runCarts(ctx, loaded)
      const cart = await makeCarts(ctx, loaded, deps)
      if (deps.isGivenUp) {
        await failCarts(ctx, { loaded, control, carts: [...loaded.carts], code: 'merchant_unavailable' })
        return null
      }
      const unreachable = loaded.carts.filter((one) => !deps.channels.canEverBuy(ctx.tenant.mode, one))
      await failCarts(ctx, { loaded, control, carts: unreachable, code: 'merchant_unsupported' })
      if (cart === null) return null
      const locked = lockedCartOf(ctx, { loaded, control, cartId: cart.id })
      return {
        kind: 'begun',
        cart: { ...tenanted, ...cart, step_failures: 0 },
        committed: await advance(locked, null, deps),
      }
    }
    case 'awaiting_merchant_auth':
    case 'merchant_auth_failed':
    case 'succeeded':
    case 'failed':
    case 'cancelled':
    case 'declined':
      return rest(ctx, row, null)
    default:
      return intent.status satisfies never
  }
}

/** Waits on while there is no address, or while a freeze would make the decision useless. */
async function lookForAddress(
  ctx: ActingContext,
  row: ClaimedIntent,
  { loaded, control }: { loaded: LoadedIntent; control: Freezes | null },
): Promise<Begun | null> {
  const { profile_id: profileId, agent_id: agentId, approval_expires_at: expiresAt } = loaded.intent
  if (control && isFrozen(control, { profileId, agentId })) {
    const sweepAt = after(ctx.now, pace.sweepSeconds)
    return rest(ctx, row, expiresAt !== null && expiresAt < sweepAt ? expiresAt : sweepAt)
  }
  if (await decideWithAddress(ctx, loaded)) return { kind: 'address_given', profileId }
  return rest(ctx, row, expiresAt)
}

type Group = {
  key: string
  name: string
  domain: string
  merchantAccountId: Id<'acct'> | null
  items: IntentItem[]
}

/**
 * Makes one cart per merchant, each with its share of the cap. The first cart that this process has the means for gets the intent's
 * lease; null when it has them for none. Carts that nobody can ever buy are made too, so that they can be reported.
 */
async function makeCarts(ctx: ActingContext, loaded: LoadedIntent, deps: Deps): Promise<LoadedCart | null> {
  const { intent } = loaded
  const sold = await readSellers(ctx, intent.items)
  const groups = groupByMerchant(sold)
  // A price that was quoted for several units need not be a multiple of any unit's price.
  const expected = intent.items[0]?.quote_id
    ? [intent.expected_amount]
    : groups.map(({ items }) => sumOf(items))
  const shares = divideCap(
    {
      cap: intent.max_allowed_amount,
      expected: intent.expected_amount,
      feeAllowance: intent.fee_allowance,
      taxAllowance: intent.tax_allowance,
      toleranceBasisPoints: intent.tolerance_basis_points,
    },
    expected,
  )
  const carts = groups.map((group, position): LoadedCart => {
    const share = shares[position]
    if (!share) throw new Error('a cart without its share of the cap')
    return newCart(ctx, intent, { group, position, share, expected: expected[position] ?? 0n })
  })
  if (carts.length === 0) throw new Error('an intent without items')
  const first = carts.find((cart) => deps.channels.meansFor(ctx.tenant, cart) !== null) ?? null
  if (first) Object.assign(first, { lease_until: intent.lease_until, lease_token: 1n })
  changeIntent(ctx, loaded, {
    intent: { started_at: ctx.now, due_at: null, lease_until: null, items: sold.map(({ item }) => item) },
    newCarts: carts,
    events: [
      { type: 'purchase_intent.started' },
      ...carts.map(({ id }) => ({ type: 'cart.created' as const, cartId: id })),
    ],
  })
  if (carts.length > 1 || first === null) ctx.tx.wake('carts')
  return first
}

type Failing = {
  loaded: LoadedIntent
  control: Freezes | null
  carts: readonly LoadedCart[]
  code: 'merchant_unsupported' | 'merchant_unavailable'
}

/** A cart that the product has no way of buying fails as soon as it is made, whichever process makes it. */
async function failCarts(ctx: ActingContext, { loaded, control, carts, code }: Failing): Promise<void> {
  for (const { id } of carts) {
    const locked = lockedCartOf(ctx, { loaded, control, cartId: id })
    failCart(locked, failureOf(code))
    await locked.rest(null)
  }
}

/** A retry: the carts exist, and those that may run and wait for nothing are due. */
function runCarts(ctx: ActingContext, loaded: LoadedIntent): null {
  const idle = loaded.carts.filter(
    (cart) => !isTerminalCart(cart.status) && cart.due_at === null && cart.lease_until === null,
  )
  changeIntent(ctx, loaded, {
    intent: { started_at: loaded.intent.started_at ?? ctx.now, due_at: null, lease_until: null },
    carts: idle.map(({ id }) => ({ id, changes: { due_at: ctx.now } })),
    events: [],
  })
  ctx.tx.wake('carts')
  return null
}

/**
 * If the purchase was made with a merchant of ours, the group is that merchant's. Otherwise test mode buys from the sandbox by
 * registrable domain, and live mode finds no way yet. Where a merchant of ours sells today what no merchant of ours sold when the
 * purchase was made, the cart belongs to that merchant and fails before anything is asked of it.
 */
function groupByMerchant(sold: readonly SoldItem<IntentItem>[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { item, now } of sold) {
    const merchantAccountId = (item.merchant?.account_id ?? now?.account_id ?? null) as Id<'acct'> | null // a merchant row's own
    const domain = item.merchant?.domain ?? item.domain
    const key = merchantAccountId ?? domain
    const group = groups.get(key)
    if (group) group.items.push(item)
    else {
      const name = now?.account_id === merchantAccountId ? now?.name : null
      groups.set(key, { key, name: name ?? domain, domain, merchantAccountId, items: [item] })
    }
  }
  return [...groups.values()]
}

type CartTerms = {
  group: Group
  position: number
  share: ReturnType<typeof divideCap>[number]
  expected: bigint
}

function newCart(
  ctx: ActingContext,
  intent: LoadedIntent['intent'],
  { group, position, share, expected }: CartTerms,
): LoadedCart {
  return {
    // Derived, not new: a database that was restored from a backup asks the rail under the keys that the rail knows already.
    id: derivedId(intent.id_scheme, 'cart', intent.id, position),
    id_scheme: intent.id_scheme,
    intent_id: intent.id,
    position,
    merchant_name: group.name,
    merchant_domain: group.domain,
    merchant_account_id: group.merchantAccountId,
    channel: group.merchantAccountId ? 'native' : ctx.tenant.mode === 'test' ? 'simulated' : 'browser',
    items: group.items.map(({ id, url, quantity, unit_amount }) => ({
      id,
      url,
      quantity,
      expected_amount: unit_amount,
      unit_amount: null,
      title: null,
    })),
    status: 'created',
    stage: null,
    attempt_number: 1,
    attempt_id: ctx.newId('att'),
    max_attempts: 3,
    currency: intent.currency,
    expected_amount: expected,
    max_allowed_amount: share.maxAllowed,
    actual_amount: 0n,
    fee_allowance: share.feeAllowance,
    tax_allowance: share.taxAllowance,
    tolerance_basis_points: intent.tolerance_basis_points,
    offer: null,
    order_row_id: null,
    order_id: null,
    transaction_id: null,
    failure: null,
    outcome_known: true,
    past_no_return: false,
    attempts_data: [],
    due_at: ctx.now,
    lease_until: null,
    lease_token: 0n,
    started_at: null,
    completed_at: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
}

function sumOf(items: readonly IntentItem[]): bigint {
  return items.reduce((sum, item) => sum + BigInt(item.unit_amount) * BigInt(item.quantity), 0n)
}

function rest(ctx: ActingContext, row: ClaimedIntent, dueAt: Date | null): null {
  ctx.tx.write(restIntent({ account_id: row.account_id, mode: row.mode, id: row.id, due_at: dueAt }))
  return null
}
