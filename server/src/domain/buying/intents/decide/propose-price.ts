import type { ActingContext } from '../../../../contract/context.ts'
import { amountMax, min, toWire } from '../../../../core/money.ts'
import { ok, type Result, refused } from '../../../../core/result.ts'
import { decidePurchase, readApplicablePolicies } from '../../../policies/public.ts'
import { changeIntent } from '../change-intent.ts'
import { type Repriced, reprice } from '../create/cap.ts'
import { type FailureReason, failureOf } from '../failure.ts'
import type { LoadedCart, LoadedIntent, PurchaseIntent } from '../intent.ts'
import { purchaseOf } from '../read/purchase-facts.ts'

type PriceQuestion = {
  readonly cartId: string
  /** The new price of one unit, for every item whose price changed. */
  readonly units: readonly { itemId: string; unitAmount: bigint }[]
  /** The merchant's total at these prices. */
  readonly total: bigint
}

/**
 * Asks a person about a price beyond the tolerance: the intent returns to awaiting approval, with the new cap, and the cart waits.
 * Refused: the cart has to fail for this reason. The caller has checked that the intent is `approved` or `queued`.
 */
export async function proposePrice(
  ctx: ActingContext,
  loaded: LoadedIntent,
  question: PriceQuestion,
): Promise<Result<PurchaseIntent, FailureReason>> {
  const { intent } = loaded
  const cart = loaded.carts.find(({ id }) => id === question.cartId)
  if (!cart) throw new Error(`the loaded intent has no cart ${question.cartId}`)
  if (intent.on_price_exceed === 'fail') return refused(failureOf('price_changed'))
  const unitOf = new Map(question.units.map(({ itemId, unitAmount }) => [itemId, unitAmount]))
  const newExpected = cart.items.reduce(
    (sum, item) => sum + (unitOf.get(item.id) ?? BigInt(item.expected_amount)) * BigInt(item.quantity),
    0n,
  )
  // What rose is the price of none of the items, and the same terms are not asked about again.
  if (newExpected <= cart.expected_amount) return refused(failureOf('price_changed'))
  const policies = await readApplicablePolicies(ctx.tx, ctx.tenant, {
    profileId: intent.profile_id,
    agentId: intent.agent_id,
    policyId: intent.policy_id,
    paymentMethodId: intent.payment_method_id,
  })
  const ceiling = min(amountMax, ...(intent.caller_max_amount === null ? [] : [intent.caller_max_amount]))
  const intentExpected = intent.expected_amount - cart.expected_amount + newExpected
  if (intentExpected > ceiling) return refused(failureOf('max_amount_exceeded'))
  // The intent's reservation is exchanged, not added to, so the room left in the windows is checked at the approval.
  const verdict = decidePurchase({
    policies: policies.map((policy) => ({
      ...policy,
      terms: withoutWindows(policy.terms, policy.currency === intent.currency),
    })),
    purchase: purchaseOf(intent, { expected: intentExpected, cap: ceiling }),
    occasion: 'approve',
    tolerancePercent: intent.tolerance_basis_points / 100,
    stepUp: true,
    now: ctx.now,
  })
  if (verdict.result === 'deny') return refused(failureOf('policy_denied'))
  const others = loaded.carts.filter((other) => other.id !== cart.id && other.status !== 'cancelled')
  const priced = reprice({
    intent: { expected: intent.expected_amount, tax: intent.tax_allowance, most: verdict.cap },
    cart: {
      expected: cart.expected_amount,
      tax: cart.tax_allowance,
      fee: cart.fee_allowance,
      toleranceBasisPoints: cart.tolerance_basis_points,
    },
    otherCaps: others.reduce((sum, other) => sum + other.max_allowed_amount, 0n),
    newExpected,
  })
  if (!priced || priced.cartCap < question.total) return refused(failureOf('max_amount_exceeded'))
  const expiresAt = new Date(ctx.now.getTime() + verdict.approvalExpiresMinutes * 60_000)
  const units = cart.items.map((item) => ({
    id: item.id,
    unit_amount: toWire(unitOf.get(item.id) ?? BigInt(item.expected_amount)),
  }))
  return ok(askAgain(ctx, loaded, { cartId: cart.id, units, priced, expiresAt }))
}

type NewPrice = {
  readonly cartId: LoadedCart['id']
  readonly units: readonly { id: string; unit_amount: number }[]
  readonly priced: Repriced
  readonly expiresAt: Date
}

/** Asks a person about the price: writes the question, and the amounts of the cart and the intent after an approval. */
function askAgain(
  ctx: ActingContext,
  loaded: LoadedIntent,
  { cartId, units, priced, expiresAt }: NewPrice,
): PurchaseIntent {
  return changeIntent(ctx, loaded, {
    intent: {
      status: 'awaiting_approval',
      approval_required: true,
      approval_expires_at: expiresAt,
      due_at: expiresAt,
      reapproval: {
        cart_id: cartId,
        units: units.map(({ id, unit_amount }) => ({ item_id: id, unit_amount })),
        cart_expected_amount: toWire(priced.cartExpected),
        cart_max_allowed_amount: toWire(priced.cartCap),
        cart_tax_allowance: toWire(priced.cartTax),
        expected_amount: toWire(priced.intentExpected),
        max_allowed_amount: toWire(priced.intentCap),
        tax_allowance: toWire(priced.intentTax),
      },
      next_action: {
        type: 'reapprove_price',
        cart_id: cartId,
        proposal: {
          items: [...units],
          expected_amount: toWire(priced.intentExpected),
          max_allowed_amount: toWire(priced.intentCap),
        },
        element: null,
        expires_at: expiresAt.toISOString(),
      },
    },
    carts: [{ id: cartId, changes: { due_at: null, lease_until: null } }],
    events: [{ type: 'purchase_intent.reapproval_required', cartId }],
  })
}

type Terms = Parameters<typeof decidePurchase>[0]['policies'][number]['terms']

/**
 * Amounts in another currency stay: a policy that has any denies the purchase, and a person is not asked for an approval that cannot be
 * given.
 */
function withoutWindows(terms: Terms, isSameCurrency: boolean): Terms {
  const intervals = isSameCurrency ? [] : terms.limits.intervals.map((one) => ({ ...one, max_count: null }))
  return { ...terms, limits: { ...terms.limits, intervals, max_intents_per_day: null } }
}
