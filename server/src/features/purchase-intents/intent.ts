import Type, { type Static } from 'typebox'
import type { Mode, Tenant } from '../../contract/context.ts'
import {
  Closed,
  IdOf,
  Metadata,
  Named,
  Nullable,
  OneOf,
  objectHead,
  Text,
  Timestamp,
} from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'
import { toWire } from '../../core/money.ts'
import type { IdScheme } from '../../platform/ids/derived-id.ts'
import { type MerchantIdentity, PolicyDecision } from '../policies/public.ts'
import type { Address } from '../profiles/public.ts'
import { Cart, type CartRow, Offer, renderCart } from './cart.ts'
import { FailureReason } from './failure.ts'
import { type IntentStatus, intentStatuses } from './machine.ts'

export const PurchaseIntentStatus = Named('PublicPurchaseIntentStatus', OneOf(intentStatuses))

export const fulfillmentMethods = ['ship', 'pickup', 'digital'] as const
export const fulfillmentSpeeds = ['cheapest', 'fastest'] as const

/** Which variant of the product: by its id, its SKU, or the options chosen. */
export const ItemVariant = Closed(
  {
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    sku: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    selections: Type.Optional(
      Type.Array(
        Closed({
          name: Text(255),
          value: Text(255),
        }),
        { minItems: 1, maxItems: 20 },
      ),
    ),
  },
  { minProperties: 1 },
)
export type ItemVariant = Static<typeof ItemVariant>

export const nextActionTypes = [
  'approve',
  'select_payment_method',
  'merchant_sign_in',
  'verify_payment',
  'provide_input',
  'reapprove_price',
  'resolve_unknown_outcome',
] as const

export const NextAction = Named(
  'NextAction',
  Closed({
    type: OneOf(nextActionTypes),
    method: Type.Optional(OneOf(['cvc', 'otp', 'passkey', 'popup'], { description: 'Of `verify_payment`.' })),
    fields: Type.Optional(Type.Array(Type.String(), { description: 'Of `provide_input`.' })),
    cart_id: Type.Optional(IdOf('cart')),
    proposal: Type.Optional(
      Closed(
        {
          items: Type.Array(Closed({ id: IdOf('item'), unit_amount: Type.Integer() })),
          expected_amount: Type.Integer(),
          max_allowed_amount: Type.Integer({ description: "The intent's cap, once approved." }),
        },
        { description: 'Of `reapprove_price`.' },
      ),
    ),
    element: Nullable(Type.String({ description: 'The hosted component that does this, if one does.' })),
    expires_at: Nullable(Timestamp),
  }),
)
export type NextAction = Static<typeof NextAction>

export const PurchaseIntentItem = Closed({
  id: IdOf('item'),
  url: Type.String(),
  quantity: Type.Integer(),
  expected_amount: Type.Integer({ description: 'Of one unit, before tax and fulfillment.' }),
  expected_currency: Type.String(),
  variant: Nullable(ItemVariant),
  quote_id: Nullable(Type.String()),
})

export const PurchaseIntent = Named(
  'PurchaseIntent',
  Closed({
    ...objectHead('pi', 'purchase_intent'),
    profile_id: IdOf('prof'),
    profile_payment_method_id: Nullable(IdOf('pm')),
    policy_id: Nullable(IdOf('pol')),
    status: PurchaseIntentStatus,
    currency_code: Type.String(),
    expected_amount: Type.Integer(),
    max_allowed_amount: Type.Integer({ description: 'The most that can be charged, with shipping and tax.' }),
    actual_amount: Type.Integer({ description: 'Charged, with shipping and tax; 0 before charging.' }),
    items: Type.Array(PurchaseIntentItem),
    carts: Type.Array(Cart, { description: 'Empty until execution begins.' }),
    preferences: Closed({
      fulfillment: Closed({
        method: OneOf(fulfillmentMethods),
        speed: OneOf(fulfillmentSpeeds),
        address_id: Nullable(IdOf('addr')),
        max_fee_amount: Nullable(Type.Integer()),
      }),
    }),
    next_action: Nullable(NextAction),
    failure_reason: Nullable(FailureReason),
    policy_decision: PolicyDecision,
    approval: Closed({
      required: Type.Boolean(),
      approved_by: Nullable(Type.String({ description: 'The agent that approved, or `policy`.' })),
      approved_at: Nullable(Timestamp),
      expires_at: Nullable(Timestamp),
      // Events and replies from before it was shown do not have it.
      valid_until: Type.Optional(
        Nullable(
          Type.String({
            format: 'date-time',
            description: 'Of what a person approved: until then a retry asks nobody again.',
          }),
        ),
      ),
    }),
    offer_summary: Nullable(Offer),
    partial: Type.Boolean({ description: 'Something was bought, and something was not.' }),
    cancel_reason: Nullable(Type.String()),
    reference_id: Nullable(Type.String()),
    metadata: Metadata,
    started_at: Nullable(Timestamp),
    completed_at: Nullable(Timestamp),
  }),
)
export type PurchaseIntent = Static<typeof PurchaseIntent>

/** An item as stored. */
export type IntentItem = {
  id: Id<'item'>
  url: string
  quantity: number
  /** Of one unit, minor units of the intent's currency. */
  unit_amount: number
  variant: ItemVariant | null
  quote_id: string | null
  /** With a quote: whose it is. */
  merchant_account_id?: Id<'acct'>
  /** What the merchant goes by: the domain that a merchant of ours claims, else the registrable domain of the URL, or its host. */
  domain: string
  /** Category and country of the merchant; null: unknown. */
  mcc: string | null
  country: string | null
  /** Who sells, as it was when the purchase was made; null: none of ours. Missing where the version before wrote the item. */
  merchant?: MerchantIdentity | null
}

export type Fulfillment = {
  method: (typeof fulfillmentMethods)[number]
  speed: (typeof fulfillmentSpeeds)[number]
  address_id: string | null
  max_fee_amount: number | null
  /** The address as it was when the intent was created; null where the profile has none or nothing is shipped. */
  address: Address | null
  /** Where the goods go; null when nothing is shipped. */
  country: string | null
}

/** The price and cap that a person is asked about. Amounts are minor units. */
export type Reapproval = {
  cart_id: Id<'cart'>
  units: { item_id: string; unit_amount: number }[]
  /** What the cart and the intent would be after an approval. */
  cart_expected_amount: number
  cart_max_allowed_amount: number
  cart_tax_allowance: number
  expected_amount: number
  max_allowed_amount: number
  tax_allowance: number
}

/** What somebody wants to try again, while a person is asked whether it may be. */
export type RetryWait = {
  cart_ids: Id<'cart'>[]
  /** Who asked: what that key may not do is not done by an approval either. */
  api_key_id: Id<'key'> | null
  /** Paid before, and pays again when nobody approves. */
  previous_payment_method_id: Id<'pm'> | null
}

export type IntentRow = {
  id: Id<'pi'>
  profile_id: Id<'prof'>
  /** The key that created it, for the record. */
  api_key_id: Id<'key'> | null
  /** Whose key that is: whom policies and freezes name. Told by the key, so that a purchase goes with it where agents are joined. */
  agent_id: Id<'agent'> | null
  payment_method_id: Id<'pm'> | null
  policy_id: Id<'pol'> | null
  status: IntentStatus
  currency: string
  expected_amount: bigint
  max_allowed_amount: bigint
  actual_amount: bigint
  settled_amount: bigint
  caller_max_amount: bigint | null
  fee_allowance: bigint
  tax_allowance: bigint
  tolerance_basis_points: number
  on_price_exceed: 'reapprove' | 'fail'
  items: IntentItem[]
  fulfillment: Fulfillment
  policy_decision: PolicyDecision
  policy_result: PolicyDecision['result']
  approval_required: boolean
  approved_by: string | null
  approved_at: Date | null
  approval_expires_at: Date | null
  payment_verified_at: Date | null
  next_action: NextAction | null
  failure: FailureReason | null
  partial: boolean
  cancel_reason: string | null
  offer_summary: Offer | null
  reapproval: Reapproval | null
  retry: RetryWait | null
  /** Null: nothing is shipped, or the purchase is older than the rule that what is shipped has an address. */
  ship_to: 'awaited' | 'frozen' | null
  reference_id: string | null
  metadata: Record<string, string>
  idempotency_key: string | null
  actor_type: string
  actor_id: string | null
  merchants: string[]
  search: string
  seq: number
  due_at: Date | null
  lease_until: Date | null
  lease_token: bigint
  /** Of the ids of its carts. */
  id_scheme: IdScheme
  created_at: Date
  updated_at: Date
  started_at: Date | null
  completed_at: Date | null
}

export function renderIntent(row: IntentRow, carts: readonly CartRow[], tenant: Tenant): PurchaseIntent {
  return {
    id: row.id,
    object: 'purchase_intent',
    mode: tenant.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    profile_id: row.profile_id,
    profile_payment_method_id: row.payment_method_id,
    policy_id: row.policy_id,
    status: row.status,
    currency_code: row.currency,
    expected_amount: toWire(row.expected_amount),
    max_allowed_amount: toWire(row.max_allowed_amount),
    actual_amount: toWire(row.actual_amount),
    items: row.items.map((item) => renderItem(item, row.currency)),
    carts: carts.map((cart) => renderCart(cart, tenant.mode)),
    preferences: { fulfillment: renderFulfillment(row.fulfillment) },
    next_action: row.next_action,
    failure_reason: row.failure,
    policy_decision: row.policy_decision,
    approval: {
      required: row.approval_required,
      approved_by: row.approved_by,
      approved_at: row.approved_at?.toISOString() ?? null,
      expires_at: row.approval_expires_at?.toISOString() ?? null,
      valid_until: approvalValidUntil(row)?.toISOString() ?? null,
    },
    offer_summary: row.offer_summary,
    partial: row.partial,
    cancel_reason: row.cancel_reason,
    reference_id: row.reference_id,
    metadata: row.metadata,
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}

/** Whether what is shipped has somewhere to go. */
export function shipToOf({ method, address }: Fulfillment): IntentRow['ship_to'] {
  if (method !== 'ship') return null
  return address === null ? 'awaited' : 'frozen'
}

const approvalDays = 7

/** How long what a person approved may be tried again without asking. Null: no person has approved it. */
export function approvalValidUntil({
  approved_by,
  approved_at,
}: Pick<IntentRow, 'approved_by' | 'approved_at'>): Date | null {
  if (approved_by === null || approved_by === byPolicy || approved_at === null) return null
  return new Date(approved_at.getTime() + approvalDays * 86_400_000)
}

/** `approved_by` of what nobody was asked about. */
export const byPolicy = 'policy'

function renderItem(item: IntentItem, currency: string): PurchaseIntent['items'][number] {
  return {
    id: item.id,
    url: item.url,
    quantity: item.quantity,
    expected_amount: item.unit_amount,
    expected_currency: currency,
    variant: item.variant,
    quote_id: item.quote_id,
  }
}

function renderFulfillment(fulfillment: Fulfillment): PurchaseIntent['preferences']['fulfillment'] {
  const { method, speed, address_id, max_fee_amount } = fulfillment
  return { method, speed, address_id, max_fee_amount }
}

/** An intent with its carts, by position, as locked by `lockIntentWithCarts`. Changes replace both in place. */
export type LoadedIntent = {
  intent: IntentRow
  carts: CartRow[]
  /** Whether this transaction has changed more of the intent than follows from its carts. */
  hasOwnChanges?: boolean
}

export type IntentKey = { account_id: Id<'acct'>; mode: Mode; id: string }
