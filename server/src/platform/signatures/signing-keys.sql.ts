import { statement } from '../../contract/statement.ts'
import type { KeyTimes } from './key-states.ts'
import type { EcJwk } from './signing-key.ts'

export type SigningKeyRow = KeyTimes & {
  generation: number
  kid: string
  public_jwk: EcJwk
  /** Null once it is removed. */
  sealed: Buffer | null
}

/** All that there have ever been, newest first: four a year. */
export const selectSigningKeys = statement<SigningKeyRow, Record<never, never>>(
  'select_signing_keys',
  `/* tenantless: of the installation */
   select generation, kid, public_jwk, sealed, created_at, signs_from, removed_at from signing_keys order by generation desc`,
)

/** Nothing is written where another process has made this generation. */
export const insertSigningKey = statement<
  never,
  Omit<SigningKeyRow, 'public_jwk' | 'removed_at' | 'sealed'> & { public_jwk: string; sealed: Buffer }
>(
  'insert_signing_key',
  `/* tenantless: of the installation */
   insert into signing_keys (generation, kid, public_jwk, sealed, created_at, signs_from)
   values ($generation, $kid, $public_jwk::jsonb, $sealed, $created_at, $signs_from)
   on conflict (generation) do nothing`,
)

/** Forgets the private keys. What they have signed can be checked no longer either, since their public keys are published no longer. */
export const removeSigningKeys = statement<{ kid: string }, { kids: readonly string[]; now: Date }>(
  'remove_signing_keys',
  `/* tenantless: of the installation */
   update signing_keys set sealed = null, removed_at = $now
   where kid = any($kids::text[]) and removed_at is null returning kid`,
)
