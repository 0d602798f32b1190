import Type, { type Static } from 'typebox'
import type { Settings } from '../../../contract/context.ts'
import { At, Closed, Described, IdOf, Named, Nullable, OneOf, objectHead } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { PaymentMethod } from '../../buyers/payment-methods/public.ts'

const purposes = ['approval', 'enrollment'] as const
const methods = ['none', 'cvc', 'otp', 'passkey', 'popup'] as const

/** How a component has a person prove that a card is theirs. */
export const PaymentVerificationState = Named(
  'PaymentVerificationState',
  Closed(
    {
      ...objectHead('pver', 'payment_verification'),
      profile_payment_method_id: IdOf('pm', 'The card.'),
      purpose: OneOf(purposes, {
        description:
          '`approval`: for one purchase at its cap. `enrollment`: the next step of the enrollment of the card.',
      }),
      method: OneOf(methods, {
        description:
          'What proves it. `none`: nothing has to be proven. `cvc`: the security code, which goes to the vault and not here.',
      }),
      status: OneOf(['pending', 'proven', 'refused', 'expired'], { description: 'How it stands.' }),
      is_open: Type.Boolean({ description: 'Whether its window was opened.' }),
      window_url: Nullable(
        Type.String({
          description: 'With `passkey` and `popup`, when it is made: the window to open. Otherwise null.',
        }),
      ),
      assertion: Nullable(
        Type.String({
          description:
            'Of an approval that is proven: what to pass on as `payment_verification.assertion` of v1_approve_purchase_intent, once.',
        }),
      ),
      payment_method: Nullable(
        Described(
          PaymentMethod,
          'Of an enrollment that is proven: the card as it is now, with its next step if there is one.',
        ),
      ),
      expires_at: At('Until when it can be proven and used.'),
    },
    { description: 'A proof that a card is its holder’s.' },
  ),
)
type PaymentVerificationState = Static<typeof PaymentVerificationState>

export type VerificationRow = {
  id: Id<'pver'>
  key_id: Id<'key'>
  profile_id: Id<'prof'>
  payment_method_id: Id<'pm'>
  purchase_intent_id: Id<'pi'> | null
  purpose: (typeof purposes)[number]
  method: (typeof methods)[number]
  amount: bigint | null
  currency: string | null
  page: string
  /** The session of the component in which it was begun. */
  session_hash: Buffer | null
  window_hash: Buffer | null
  opened_at: Date | null
  challenge: string | null
  /** How the bank of the card knows its question; null: it was not asked. */
  bank_reference: string | null
  /** Whether the integrator's server vouches for the page in which it was begun: only then wrong proofs are counted at the card. */
  is_vouched: boolean
  wrong_tries: number
  status: 'pending' | 'proven' | 'refused'
  used_at: Date | null
  created_at: Date
  updated_at: Date
  expires_at: Date
}

/** The token stands behind the `#`: it is sent to no server by opening the window. */
export function windowAddress({ url }: NonNullable<Settings['elements']>, token: string): string {
  return `${url}/elements/v1/ceremony#${token}`
}

type Shown = {
  readonly mode: 'test' | 'live'
  readonly now: Date
  readonly windowUrl?: string
  readonly assertion: string | null
  readonly method?: PaymentMethod | null
}

export function renderVerification(row: VerificationRow, shown: Shown): PaymentVerificationState {
  const isOver = row.status === 'pending' && row.expires_at <= shown.now
  return {
    id: row.id,
    object: 'payment_verification',
    mode: shown.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    profile_payment_method_id: row.payment_method_id,
    purpose: row.purpose,
    method: row.method,
    status: isOver ? 'expired' : row.status,
    is_open: row.opened_at !== null,
    window_url: shown.windowUrl ?? null,
    assertion: row.purpose === 'approval' && row.status === 'proven' ? shown.assertion : null,
    payment_method: row.purpose === 'enrollment' && row.status === 'proven' ? (shown.method ?? null) : null,
    expires_at: row.expires_at.toISOString(),
  }
}
