import { statement } from '../../contract/statement.ts'
import type { KeyTimes } from './key-states.ts'
import type { EcJwk } from './signing-key.ts'

export type SigningKeyRow = KeyTimes & {
  generation: number
  kid: string
  public_jwk: EcJwk
  /** Null once it is removed. */
  sealed: Buffer | null
  /** When it became known to others: nothing that it has signed is believed any more. */
  withdrawn_at: Date | null
}

/** All that there have ever been, newest first: four a year. */
export const selectSigningKeys = statement<SigningKeyRow, Record<never, never>>(
  'select_signing_keys',
  `/* tenantless: of the installation */
   select generation, kid, public_jwk, sealed, created_at, signs_from, removed_at, withdrawn_at from signing_keys
   order by generation desc`,
)

/** Nothing is written where another process has made this generation. */
export const insertSigningKey = statement<
  never,
  Omit<SigningKeyRow, 'public_jwk' | 'removed_at' | 'withdrawn_at' | 'sealed'> & {
    public_jwk: string
    sealed: Buffer
  }
>(
  'insert_signing_key',
  `/* tenantless: of the installation */
   insert into signing_keys (generation, kid, public_jwk, sealed, created_at, signs_from)
   values ($generation, $kid, $public_jwk::jsonb, $sealed, $created_at, $signs_from)
   on conflict (generation) do nothing`,
)

/** Forgets the private keys. */
export const removeSigningKeys = statement<never, { kids: readonly string[]; now: Date }>(
  'remove_signing_keys',
  `/* tenantless: of the installation */
   update signing_keys set sealed = null, removed_at = $now where kid = any($kids::text[]) and removed_at is null`,
)

/** Of a key that others know. It may have been removed long ago. */
export const withdrawSigningKey = statement<{ kid: string }, { kid: string; now: Date }>(
  'withdraw_signing_key',
  `/* tenantless: of the installation */
   update signing_keys set sealed = null, removed_at = coalesce(removed_at, $now), withdrawn_at = $now
   where kid = $kid and withdrawn_at is null returning kid`,
)
