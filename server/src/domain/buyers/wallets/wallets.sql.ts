import { statement } from '../../../contract/statement.ts'
import type { Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { sweepByTime } from '../../../platform/retention/sweep-by-time.ts'
import { keyIdOf, type SealedSample } from '../../../platform/secrets/sealed-witness.ts'

type Key = Tenanted & { id: string }

export const insertWallet = statement<
  never,
  Key & { profile_id: string; rail: string; sealed: Buffer; sign_in_until: Date; now: Date }
>(
  'insert_wallet',
  `insert into wallets (account_id, mode, id, profile_id, rail, state, sealed, sign_in_until, created_at, updated_at)
   values ($account_id, $mode, $id, $profile_id, $rail, 'waiting', $sealed, $sign_in_until, $now, $now)`,
)

/** One whose sign-in has ended unconfirmed is none any more. */
export const selectWalletOfProfile = statement<
  { rail: string; state: 'waiting' | 'open'; sealed: Buffer },
  Key & { profile_id: string }
>(
  'select_wallet_of_profile',
  // guard tenant-of-wallets: wallets of other accounts, other profiles and of the other mode do not exist for the caller
  `select rail, state, sealed from wallets
   where account_id = $account_id and mode = $mode and profile_id = $profile_id and id = $id and state <> 'ended'
     and (sign_in_until is null or sign_in_until > prokura_now())`,
)

/** Its person has signed us in. */
export const openWallet = statement<never, Key & { sealed: Buffer; renew_at: Date; now: Date }>(
  'open_wallet',
  `update wallets set state = 'open', sealed = $sealed, sign_in_until = null, renew_at = $renew_at, updated_at = $now
   where account_id = $account_id and mode = $mode and id = $id and state = 'waiting'`,
)

export type WalletRow = { sealed: Buffer; renew_at: Date; renewing_until: Date | null }

export const selectOpenWallet = statement<WalletRow, Key>(
  'select_open_wallet',
  `select sealed, renew_at, renewing_until from wallets
   where account_id = $account_id and mode = $mode and id = $id and state = 'open'`,
)

/** No row: somebody else is renewing its tokens, or has. */
export const claimRenewal = statement<{ id: string }, Key & { sealed: Buffer; until: Date; now: Date }>(
  'claim_wallet_renewal',
  // guard wallet-renewed-once: a token that is exchanged twice signs its person out
  `update wallets set renewing_until = $until
   where account_id = $account_id and mode = $mode and id = $id and state = 'open' and sealed = $sealed
     and (renewing_until is null or renewing_until <= $now) returning id`,
)

export const renewWallet = statement<never, Key & { sealed: Buffer; renew_at: Date; now: Date }>(
  'renew_wallet',
  `update wallets set sealed = $sealed, renew_at = $renew_at, renewing_until = null, updated_at = $now
   where account_id = $account_id and mode = $mode and id = $id and state = 'open'`,
)

/** The rail did not answer: the next one tries again. */
export const releaseRenewal = statement<never, Key>(
  'release_wallet_renewal',
  `update wallets set renewing_until = null
   where account_id = $account_id and mode = $mode and id = $id and state = 'open'`,
)

export const endWallet = statement<never, Key & { now: Date }>(
  'end_wallet',
  // guard ended-wallets-keep-nothing: of a wallet that has ended no token is kept
  `update wallets set state = 'ended', sealed = null, sign_in_until = null, renew_at = null, renewing_until = null, updated_at = $now
   where account_id = $account_id and mode = $mode and id = $id and state <> 'ended'`,
)

export const selectSealedWallets = statement<SealedSample, Record<never, never>>(
  'select_sealed_wallets',
  `/* tenantless: of the installation */
   select distinct on (key_id) account_id, mode, id, sealed, ${keyIdOf('sealed')} as key_id
   from wallets where sealed is not null order by key_id`,
)

export const sweepWallets = sweepByTime({
  table: 'wallets',
  since: 'sign_in_until',
  key: 'id',
  removes: 'sign-ins to wallets that nobody has confirmed',
})
