import type { Tenant } from '../../../../contract/context.ts'
import { amountMax, min } from '../../../../core/money.ts'
import type { PayingMethod, VerificationNeeded } from '../../../buyers/payment-methods/public.ts'
import type { AccountSettings, PolicyVerdict } from '../../../policies/public.ts'
import { shippingAddress } from '../decide/input-field.ts'
import type { NextAction } from '../decide/next-action.ts'
import type { Fulfillment, IntentItem, IntentRow } from '../intent.ts'
import { firstStatus, type IntentStatus } from '../machine.ts'
import { sellerOf, sellerOfUrl } from '../read/purchase-facts.ts'
import { feeAllowanceOf, fullCap, taxAllowanceOf } from './cap.ts'
import type { CreateFacts } from './create-facts.ts'
import type { RequestedPurchase } from './create-request.ts'
import type { Quoted } from './quoted-terms.ts'

/** The hosted component that adds or picks a card, asks for its code, and runs its step-up. */
const paymentElement = 'AddOrSelectPaymentMethod'

/** What keeps a purchase from being bought unattended, besides policies. */
export type Attention =
  | { readonly kind: 'none' }
  | { readonly kind: 'no_address' }
  | { readonly kind: 'no_method' }
  | { readonly kind: 'step_up'; readonly method: VerificationNeeded['method'] }
  | { readonly kind: 'no_live_payments' }

export function attentionOf(facts: {
  method: PayingMethod | null
  stepUp: 'none' | VerificationNeeded['method']
  tenant: Tenant
  livePayments: boolean
  shipTo: IntentRow['ship_to']
}): Attention {
  // Before anything else: nobody can approve a purchase that has no address to go to.
  // guard nothing-to-nobody: nothing that is shipped is bought without an address
  if (facts.shipTo === 'awaited') return { kind: 'no_address' }
  if (!facts.method) return { kind: 'no_method' }
  if (facts.tenant.mode === 'live' && !facts.livePayments) return { kind: 'no_live_payments' }
  return facts.stepUp === 'none' ? { kind: 'none' } : { kind: 'step_up', method: facts.stepUp }
}

/** The items as they are stored, each with the merchant that sells it. */
export function itemsOf(
  requested: RequestedPurchase,
  facts: Pick<CreateFacts, 'merchants' | 'siteHosts'> & { tenant: Tenant; newId: () => IntentItem['id'] },
): IntentItem[] {
  return requested.items.map((item) => ({
    id: facts.newId(),
    ...item,
    ...(requested.quoted ? soldBy(item.url, requested.quoted) : sellerOfUrl(item.url, facts)),
  }))
}

/** The merchant that quoted the price sells the item, whatever the URL. */
function soldBy(url: string, { merchant }: Quoted) {
  return { ...sellerOf(url, merchant), merchant_account_id: merchant.account_id }
}

export type Allowances = { readonly fee: bigint; readonly tax: bigint }

export function allowancesOf(
  requested: RequestedPurchase,
  fulfillment: Fulfillment,
  settings: AccountSettings,
): Allowances {
  // The offer is the complete total.
  if (requested.quoted) return { fee: 0n, tax: 0n }
  return {
    fee: feeAllowanceOf(requested.expected, requested.currency, fulfillment.max_fee_amount, settings),
    tax: taxAllowanceOf(requested.expected, settings),
  }
}

/**
 * The cap that a verdict leaves: the sum of the request's allowances, lowered by the policies. Null: it is above the largest possible
 * amount.
 */
export function capOf(
  terms: { expected: bigint; callerMax: bigint | null; tax: bigint },
  verdict: Pick<PolicyVerdict, 'cap' | 'feeAllowance' | 'tolerancePercent'>,
): bigint | null {
  const full = fullCap({
    expected: terms.expected,
    feeAllowance: verdict.feeAllowance,
    taxAllowance: terms.tax,
    toleranceBasisPoints: basisPoints(verdict.tolerancePercent),
  })
  // guard callers-maximum: the maximum that the caller named holds
  const own = terms.callerMax === null ? full : min(full, terms.callerMax)
  // guard policies-lower-the-cap: the cap of an intent is at most what its policies leave
  return own > amountMax ? null : min(own, verdict.cap)
}

type FirstStep = {
  readonly status: Extract<IntentStatus, 'declined' | 'awaiting_approval' | 'queued'>
  readonly nextAction: NextAction | null
  readonly approvalExpiresAt: Date | null
}

/** The first status of a new intent, and what it waits for. */
export function decideCreate(
  verdict: Pick<PolicyVerdict, 'result' | 'approvalExpiresMinutes'>,
  attention: Attention,
  facts: { now: Date; policiesAllow: boolean },
): FirstStep {
  if (verdict.result === 'deny')
    return { status: firstStatus.denied, nextAction: null, approvalExpiresAt: null }
  if (verdict.result === 'allow' && attention.kind === 'none') {
    return { status: firstStatus.allowed, nextAction: null, approvalExpiresAt: null }
  }
  const approvalExpiresAt = new Date(facts.now.getTime() + verdict.approvalExpiresMinutes * 60_000)
  const common = { element: paymentElement, expires_at: approvalExpiresAt.toISOString() }
  return {
    status: firstStatus.approval_needed,
    nextAction: actionOf(attention, facts.policiesAllow, common),
    approvalExpiresAt,
  }
}

function actionOf(
  attention: Attention,
  policiesAllow: boolean,
  common: Pick<NextAction, 'element' | 'expires_at'>,
): NextAction {
  if (attention.kind === 'no_address') {
    return { type: 'provide_input', fields: [shippingAddress], ...common, element: null }
  }
  if (attention.kind === 'no_method') return { type: 'select_payment_method', ...common }
  if (attention.kind === 'step_up' && policiesAllow)
    return { type: 'verify_payment', method: attention.method, ...common }
  return { type: 'approve', ...common }
}

export function basisPoints(percent: number): number {
  return Math.round(percent * 100)
}
