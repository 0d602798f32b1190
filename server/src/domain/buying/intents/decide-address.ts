import type { ActingContext } from '../../../contract/context.ts'
import { isAgentLive } from '../../accounts/api-keys/public.ts'
import {
  type PaymentMethodRow,
  selectUsablePaymentMethod,
  stepUpOf,
} from '../../buyers/payment-methods/public.ts'
import { selectProfile } from '../../buyers/profiles/public.ts'
import { admitAgain, type PolicyVerdict } from '../../policies/public.ts'
import { accountTolerance } from './account-tolerance.ts'
import { wakeMoreAwaitingAddress } from './awaited-addresses.sql.ts'
import { changeIntent } from './change-intent.ts'
import { defaultAddress } from './create-request.ts'
import { attentionOf, basisPoints, capOf, decideCreate } from './decide-create.ts'
import { byPolicy, type IntentRow, type LoadedIntent } from './intent.ts'
import { firstStatus } from './machine.ts'
import { decisionOf, holdRequestOf } from './release-money.ts'

/** What an address that has come is written with; null: there is none yet. */
export async function findAddress(
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  intent: IntentRow,
): Promise<Pick<IntentRow, 'fulfillment' | 'ship_to'> | null> {
  const { accountId: account_id, mode } = ctx.tenant
  const profile = await ctx.tx.maybe(selectProfile({ account_id, mode, id: intent.profile_id }))
  const address = profile?.status === 'active' ? defaultAddress(profile.addresses) : null
  if (!address) return null
  const { id: address_id, country } = address
  return { fulfillment: { ...intent.fulfillment, address_id, address, country }, ship_to: 'frozen' }
}

/**
 * Decides about a purchase that waits for an address once its profile has one: by the policies of this moment, as about a new one.
 * False: it has none yet. The caller holds the control row, and nothing is frozen.
 */
export async function decideWithAddress(ctx: ActingContext, loaded: LoadedIntent): Promise<boolean> {
  const [given, tolerancePercent] = await Promise.all([
    findAddress(ctx, loaded.intent),
    accountTolerance(ctx),
  ])
  if (!given) return false
  const { accountId: account_id, mode } = ctx.tenant
  const intent = { ...loaded.intent, ...given }
  const { profile_id, payment_method_id } = intent
  const paying = ctx.tx.maybe(selectUsablePaymentMethod({ account_id, mode, profile_id, payment_method_id }))
  // An agent whose last key has been revoked since has no authority left to buy unattended by.
  const isLive = isAgentLive(ctx, intent.agent_id)
  const attentionTo = (method: PaymentMethodRow | null) =>
    attentionOf({
      method,
      stepUp: method ? stepUpOf(method) : 'none',
      tenant: ctx.tenant,
      livePayments: ctx.settings.livePayments,
      shipTo: 'frozen',
    })
  const [method, { verdict, policiesAllow }] = await Promise.all([
    paying,
    admitAgain(ctx, {
      ...holdRequestOf(intent, { expected: intent.expected_amount, cap: intent.max_allowed_amount }),
      tolerancePercent,
      stepUp: Promise.all([paying, isLive]).then(
        ([found, agentIsLive]) => attentionTo(found).kind !== 'none' || !agentIsLive,
      ),
    }),
  ])
  const bounded = boundedBy(intent, verdict, ctx.now)
  const { status, nextAction, approvalExpiresAt } = decideCreate(bounded, attentionTo(method), {
    now: ctx.now,
    policiesAllow,
  })
  const isQueued = status === firstStatus.allowed
  const isDenied = status === firstStatus.denied
  if (isQueued) ctx.tx.wake('intents')
  changeIntent(ctx, loaded, {
    intent: {
      ...given,
      ...(isDenied ? {} : loweredTerms(intent, verdict)),
      ...decisionOf(verdict),
      status,
      payment_method_id: method?.id ?? null,
      approval_required: status === firstStatus.approval_needed,
      approved_by: isQueued ? byPolicy : null,
      approved_at: isQueued ? ctx.now : null,
      approval_expires_at: approvalExpiresAt,
      next_action: nextAction,
      due_at: isQueued ? ctx.now : approvalExpiresAt,
      lease_until: null,
      completed_at: isDenied ? ctx.now : null,
    },
    events: [{ type: `purchase_intent.${status}` }],
  })
  return true
}

/** Makes due what else waits for an address of this profile, beyond what its event did: in a transaction of its own. */
export function wakeMore(ctx: ActingContext, profileId: string): void {
  const { accountId, mode } = ctx.tenant
  // Two of each: they double until none is left.
  ctx.tx.write(
    wakeMoreAwaitingAddress({ account_ids: [accountId], modes: [mode], profile_ids: [profileId], limit: 2 }),
  )
  ctx.tx.wake('intents')
}

/** An approval of what was quoted lasts no longer than the offer, which is how long it was asked for at first. */
function boundedBy(intent: IntentRow, verdict: PolicyVerdict, now: Date): PolicyVerdict {
  const isQuoted = intent.items.some(({ quote_id }) => quote_id !== null)
  if (!isQuoted || intent.approval_expires_at === null) return verdict
  const leftMinutes = Math.max(0, (intent.approval_expires_at.getTime() - now.getTime()) / 60_000)
  return { ...verdict, approvalExpiresMinutes: Math.min(verdict.approvalExpiresMinutes, leftMinutes) }
}

/** Today's policies lower what the purchase may cost, and raise nothing that was lowered when it was made. */
function loweredTerms(intent: IntentRow, verdict: PolicyVerdict) {
  const tolerance = Math.min(intent.tolerance_basis_points, basisPoints(verdict.tolerancePercent))
  const { expected_amount: expected, caller_max_amount: callerMax, tax_allowance: tax } = intent
  const cap = capOf({ expected, callerMax, tax }, { ...verdict, tolerancePercent: tolerance / 100 })
  return {
    fee_allowance: verdict.feeAllowance,
    tolerance_basis_points: tolerance,
    on_price_exceed: verdict.onExceed === 'fail' ? ('fail' as const) : intent.on_price_exceed,
    max_allowed_amount: cap === null || cap > intent.max_allowed_amount ? intent.max_allowed_amount : cap,
  }
}
