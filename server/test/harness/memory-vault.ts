import { randomBytes } from 'node:crypto'
import type { CardVault } from '../../src/domain/buyers/payment-methods/port.ts'
import type { TypedCodes } from '../../src/domain/buying/intents/decide/payment-proofs.ts'
import { newToken } from '../../src/platform/secrets/keyed-hash.ts'
import type { CardRecord, VaultTenant } from '../../src/platform/vault-client/vault-words.ts'
import { keepCode, takeCode } from '../../src/vault/code-tokens.ts'
import { SecurityCodes } from '../../src/vault/security-codes.ts'

/** A vault that knows of cards what the API is told of them. */
export type MemoryVault = CardVault &
  TypedCodes & {
    /** A card that a person has entered; its token. */
    keep(tenant: VaultTenant, card?: Partial<CardRecord>): string
    has(token: string): boolean
    /** A security code that a person of the profile has typed; its token. */
    type(tenant: VaultTenant, profile: string, code: string): string
    /** From here on it answers nothing, or everything again. */
    away: boolean
  }

export function createMemoryVault(): MemoryVault {
  const cards = new Map<string, { readonly owner: string; readonly record: CardRecord }>()
  const codes = new SecurityCodes()
  const ownerOf = ({ accountId, mode }: VaultTenant) => `${accountId} ${mode}`
  return {
    away: false,
    keep(tenant, card = {}) {
      const id = newToken(`pr_vt_${tenant.mode}_`, randomBytes)
      const usual = { brand: 'visa', last4: '4242', expMonth: 1, expYear: 2030, testCard: null }
      cards.set(id, { owner: ownerOf(tenant), record: { ...usual, ...card, id } })
      return id
    },
    has: (token) => cards.has(token),
    type: (tenant, profile, code) => keepCode(codes, { tenant, profile }, code),
    async takeCode(asked) {
      return this.away ? { kind: 'away' } : takeCode(codes, asked)
    },
    async describe(tenant, token) {
      if (this.away) return { kind: 'away' }
      const found = cards.get(token)
      if (found?.owner !== ownerOf(tenant)) return { kind: 'none' }
      return { kind: 'record', record: found.record }
    },
    async shred(tenant, token) {
      if (this.away) return { kind: 'away' }
      if (cards.get(token)?.owner === ownerOf(tenant)) cards.delete(token)
      return { kind: 'gone' }
    },
  }
}
