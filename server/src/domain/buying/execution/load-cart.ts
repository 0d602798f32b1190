import type { ActingContext } from '../../../contract/context.ts'
import { withAmounts } from '../../../core/amounts-in-json.ts'
import type { Id } from '../../../core/id.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import { type Freezes, isFrozen } from '../../accounts/controls/public.ts'
import { type LoadedIntent, lockPurchase, purchaseFrom } from '../intents/public.ts'
import type { ClaimedCart } from '../intents/writes.sql.ts'
import { type CartState, type Means, untouched } from './cart-state.ts'
import { lockCartWithJournal } from './execution.sql.ts'

type Loaded = { readonly loaded: LoadedIntent; readonly state: CartState }

/**
 * Locks control (share), intent and carts, in that order, and compares the lease's token: after a lost lease nothing is written. `before`
 * is the cart as the same holder of the lease has committed it: nobody else writes its journal.
 */
export async function loadCart(
  ctx: ActingContext,
  row: ClaimedCart,
  means: Means,
  before: CartState | null = null,
): Promise<Loaded> {
  const { control, loaded, journal } = before
    ? { ...(await lockPurchase(ctx, row.intent_id)), journal: before }
    : await lockWithJournal(ctx, row)
  if (!loaded) throw new Error('a cart without its intent')
  const cart = expectHeld(
    // guard lease-of-a-cart: a worker that lost its lease on a cart writes nothing
    loaded.carts.filter(({ id, lease_token }) => id === row.id && lease_token === row.lease_token),
  )
  // guard news-during-a-call: what happens while the rail is asked is not missed
  const isWoken = before === null || before.cart.due_at?.getTime() !== cart.due_at?.getTime()
  const state = stateOf(ctx, { loaded, control, cartId: row.id, means })
  const { effects, holds, fundings } = journal
  return { loaded, state: { ...state, effects, holds, fundings, isWoken, known: keptFrom(before) } }
}

/** A cart of a purchase that is locked already; one that has just been made has no journal yet. */
export function stateOf(
  { now, tenant }: Pick<ActingContext, 'now' | 'tenant'>,
  {
    loaded: { intent, carts },
    control,
    cartId,
    means,
  }: { loaded: LoadedIntent; control: Freezes | null; cartId: Id<'cart'>; means: Means },
): CartState {
  const cart = carts.find(({ id }) => id === cartId)
  if (!cart) throw new Error('the cart is not among those of its intent')
  const named = { profileId: intent.profile_id, agentId: intent.agent_id }
  return {
    ...untouched,
    now,
    tenant,
    intent,
    cart,
    others: carts.filter((one) => one !== cart),
    effects: [],
    holds: [],
    fundings: [],
    // guard freeze-reaches-carts: a freeze reaches purchases that are running
    isFrozen: control !== null && isFrozen(control, named),
    isWoken: false,
    means,
    known: {},
  }
}

/** What one worker reads once for all its calls in a row. */
function keptFrom(before: CartState | null): CartState['known'] {
  const site = before?.known.site
  return site === undefined ? {} : { site }
}

async function lockWithJournal(ctx: ActingContext, { account_id, mode, id, intent_id }: ClaimedCart) {
  const { control, loaded, rows } = await purchaseFrom(async () =>
    lockCartWithJournal.read(
      await ctx.tx.rows(lockCartWithJournal({ account_id, mode, intent_id, cart_id: id })),
    ),
  )
  const effects = rows.effects.map((effect) => {
    const { request, answer } = effect
    return { ...effect, request: withAmounts(request), answer: withAmounts(answer) }
  })
  return { control, loaded, journal: { effects, holds: rows.holds, fundings: rows.fundings } }
}
