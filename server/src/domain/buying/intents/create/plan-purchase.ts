import type { CallContext } from '../../../../contract/context.ts'
import { amountMax, min } from '../../../../core/money.ts'
import { stepUpOf } from '../../../buyers/payment-methods/public.ts'
import { type DecisionInput, decidePurchase, type PolicyVerdict } from '../../../policies/public.ts'
import { type Fulfillment, type IntentItem, shipToOf } from '../intent.ts'
import { purchaseOf } from '../read/purchase-facts.ts'
import type { CreateFacts } from './create-facts.ts'
import {
  type PurchaseIntentCreate,
  type RequestedPurchase,
  readFulfillment,
  tooMuch,
} from './create-request.ts'
import {
  type Allowances,
  type Attention,
  allowancesOf,
  attentionOf,
  capOf,
  itemsOf,
} from './decide-create.ts'
import { exactTerms } from './quoted.ts'
import type { Quoted } from './quoted-terms.ts'

/** A purchase as it would be made now: its terms, and the policies' verdict on them before any lock. */
export type PurchasePlan = {
  readonly currency: string
  readonly expected: bigint
  readonly callerMax: bigint | null
  readonly items: IntentItem[]
  readonly quoted: Quoted | null
  readonly fulfillment: Fulfillment
  readonly allowances: Allowances
  readonly attention: Attention
  readonly decision: Omit<DecisionInput, 'stepUp'>
  readonly verdict: PolicyVerdict
  /** Whether the policies alone would let it be bought unattended. */
  readonly policiesAllow: boolean
  readonly cap: bigint
}

export function planPurchase(
  ctx: CallContext,
  asked: { body: PurchaseIntentCreate; requested: RequestedPurchase },
  facts: CreateFacts,
): PurchasePlan {
  const { body, requested } = asked
  const { currency, expected } = requested
  const fulfillment = readFulfillment(body, facts.profile)
  const allowances = allowancesOf(requested, fulfillment, facts.settings)
  const items = itemsOf(requested, {
    merchants: facts.merchants,
    siteHosts: facts.siteHosts,
    tenant: ctx.tenant,
    newId: () => ctx.newId('item'),
  })
  const callerMax = body.max_amount === undefined ? null : BigInt(body.max_amount)
  const attention = attentionOf({
    method: facts.method,
    stepUp: facts.method ? stepUpOf(facts.method) : 'none',
    tenant: ctx.tenant,
    livePayments: ctx.settings.livePayments,
    shipTo: shipToOf(fulfillment),
  })
  const decision: Omit<DecisionInput, 'stepUp'> = {
    policies: facts.policies,
    purchase: purchaseOf(
      { currency, items, fulfillment, fee_allowance: min(allowances.fee, amountMax) },
      { expected, cap: amountMax },
    ),
    occasion: 'create',
    tolerancePercent: facts.settings.tolerancePercent,
    now: ctx.now,
  }
  const unattended = decidePurchase({ ...decision, stepUp: false })
  const policiesAllow = unattended.result === 'allow'
  const judged =
    policiesAllow && attention.kind !== 'none' ? decidePurchase({ ...decision, stepUp: true }) : unattended
  const verdict = exactTerms(judged, requested.quoted, ctx.now)
  const cap = capOf({ expected, callerMax, tax: allowances.tax }, verdict)
  if (cap === null) throw tooMuch()
  return {
    currency,
    expected,
    callerMax,
    items,
    quoted: requested.quoted,
    fulfillment,
    allowances,
    attention,
    decision,
    verdict,
    policiesAllow,
    cap,
  }
}
