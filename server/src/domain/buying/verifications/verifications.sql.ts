import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import type { ElementLookups, ElementWindow } from '../../../platform/doors/element-door.ts'
import type { Sweep } from '../../../platform/retention/sweep.ts'
import { sweepByTime } from '../../../platform/retention/sweep-by-time.ts'
import { liveKey } from '../../accounts/api-keys/reads.sql.ts'
import { cardsOfProfile } from '../../buyers/payment-methods/reads.sql.ts'
import { termsOfIntent } from '../intents/reads.sql.ts'
import type { VerificationRow } from './verification.ts'

type Key = Tenanted & { id: string }

const verifications = aggregate<VerificationRow>()({
  table: 'payment_verifications',
  columns: `id, key_id, profile_id, payment_method_id, purchase_intent_id, purpose, method, amount, currency, page, session_hash,
    window_hash, opened_at, challenge, bank_reference, is_vouched, wrong_tries, status, used_at, created_at, updated_at, expires_at`,
  key: ['id'],
})
const { columns } = verifications

export const insertVerification = verifications.insert('insert_payment_verification')
export const updateVerification = verifications.update('update_payment_verification', {
  only: [
    'opened_at',
    'challenge',
    'bank_reference',
    'wrong_tries',
    'status',
    'used_at',
    'updated_at',
    'expires_at',
  ],
})

const ofProfile = `account_id = $account_id and mode = $mode and profile_id = $profile_id and id = $id`

export const selectVerification = statement<VerificationRow, Key & { profile_id: string }>(
  'select_payment_verification',
  `select ${columns} from payment_verifications where ${ofProfile}`,
)

export const lockVerification = statement<VerificationRow, Key & { profile_id: string }>(
  'lock_payment_verification',
  `select ${columns} from payment_verifications where ${ofProfile} for update`,
)

type OfCard = Tenanted & { payment_method_id: string; since: Date; most: number }

/** Proofs of a card that were refused where nobody vouches for who tries. */
export const selectRefusedProofs = statement<{ id: string }, OfCard>(
  'select_refused_proofs',
  `select id from payment_verifications
   where account_id = $account_id and mode = $mode and payment_method_id = $payment_method_id and status = 'refused'
     and not is_vouched and updated_at > $since limit $most`,
)

/** One that is to be used up, by whoever holds its purchase: so two approvals do not both use it. */
export const selectProof = statement<VerificationRow, Key>(
  'select_payment_proof',
  `select ${columns} from payment_verifications where account_id = $account_id and mode = $mode and id = $id`,
)

export const selectWindow = statement<VerificationRow, Tenanted & { window_hash: Buffer }>(
  'select_verification_window',
  `select ${columns} from payment_verifications where account_id = $account_id and mode = $mode and window_hash = $window_hash`,
)

export const lockWindow = statement<VerificationRow, Tenanted & { window_hash: Buffer }>(
  'lock_verification_window',
  `select ${columns} from payment_verifications
   where account_id = $account_id and mode = $mode and window_hash = $window_hash for update`,
)

export const selectTerms = statement<
  {
    profile_id: Id<'prof'>
    payment_method_id: Id<'pm'> | null
    is_awaiting: boolean
    is_reapproval: boolean
    cap: bigint
    currency: string
    hosts: string[]
  },
  Tenanted & { purchase_intent_id: string | null }
>('select_terms_of_intent', termsOfIntent)

/** Where the account has used the code before, nothing is inserted. */
export const insertUsedCode = statement<
  { hash: Buffer },
  Tenanted & { hash: Buffer; purchase_intent_id: string; used_at: Date }
>(
  'insert_used_security_code',
  `insert into used_security_codes (account_id, mode, hash, purchase_intent_id, used_at)
   values ($account_id, $mode, $hash, $purchase_intent_id, $used_at) on conflict do nothing returning hash`,
)

export type PasskeyRow = {
  id: string
  payment_method_id: string
  public_key: Buffer
  counter: bigint
  transports: readonly string[]
  created_at: Date
  used_at: Date | null
}

const passkeys = aggregate<PasskeyRow>()({
  table: 'card_passkeys',
  columns: 'id, payment_method_id, public_key, counter, transports, created_at, used_at',
  key: ['id'],
})

export const insertPasskey = passkeys.insert('insert_card_passkey')
export const updatePasskey = passkeys.update('update_card_passkey', { only: ['counter', 'used_at'] })

export const selectPasskeys = statement<PasskeyRow, Tenanted & { payment_method_id: string }>(
  'select_card_passkeys',
  // guard passkey-of-the-card: a passkey proves the card in whose enrollment it was made, and no other
  `select ${passkeys.columns} from card_passkeys
   where account_id = $account_id and mode = $mode and payment_method_id = $payment_method_id order by id limit 20`,
)

/** Those of the cards, and of the cards of the profiles, that these ids name. */
export const deletePasskeysOf = statement<
  never,
  { account_ids: readonly string[]; modes: readonly string[]; ids: readonly string[] }
>(
  'delete_card_passkeys',
  sql`/* tenantless: the relay's batch holds events of several tenants; each id is named with its own account_id and mode */
   delete from card_passkeys p
   using unnest($account_ids::text[], $modes::mode[], $ids::text[]) as named (account_id, mode, id)
   where p.account_id = named.account_id and p.mode = named.mode
     and (p.payment_method_id = named.id or p.payment_method_id in ${correlate(cardsOfProfile, {
       account_id: 'named.account_id',
       mode: 'named.mode',
       profile_id: 'named.id',
     })})`,
)

const openWindowDoor = statement<ElementWindow, { hash: Buffer }>(
  'door_element_window',
  sql`/* tenantless: the door from a window's token to its tenant */
   select v.account_id, v.mode, v.key_id, v.page as origin, v.profile_id from payment_verifications v
   cross join lateral ${correlate(liveKey, { account_id: 'v.account_id', mode: 'v.mode', key_id: 'v.key_id' })} k
   where v.window_hash = $hash and v.expires_at > prokura_now()`,
)

export const windowLookup: Pick<ElementLookups, 'window'> = { window: openWindowDoor }

export const verificationSweeps: readonly Sweep[] = [
  sweepByTime({
    table: 'payment_verifications',
    since: 'expires_at',
    key: 'id',
    removes: 'proofs of cards that are over',
  }),
  sweepByTime({
    table: 'used_security_codes',
    since: 'used_at',
    key: 'hash',
    removes: 'tokens of security codes that were used',
  }),
]
