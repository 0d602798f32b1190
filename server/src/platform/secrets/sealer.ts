import type { KeyObject } from 'node:crypto'
import type { Sealer, Tenant } from '../../contract/context.ts'
import { open, seal } from './envelope.ts'
import { hashToken, tokenPepper } from './keyed-hash.ts'
import type { KeyProvider } from './keys.ts'

/** Sealing for one tenant: a record opens only under the same description, and only for its owner. */
export function createSealers(keys: KeyProvider): {
  sealerOf: (tenant: Tenant) => Sealer
  hashToken: (token: string) => Buffer
} {
  let pepper: KeyObject | null = null
  const hash = (token: string) => {
    pepper ??= tokenPepper(keys)
    return hashToken(pepper, token)
  }
  return {
    hashToken: hash,
    sealerOf: ({ accountId, mode }) => ({
      seal: (plaintext, what, id) =>
        seal(keys, Buffer.from(plaintext, 'utf8'), { what, accountId, mode, id }),
      open: (sealed, what, id) => open(keys, sealed, { what, accountId, mode, id }).toString('utf8'),
      hashToken: hash,
    }),
  }
}
