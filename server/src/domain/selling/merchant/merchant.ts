import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import {
  At,
  Closed,
  CountryCode,
  CurrencyCode,
  Described,
  IdOf,
  ModeSchema,
  Named,
  Nullable,
  OneOf,
  Text,
} from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'

const merchantStatuses = ['setup', 'test_ready', 'live_ready', 'restricted'] as const
const requirementCodes = [
  'slug',
  'domain',
  'domain_verification',
  'catalog_item',
  'order_destination',
  'quote_responder',
  'order_check',
  'quote_check',
] as const
/** What an unmet requirement blocks: a capability, or the status that says a merchant is ready. */
const blockables = ['catalog', 'quotes', 'orders', 'test_ready', 'live_ready'] as const

export const MerchantRequirement = Named(
  'MerchantRequirement',
  Closed(
    {
      code: OneOf(requirementCodes, { description: 'What is required.' }),
      state: OneOf(['currently_due', 'satisfied', 'stale'], {
        description:
          '`currently_due`: do it now. `satisfied`: it is done. `stale`: it was done, but no longer holds.',
      }),
      blocking: Type.Array(OneOf(blockables), { description: 'What waits for it in this mode.' }),
      message: Type.String({ description: 'What it is about, in a sentence.' }),
      fix: Nullable(Type.String({ description: 'What to do about it; null if nothing.' })),
    },
    { description: 'Something that the setup of the merchant needs.' },
  ),
)
export type MerchantRequirement = Static<typeof MerchantRequirement>

export const MerchantVerification = Named(
  'MerchantVerification',
  Closed(
    {
      kind: OneOf(['domain', 'order_check', 'quote_check'], { description: 'What was verified.' }),
      status: OneOf(['pending', 'passed', 'failed'], { description: 'What the last check found.' }),
      stale: Type.Boolean({
        description:
          'Whether an earlier success no longer holds: the settings of a destination changed, or the proof of the domain disappeared.',
      }),
      checked_at: Nullable(At('When it was last checked; null if never.')),
      detail: Nullable(Type.String({ description: 'What was found, in a sentence.' })),
    },
    { description: 'Something that was verified about the merchant.' },
  ),
)
export type MerchantVerification = Static<typeof MerchantVerification>

const MerchantNextAction = Named(
  'MerchantNextAction',
  Closed(
    {
      requirement: OneOf(requirementCodes, { description: 'The requirement that it satisfies.' }),
      method: OneOf(['POST'], { description: 'The HTTP method of the call.' }),
      path: Type.String({ description: 'The path of the call.' }),
      body_example: Nullable(
        Type.Object(
          {},
          { additionalProperties: true, description: 'An example of its body; null if it has none.' },
        ),
      ),
      reason: Type.String({ description: 'Why it is next, in a sentence.' }),
    },
    { description: 'The next call that completes the setup of the merchant.' },
  ),
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
      description: 'The domain where the items are sold. A new domain is not verified.',
    }),
  ),
  name: Nullable(Text(255, { description: 'What buyers call it.' })),
  mcc: Nullable(Type.String({ format: 'mcc', description: 'Merchant category code, 4 digits.' })),
  country: Nullable(Described(CountryCode, 'Country of the merchant, ISO 3166-1 alpha-2, such as US.')),
  currency: Nullable(Described(CurrencyCode, 'ISO 4217 code of its main currency, such as USD.')),
  tax_basis_points: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Tax on merchandise in hundredths of a percent: 825 is 8.25 %.',
  }),
}

const PayoutAccount = Named(
  'PayoutAccount',
  Closed(
    {
      id: Type.String({ description: 'The account at the payment processor.' }),
      charges_enabled: Type.Boolean({
        description: 'Buyers can pay it. Before that, the merchant sells nothing for it in live mode.',
      }),
      payouts_enabled: Type.Boolean({ description: 'The processor pays its money out to a bank.' }),
      requirements_due: Type.Array(Type.String(), {
        description: 'What the processor still wants to know, in its own words.',
      }),
      checked_at: Nullable(At('When it was last read at the processor; null if never.')),
    },
    { description: 'The account to which the merchant is paid in live mode.' },
  ),
)

export const Merchant = Named(
  'Merchant',
  Closed(
    {
      id: IdOf('acct', 'The id of the merchant.'),
      object: Type.Literal('merchant', { description: 'The type of this object.' }),
      mode: ModeSchema,
      created_at: At('When it was created.'),
      updated_at: At('When it last changed.'),
      slug: Nullable(Type.String({ description: 'Its short name in URLs and quotes; null if it has none.' })),
      domain: Nullable(
        Type.String({ description: 'The domain where the items are sold; null if it has none.' }),
      ),
      name: Nullable(Type.String({ description: 'What buyers call it; null if it has no name.' })),
      mcc: Nullable(Type.String({ description: 'Merchant category code, 4 digits; null if it is not set.' })),
      country: Nullable(
        Type.String({ description: 'Country of the merchant, ISO 3166-1 alpha-2; null if it is not set.' }),
      ),
      currency: Nullable(
        Type.String({ description: 'ISO 4217 code of its main currency; null if it is not set.' }),
      ),
      tax_basis_points: Type.Integer({
        description: 'Tax on merchandise in hundredths of a percent: 825 is 8.25 %.',
      }),
      status: OneOf(merchantStatuses, { description: 'How far the setup is.' }),
      capabilities: Closed(
        {
          catalog: Type.Boolean({ description: 'Items can be bought from the catalog.' }),
          quotes: Type.Boolean({ description: 'Quote requests are answered.' }),
          orders: Type.Boolean({ description: 'Orders are answered.' }),
          ucp: Type.Boolean({ description: 'The merchant can be reached over UCP.' }),
          mpp: Type.Boolean({ description: 'The merchant can be reached over MPP.' }),
        },
        { description: 'What works already.' },
      ),
      requirements: Type.Array(MerchantRequirement, { description: 'What the setup needs.' }),
      blockers: Type.Array(OneOf(requirementCodes), {
        description: 'The requirements that keep the merchant from being ready.',
      }),
      verifications: Type.Array(MerchantVerification, {
        description: 'What was verified, and what was found.',
      }),
      payout_account: Nullable(
        Described(
          PayoutAccount,
          'The account to which it is paid in live mode; null if it has none, as in test mode.',
        ),
      ),
      next_action: Nullable(
        Described(MerchantNextAction, 'The next call to make; null if the setup is complete.'),
      ),
    },
    { description: 'The merchant record of the account.' },
  ),
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
  /**
   * The values that count in live mode: the one that the operator has confirmed, and when; without a time, a value from before
   * confirmation was required.
   */
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

/** A merchant as other slices are given it: what it is, and not how its record is kept. */
export type MerchantRecord = Omit<
  MerchantRow,
  'mcc_confirmed_at' | 'country_confirmed_at' | 'test_domain' | 'seq' | 'created_at' | 'updated_at'
>

/** A merchant as one buys from it. */
export type Seller = MerchantRecord & {
  /** Its backend has to answer orders, and no endpoint for that has ever answered anything: no money is held for its orders. */
  awaits_confirmation: boolean
}
