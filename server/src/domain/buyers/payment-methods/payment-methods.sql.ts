import { statement } from '../../../contract/statement.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import type { PaymentMethodRow } from './payment-method.ts'

type ProfileKey = Tenanted & { profile_id: string }
type Key = ProfileKey & { id: string }

/** A card as a payment rail gets it. */
export type CardOfMethod = Pick<
  PaymentMethodRow,
  'test_card' | 'vault_token' | 'kept_by' | 'kept_customer' | 'kept_method'
>

const methods = aggregate<PaymentMethodRow>()({
  table: 'payment_methods',
  columns: `id, profile_id, type, is_default, label, billing_address_id, card_kind, card_brand, card_last4, card_exp_month,
    card_exp_year, vault_token, test_card, enrollment_requested, agentic_status, pending_steps, failed_verifications, added_in,
    proven_there, seq, created_at, updated_at, deleted_at, added_by, kept_by, kept_customer, kept_method`,
  key: ['id'],
})
const { columns } = methods

export const insertPaymentMethod = methods.insert('insert_payment_method')
export const updatePaymentMethodRow = methods.update('update_payment_method', {
  only: [
    'is_default',
    'label',
    'billing_address_id',
    'agentic_status',
    'pending_steps',
    'failed_verifications',
    'added_in',
    'proven_there',
    'seq',
    'updated_at',
    'deleted_at',
  ],
})

export const selectPaymentMethod = statement<PaymentMethodRow, Key>(
  'select_payment_method',
  // guard tenant-of-card: rows of other accounts and of the other mode do not exist for the caller
  `select ${columns} from payment_methods
   where account_id = $account_id and mode = $mode and profile_id = $profile_id and id = $id and deleted_at is null`,
)

/** The card for a call to a rail, also of a method that was deleted since. */
export const selectCardOfMethod = statement<CardOfMethod, Key>(
  'select_card_of_method',
  `select test_card, vault_token, kept_by, kept_customer, kept_method from payment_methods
   where account_id = $account_id and mode = $mode and profile_id = $profile_id and id = $id`,
)

/** Which of the ids are methods of the profile. */
export const selectOwnPaymentMethods = statement<{ id: string }, ProfileKey & { ids: string[] }>(
  'select_own_payment_methods',
  // guard own-payment-methods: an agent of one customer sees the rows of that customer
  `select id from payment_methods
   where account_id = $account_id and mode = $mode and profile_id = $profile_id and id = any($ids::text[])`,
)

/**
 * All methods of a profile, locked: every change of one of them, or of the default, runs this first, so that changes follow one another.
 */
export const lockPaymentMethods = statement<PaymentMethodRow, ProfileKey>(
  'lock_payment_methods',
  // guard methods-are-locked: two passwords at once are two attempts, and two first cards one default
  // guard tenant-of-locked-cards: rows of other accounts and of the other mode do not exist for the caller
  `select ${columns} from payment_methods
   where account_id = $account_id and mode = $mode and profile_id = $profile_id and deleted_at is null
   order by id for update`,
)

export const selectPaymentMethods = statement<PaymentMethodRow, ProfileKey>(
  'select_payment_methods',
  // guard tenant-of-cards: rows of other accounts and of the other mode do not exist for the caller
  `select ${columns} from payment_methods
   where account_id = $account_id and mode = $mode and profile_id = $profile_id and deleted_at is null
   order by id desc`,
)

// guard tenant-of-card-that-pays: rows of other accounts and of the other mode do not exist for the caller
// guard deleted-card-pays-nothing: a card that was deleted is not charged
// guard card-of-the-profile: the card of another profile pays nothing
const usable = `account_id = $account_id and mode = $mode and profile_id = $profile_id and deleted_at is null
     and case when $payment_method_id::text is null then is_default else id = $payment_method_id end`

type UsableKey = ProfileKey & { payment_method_id: string | null }

/** The named method of a profile, or its default; no row when there is none. */
export const selectUsablePaymentMethod = statement<PaymentMethodRow, UsableKey>(
  'select_usable_payment_method',
  `select ${columns} from payment_methods where ${usable}`,
)

/** The same for a call that tries a proof on it: guesses are counted one after the other. */
export const lockUsablePaymentMethod = statement<PaymentMethodRow, UsableKey>(
  'lock_usable_payment_method',
  `select ${columns} from payment_methods where ${usable} for update`,
)
