import type { EffectRow } from '../../src/domain/buying/execution/journal.ts'
import { effectKey } from '../../src/domain/buying/execution/journal.ts'
import { type LockedCart, lockCart } from '../../src/domain/buying/execution/locked-cart.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import type { TestApp } from './app.ts'
import type { runningPurchase } from './hand-worker.ts'

type Running = Awaited<ReturnType<typeof runningPurchase>>

/** The first cart of a running purchase, locked as a worker locks it. What `work` leaves unflushed is not written. */
export function onLockedCart<T>(
  app: TestApp,
  purchase: Running,
  work: (locked: LockedCart) => Promise<T>,
  leaseToken = 0n,
): Promise<T> {
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'carts' } }, async (ctx) =>
    work(
      await lockCart(ctx, {
        account_id: tenant.accountId,
        mode: tenant.mode,
        id: purchase.carts[0] as `cart_${string}`, // the ids that the worker by hand has made
        intent_id: purchase.id as `pi_${string}`,
        lease_token: leaseToken,
        step_failures: 0,
      }),
    ),
  )
}

/** An effect of the cart's current attempt that was sent, for this amount. */
export function sentEffect(
  locked: LockedCart,
  step: EffectRow['step'],
  amount: bigint,
  more: Partial<EffectRow> = {},
): EffectRow {
  const { now } = locked.ctx
  const request: EffectRow['request'] = {
    amount: Number(amount),
    currency: 'EUR',
    merchant: locked.cart.merchant_domain,
    payment_method_id: null,
    expires_at: new Date(now.getTime() + 86_400_000).toISOString(),
    offer: null,
  }
  const attempt = more.attempt ?? locked.cart.attempt_number
  return {
    cart_id: locked.cartId,
    attempt,
    step,
    key: effectKey(locked.cartId, attempt, step),
    intent_id: locked.intent.id,
    request,
    state: 'sent',
    tries: 1,
    may_have_left: false,
    asked: 0,
    asked_at: null,
    heard: null,
    answer: null,
    sent_at: now,
    settled_at: null,
    not_before: now,
    put_off: null,
    number: 1,
    ...more,
  }
}

/** What the rail holds for the cart's current attempt. */
export function heldAmount(locked: LockedCart, amount: bigint): void {
  const { now } = locked.ctx
  locked.addHold({
    cart_id: locked.cartId,
    attempt: locked.cart.attempt_number,
    intent_id: locked.intent.id,
    kind: 'authorization',
    reference: 'held at the rail',
    amount,
    captured_amount: 0n,
    refunded_amount: 0n,
    capture_reference: null,
    currency: 'EUR',
    status: 'authorized',
    claimed_at: null,
    claimed_amount: null,
    vault_record: null,
    expires_at: new Date(now.getTime() + 86_400_000),
    created_at: now,
    updated_at: now,
  })
}
