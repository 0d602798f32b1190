import type { CartState, Means } from '../../src/domain/buying/execution/cart-state.ts'
import { CartWriter } from '../../src/domain/buying/execution/commit-turn.ts'
import { loadCart } from '../../src/domain/buying/execution/load-cart.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import type { TestApp } from './app.ts'
import type { runningPurchase } from './hand-worker.ts'

type Running = Awaited<ReturnType<typeof runningPurchase>>

const means: Means = {
  ways: {
    simulated: {
      kind: 'outbound',
      payment: 'credential',
      hasStrangers: false,
      form: null,
      longestCallMs: 8_000,
    },
  },
  handedOver: null,
  offered: ['native', 'simulated'],
  rail: 'sandbox',
  rails: ['sandbox'],
  asksByCall: [],
  prefunded: [],
  cardless: [],
  wallets: {},
  leaseMs: 30_000,
}

/**
 * Changes the first cart of a running purchase as a worker does: locked, and everything that has changed is written. `fails`: the transaction
 * ends with an error, and nothing is.
 */
export function onHeldCart(
  app: TestApp,
  purchase: Running,
  change: (state: CartState) => CartState,
  { leaseToken = 0n, fails = false }: { leaseToken?: bigint; fails?: boolean } = {},
): Promise<CartState> {
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'carts' } }, async (ctx) => {
    const row = {
      account_id: tenant.accountId,
      mode: tenant.mode,
      id: purchase.carts[0] as `cart_${string}`, // the ids that the worker by hand has made
      intent_id: purchase.id as `pi_${string}`,
      lease_token: leaseToken,
      step_failures: 0,
    }
    const { loaded, state } = await loadCart(ctx, row, means)
    const changed = change(state)
    await new CartWriter(ctx, loaded, state).write(changed)
    if (fails) throw new Error('this step fails')
    return changed
  })
}
