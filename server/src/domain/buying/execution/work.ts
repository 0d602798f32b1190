import type { Mode } from '../../../contract/context.ts'
import type { Follower } from '../../../platform/events/follower.ts'
import type { WorkKind } from '../../../platform/work/work.ts'
import {
  type ClaimedCart,
  type ClaimedIntent,
  cartLeases,
  claimCarts,
  claimIntents,
  intentLeases,
  wakeCarts,
  wakeTenantCarts,
} from '../intents/writes.sql.ts'
import { timing } from '../rails/public.ts'
import { beginIntent } from './begin-intent.ts'
import { createChannels, type ExecutionDeps } from './channels.ts'
import { runCart } from './run-cart.ts'

/** A step that calls a slow party holds no connection: other steps run beside it, unless all of the slow ones belong to one account. */
const slow = { afterMs: 1000, places: 32 }
const slowPerAccount = 8

/** Purchase intents that may begin, each with a first cart; and approvals whose time is over, which end without any means. */
export function intentWork(deps: ExecutionDeps): WorkKind<ClaimedIntent> {
  const channels = createChannels(deps)
  const begins = modesOf(channels.served)
  const modes: Mode[] = ['test', 'live', ...begins]
  const ends_approval = modes.map((_, index) => index < modes.length - begins.length)
  return {
    kind: 'intents',
    leaseSeconds: timing.leaseSeconds,
    concurrency: 48,
    slow,
    slowPerAccount,
    serves: [{}, ...begins.map((mode) => ({ mode }))],
    claim: (turn) => claimIntents({ ...turn, modes, ends_approval }),
    ...intentLeases,
    step: (ctx, row) => beginIntent(ctx, row, channels),
  }
}

/** Carts, step by step. */
export function cartWork(deps: ExecutionDeps): WorkKind<ClaimedCart> {
  const channels = createChannels(deps)
  const serves = channels.served
  const means = {
    modes: serves.map(({ mode }) => mode),
    channels: serves.map(({ channel }) => channel),
    of_ours: channels.ofOurs,
  }
  return {
    kind: 'carts',
    leaseSeconds: timing.leaseSeconds,
    concurrency: 48,
    slow,
    slowPerAccount,
    serves,
    claim: (turn) => claimCarts({ ...turn, ...means }),
    ...cartLeases,
    step: (ctx, row) => runCart(ctx, row, channels),
  }
}

function modesOf(served: readonly { mode: Mode }[]): Mode[] {
  return [...new Set(served.map(({ mode }) => mode))]
}

/** When a merchant or a person decides about an order, its cart becomes due; and so it does at the end of a freeze. */
export const followDecisions: Follower = {
  name: 'execution',
  types: [
    'order.confirmed',
    'order.rejected',
    'order.expired',
    'order.cancelled',
    // A stranger often takes the money when it sends the goods, and the rail is asked whether it has.
    'order.shipped',
    // And gives it back when it says so.
    'order.refunded',
    'control.unfrozen',
  ],
  follow(tx, events) {
    const decided = events
      // A merchant of ours gives back through us, and its cart has nothing to do with that.
      .filter(({ type, recipientAccountId }) => type !== 'order.refunded' || recipientAccountId === null)
      .filter(({ type }) => type.startsWith('order.'))
      .flatMap(({ tenant, cartId }) => (cartId ? [{ tenant, id: cartId }] : []))
    if (decided.length > 0) {
      tx.write(
        wakeCarts({
          account_ids: decided.map(({ tenant }) => tenant.accountId),
          modes: decided.map(({ tenant }) => tenant.mode),
          ids: decided.map(({ id }) => id),
        }),
      )
    }
    for (const { tenant } of events.filter(({ type }) => type === 'control.unfrozen')) {
      tx.write(wakeTenantCarts({ account_id: tenant.accountId, mode: tenant.mode }))
    }
    tx.wake('carts')
  },
}
