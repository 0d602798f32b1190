import type { ActingContext } from '../../../../contract/context.ts'
import { isAgentLive } from '../../../accounts/api-keys/public.ts'
import { type PayingMethod, readPayingMethod, stepUpOf } from '../../../buyers/payment-methods/public.ts'
import { type Address, type ProfileFacts, readProfile } from '../../../buyers/profiles/public.ts'
import { admitAgain, type PolicyVerdict } from '../../../policies/public.ts'
import { changeIntent } from '../change-intent.ts'
import { defaultAddress } from '../create/create-request.ts'
import { attentionOf, basisPoints, capOf, decideCreate } from '../create/decide-create.ts'
import { beginsAt } from '../create/execution-method.ts'
import { byPolicy, type IntentRow, type LoadedIntent, type PurchaseIntent } from '../intent.ts'
import { frozenBuyer } from '../intent-buyer.ts'
import { firstStatus } from '../machine.ts'
import { accountTolerance } from './account-tolerance.ts'
import { wakeMoreAwaitingAddress } from './awaited-addresses.sql.ts'
import { decisionOf, holdRequestOf } from './release-money.ts'

/** The columns that an address that has arrived is written with; null: there is none yet. */
export async function findAddress(
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  intent: IntentRow,
): Promise<ShippedTo | null> {
  const profile = await readProfile(ctx.tx, ctx.tenant, intent.profile_id)
  return addressIn(profile, intent)
}

function addressIn(profile: ProfileFacts | null, intent: IntentRow): ShippedTo | null {
  const address = profile?.status === 'active' ? defaultAddress(profile.addresses) : null
  return address && shippedTo(intent, address, address.id)
}

type ShippedTo = Pick<IntentRow, 'fulfillment' | 'ship_to'>

/** The columns with an address; `address_id` null: the profile does not keep it. */
export function shippedTo(intent: IntentRow, address: Address, address_id: string | null): ShippedTo {
  const { country } = address
  return { fulfillment: { ...intent.fulfillment, address_id, address, country }, ship_to: 'frozen' }
}

/**
 * Decides about a purchase that waits for an address once its profile has one, or with one that was `told` for it alone: by the policies of
 * this moment, like a new purchase. Null: the profile has none yet. The caller holds the control row, and nothing is frozen.
 */
export async function decideWithAddress(
  ctx: ActingContext,
  loaded: LoadedIntent,
  told: { readonly given: ShippedTo; readonly profile: ProfileFacts } | null = null,
): Promise<PurchaseIntent | null> {
  const [profile, tolerancePercent] = await Promise.all([
    told?.profile ?? readProfile(ctx.tx, ctx.tenant, loaded.intent.profile_id),
    accountTolerance(ctx),
  ])
  const given = told?.given ?? addressIn(profile, loaded.intent)
  if (!given || !profile) return null
  const intent = { ...loaded.intent, ...given }
  const { profile_id: profileId, payment_method_id } = intent
  const paying = readPayingMethod(ctx.tx, ctx.tenant, { profileId, id: payment_method_id })
  const paidBy =
    payment_method_id === null
      ? paying.then((found) => found?.id ?? null)
      : Promise.resolve(payment_method_id)
  // An agent whose last key has been revoked has no authority left to buy unattended.
  const isLive = isAgentLive(ctx, intent.agent_id)
  const attentionTo = (method: PayingMethod | null) =>
    attentionOf({
      method,
      stepUp: method ? stepUpOf(method) : 'none',
      tenant: ctx.tenant,
      livePayments: ctx.settings.livePayments,
      shipTo: 'frozen',
    })
  const [method, { verdict, policiesAllow }] = await Promise.all([
    paying,
    paidBy.then((id) =>
      admitAgain(ctx, {
        ...holdRequestOf(intent, {
          expected: intent.expected_amount,
          cap: intent.max_allowed_amount,
          paidBy: id,
        }),
        tolerancePercent,
        stepUp: Promise.all([paying, isLive]).then(
          // guard revoked-key-buys-nothing-later: a purchase that a revoked key asked for is not bought unattended later
          ([found, agentIsLive]) => attentionTo(found).kind !== 'none' || !agentIsLive,
        ),
      }),
    ),
  ])
  const bounded = boundedBy(intent, verdict, ctx.now)
  const { status, nextAction, approvalExpiresAt } = decideCreate(bounded, attentionTo(method), {
    now: ctx.now,
    policiesAllow,
  })
  const isQueued = status === firstStatus.allowed
  const isDenied = status === firstStatus.denied
  if (isQueued) ctx.tx.wake('intents')
  return changeIntent(ctx, loaded, {
    intent: {
      ...given,
      ...(isDenied ? {} : loweredTerms(intent, verdict)),
      ...decisionOf(verdict),
      status,
      payment_method_id: method?.id ?? null,
      approval_required: status === firstStatus.approval_needed,
      approved_by: isQueued ? byPolicy : null,
      approved_at: isQueued ? ctx.now : null,
      buyer: isQueued ? frozenBuyer(profile, given.fulfillment) : null,
      approval_expires_at: approvalExpiresAt,
      next_action: nextAction,
      due_at: isQueued ? beginsAt(intent, ctx.now) : approvalExpiresAt,
      lease_until: null,
      completed_at: isDenied ? ctx.now : null,
    },
    events: [{ type: `purchase_intent.${status}` }],
  })
}

/**
 * Makes further purchases due that wait for an address of this profile, beyond those that its event made due. It runs in a transaction of
 * its own.
 */
export function wakeMore(ctx: ActingContext, profileId: string): void {
  const { accountId, mode } = ctx.tenant
  // Each makes two others due: their number doubles until none is left.
  ctx.tx.write(
    wakeMoreAwaitingAddress({ account_ids: [accountId], modes: [mode], profile_ids: [profileId], limit: 2 }),
  )
  ctx.tx.wake('intents')
}

/** The approval of a quoted purchase lasts no longer than the offer; so long it was requested for at first. */
function boundedBy(intent: IntentRow, verdict: PolicyVerdict, now: Date): PolicyVerdict {
  const isQuoted = intent.items.some(({ quote_id }) => quote_id !== null)
  if (!isQuoted || intent.approval_expires_at === null) return verdict
  const leftMinutes = Math.max(0, (intent.approval_expires_at.getTime() - now.getTime()) / 60_000)
  return { ...verdict, approvalExpiresMinutes: Math.min(verdict.approvalExpiresMinutes, leftMinutes) }
}

/** Today's policies may lower what the purchase may cost; they raise nothing that was lowered when it was made. */
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
