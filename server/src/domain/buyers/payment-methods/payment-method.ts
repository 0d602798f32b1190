import Type, { type Static } from 'typebox'
import { type CardBrand, cardBrands } from '../../../contract/card-brands.ts'
import type { Tenant } from '../../../contract/context.ts'
import { Closed, Described, IdOf, Named, Nullable, OneOf, objectHead } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import type { EnrollmentStep } from './test-cards.ts'

const agenticStatuses = [
  'not_requested',
  'pending_verification',
  'active',
  'ineligible',
  'rejected',
  'suspended',
] as const

const AgenticCredentialsStatus = OneOf(agenticStatuses)

export const PaymentMethod = Named(
  'PaymentMethod',
  Closed(
    {
      ...objectHead('pm', 'payment_method'),
      profile_id: IdOf('prof', 'The profile it belongs to.'),
      type: OneOf(['card', 'link'], {
        description: '`card`, or `link`: a wallet at Link, whose person approves each purchase there.',
      }),
      is_default: Type.Boolean({
        description: 'Whether purchases are charged to it when they name no other.',
      }),
      label: Nullable(Type.String({ description: 'A name to tell it from others.' })),
      billing_address: Nullable(
        Closed({ id: IdOf('addr', 'An address of the profile.') }, { description: 'The billing address.' }),
      ),
      card: Nullable(
        Closed(
          {
            kind: OneOf(['existing', 'issued'], {
              description:
                '`existing`: a card the person already had. `issued`: a card issued to the profile.',
            }),
            is_issued: Type.Boolean({ description: 'Whether the card was issued to the profile.' }),
            card_brand: OneOf(cardBrands, { description: 'The brand of the card.' }),
            card_last4: Type.String({ description: 'The last four digits of the card number.' }),
            card_exp_month: Type.Integer({ description: 'The month the card expires, 1 to 12.' }),
            card_exp_year: Type.Integer({ description: 'The year the card expires, four digits.' }),
            agentic_credentials_status: Described(
              AgenticCredentialsStatus,
              'Whether agents can pay with it without its security code: only when `active`.',
            ),
          },
          { description: 'The card; null for a wallet.' },
        ),
      ),
      next_action: Nullable(
        Closed(
          {
            type: Type.Literal('verify_payment_method', {
              description: 'Always `verify_payment_method`: call v1_verify_profile_payment_method.',
            }),
            method: OneOf(['otp', 'passkey', 'popup'], { description: 'How the person proves it.' }),
          },
          { description: 'The step that completes a pending enrollment; null if there is none.' },
        ),
      ),
      deleted_at: Nullable(
        Type.String({ format: 'date-time', description: 'When it was deleted; null if it was not.' }),
      ),
    },
    { description: 'A card of a profile, kept as a token, or a wallet of its person.' },
  ),
)
export type PaymentMethod = Static<typeof PaymentMethod>

export type PaymentMethodRow = {
  id: Id<'pm'>
  profile_id: Id<'prof'>
  type: 'card' | 'link'
  is_default: boolean
  label: string | null
  billing_address_id: Id<'addr'> | null
  /** Of a card; null for a wallet. */
  card_kind: 'existing' | 'issued' | null
  card_brand: CardBrand | null
  card_last4: string | null
  card_exp_month: number | null
  card_exp_year: number | null
  vault_token: string
  test_card: string | null
  enrollment_requested: boolean
  agentic_status: (typeof agenticStatuses)[number]
  pending_steps: EnrollmentStep[]
  failed_verifications: number
  /** The session of a component in which it was added, while nothing of it was proven elsewhere. */
  added_in: Buffer | null
  /** Whether the steps of its enrolment were proven in that session. */
  proven_there: boolean
  seq: number
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  /** Who vouches that it is the card of the person: the account, a page with a client secret of the account's server, or nobody. */
  added_by: 'account' | 'client_secret' | 'page'
  /** The payment rail that keeps it itself, its customer or wallet there, and its name for what pays; null: it is in the vault, or of test mode. */
  kept_by: string | null
  kept_customer: string | null
  kept_method: string | null
}

/** A method as a purchase is paid with it. */
export type PayingMethod = Pick<
  PaymentMethodRow,
  | 'id'
  | 'type'
  | 'card_brand'
  | 'vault_token'
  | 'test_card'
  | 'agentic_status'
  | 'added_by'
  | 'added_in'
  | 'kept_by'
  | 'kept_customer'
  | 'kept_method'
>

export function renderPaymentMethod(row: PaymentMethodRow, tenant: Tenant): PaymentMethod {
  const [waitingFor] = row.pending_steps
  return {
    id: row.id,
    object: 'payment_method',
    mode: tenant.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    profile_id: row.profile_id,
    type: row.type,
    is_default: row.is_default,
    label: row.label,
    billing_address: row.billing_address_id === null ? null : { id: row.billing_address_id },
    card: cardFacts(row),
    next_action: waitingFor === undefined ? null : { type: 'verify_payment_method', method: waitingFor },
    deleted_at: row.deleted_at?.toISOString() ?? null,
  }
}

function cardFacts(row: PaymentMethodRow): PaymentMethod['card'] {
  const { card_kind: kind, card_brand, card_last4, card_exp_month, card_exp_year } = row
  if (kind === null || card_brand === null || card_last4 === null) return null
  if (card_exp_month === null || card_exp_year === null) return null
  const facts = { card_brand, card_last4, card_exp_month, card_exp_year }
  return { kind, is_issued: kind === 'issued', ...facts, agentic_credentials_status: row.agentic_status }
}
