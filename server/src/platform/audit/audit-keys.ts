import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { keyedHash } from '../secrets/keyed-hash.ts'
import type { KeyProvider } from '../secrets/keys.ts'

/** The keys that sign the audit chains. They are not in the database; each is derived from an encryption key and has its name. */
export type AuditKeys = {
  /** New entries are signed with this one. */
  readonly currentId: string
  /** Throws `UnknownKeyError` when this installation does not hold the key. */
  sign(keyId: string, text: string): Buffer
}

export function createAuditKeys(provider: KeyProvider): AuditKeys {
  const derived = new Map<string, KeyObject>()
  const keyOf = (id: string) => {
    const known = derived.get(id)
    if (known) return known
    const made = createSecretKey(
      Buffer.from(hkdfSync('sha256', provider.key(id), '', 'prokura/audit-chain/v2', 32)),
    )
    derived.set(id, made)
    return made
  }
  return { currentId: provider.currentId, sign: (keyId, text) => keyedHash(keyOf(keyId), text) }
}
