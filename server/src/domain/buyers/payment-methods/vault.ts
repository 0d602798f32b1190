import type { ActingContext } from '../../../contract/context.ts'
import { newToken } from '../../../platform/secrets/keyed-hash.ts'
import type { CardBrand } from './card-brand.ts'
import { insertVaultCard, selectVaultCard } from './payment-methods.sql.ts'

/** The data of a card in the vault. Each record is sealed under a key of its own, bound to its token and its owner. */
export type VaultedCard = {
  brand: CardBrand
  last4: string
  expMonth: number
  expYear: number
  /** What a processor gets for it: in test mode the identifier of the registered test card. */
  processorReference: string
  testCard: string | null
}

export const sealedAs = 'vault.card'

/** Our form of token: the card component makes them, and test-card identifiers are replaced by them. */
export const vaultTokenPattern = /^pr_vt_(test|live)_[0-9A-Za-z]{33}$/

/** Puts a card into the vault; returns its token. */
export function vaultCard(ctx: ActingContext, card: VaultedCard): string {
  const { accountId, mode } = ctx.tenant
  const token = newToken(`pr_vt_${mode}_`, ctx.random)
  const sealed = ctx.sealer.seal(JSON.stringify(card), sealedAs, token)
  ctx.tx.write(insertVaultCard({ account_id: accountId, mode, token, sealed, now: ctx.now }))
  return token
}

/** Opens a card for a payment. Null when this vault has no card with the token, or it was shredded. */
export async function openVaultedCard(
  ctx: Pick<ActingContext, 'tenant' | 'reads' | 'sealer'>,
  token: string,
): Promise<VaultedCard | null> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.reads.maybe(selectVaultCard({ account_id: accountId, mode, token }))
  return row ? (JSON.parse(ctx.sealer.open(row.sealed, sealedAs, token)) as VaultedCard) : null // sealed by `vaultCard`
}
