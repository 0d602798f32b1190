import Type, { type Static } from 'typebox'
import type { Mode } from '../../contract/context.ts'
import {
  Closed,
  CountryCode,
  CurrencyCode,
  IdOf,
  ModeSchema,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'

export const merchantStatuses = ['setup', 'test_ready', 'live_ready', 'restricted'] as const
export const requirementCodes = [
  'slug',
  'domain',
  'domain_verification',
  'catalog_item',
  'order_destination',
  'quote_responder',
  'order_check',
  'quote_check',
] as const
/** What an unmet requirement holds back: a capability, or the status that says a merchant is ready. */
export const blockables = ['catalog', 'quotes', 'orders', 'test_ready', 'live_ready'] as const

export const MerchantRequirement = Named(
  'MerchantRequirement',
  Closed({
    code: OneOf(requirementCodes),
    state: OneOf(['currently_due', 'satisfied', 'stale']),
    blocking: Type.Array(OneOf(blockables), { description: 'What waits for it in this mode.' }),
    message: Type.String(),
    fix: Nullable(Type.String({ description: 'What to do about it.' })),
  }),
)
export type MerchantRequirement = Static<typeof MerchantRequirement>

export const MerchantVerification = Named(
  'MerchantVerification',
  Closed({
    kind: OneOf(['domain', 'order_check', 'quote_check']),
    status: OneOf(['pending', 'passed', 'failed'], { description: 'What the last look found.' }),
    stale: Type.Boolean({
      description:
        'Whether an earlier success no longer speaks of what is: a destination has other settings, a proof is missing.',
    }),
    checked_at: Nullable(Timestamp),
    detail: Nullable(Type.String()),
  }),
)
export type MerchantVerification = Static<typeof MerchantVerification>

export const MerchantNextAction = Named(
  'MerchantNextAction',
  Closed({
    requirement: OneOf(requirementCodes),
    method: OneOf(['POST']),
    path: Type.String(),
    body_example: Nullable(Type.Object({}, { additionalProperties: true })),
    reason: Type.String(),
  }),
)

/** The fields of the record that a caller writes; null clears one. */
export const MerchantFields = {
  slug: Nullable(
    Type.String({
      pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$',
      description:
        'Names the merchant in URLs and quotes: lower-case letters, digits and dashes. Unique in its mode.',
    }),
  ),
  domain: Nullable(
    Type.String({
      format: 'domain',
      maxLength: 253,
      description: 'Where the items are sold. A new domain is unverified.',
    }),
  ),
  name: Nullable(Text(255)),
  mcc: Nullable(Type.String({ format: 'mcc', description: 'Merchant category code, 4 digits.' })),
  country: Nullable(CountryCode),
  currency: Nullable(CurrencyCode),
  tax_basis_points: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Tax on merchandise in hundredths of a percent, until markets say otherwise.',
  }),
}

export const Merchant = Named(
  'Merchant',
  Closed({
    id: IdOf('acct'),
    object: Type.Literal('merchant'),
    mode: ModeSchema,
    created_at: Timestamp,
    updated_at: Timestamp,
    slug: Nullable(Type.String()),
    domain: Nullable(Type.String()),
    name: Nullable(Type.String()),
    mcc: Nullable(Type.String()),
    country: Nullable(Type.String()),
    currency: Nullable(Type.String()),
    tax_basis_points: Type.Integer(),
    status: OneOf(merchantStatuses),
    capabilities: Closed({
      catalog: Type.Boolean(),
      quotes: Type.Boolean(),
      orders: Type.Boolean(),
      ucp: Type.Boolean(),
      mpp: Type.Boolean(),
    }),
    requirements: Type.Array(MerchantRequirement),
    blockers: Type.Array(OneOf(requirementCodes), {
      description: 'The requirements that keep the merchant from being ready.',
    }),
    verifications: Type.Array(MerchantVerification),
    next_action: Nullable(MerchantNextAction),
  }),
)
export type Merchant = Static<typeof Merchant>

export type MerchantRow = {
  account_id: Id<'acct'>
  mode: Mode
  slug: string | null
  domain: string | null
  domain_verified_at: Date | null
  verification_token: string
  name: string | null
  mcc: string | null
  country: string | null
  /** What of these counts in live mode: the value that the operator has confirmed, and when; without a time, one from before that had to be. */
  mcc_confirmed: string | null
  mcc_confirmed_at: Date | null
  country_confirmed: string | null
  country_confirmed_at: Date | null
  /** The shared test domain that the account holds, if it is still `domain` and verified. */
  test_domain: string | null
  currency: string | null
  tax_basis_points: number
  seq: number
  created_at: Date
  updated_at: Date
}
