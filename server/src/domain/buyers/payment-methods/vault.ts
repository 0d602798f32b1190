import type { ActingContext } from '../../../contract/context.ts'
import { newToken } from '../../../platform/secrets/keyed-hash.ts'
import type { CardBrand } from './card-brand.ts'
import { insertVaultCard, selectVaultCard } from './payment-methods.sql.ts'

/** What the vault keeps of a card. Sealed under a key of its own per record, bound to its token and its owner. */
export type VaultedCard = {
  brand: CardBrand
  last4: string
  expMonth: number
  expYear: number
  /** What a processor is sent for it: in test mode the identifier of the registered test card. */
  processorReference: string
  testCard: string | null
}

export const sealedAs = 'vault.card'

/** Our token form: what the card component mints, and what a test-card identifier is turned into. */
export const vaultTokenPattern = /^pr_vt_(test|live)_[0-9A-Za-z]{33}$/

/** Puts a card into the vault; returns the token it is found by. */
export function vaultCard(ctx: ActingContext, card: VaultedCard): string {
  const { accountId, mode } = ctx.tenant
  const token = newToken(`pr_vt_${mode}_`, ctx.random)
  const sealed = ctx.sealer.seal(JSON.stringify(card), sealedAs, token)
  ctx.tx.write(insertVaultCard({ account_id: accountId, mode, token, sealed, now: ctx.now }))
  return token
}

/** Opens a card for a payment. Null when there is none of this token here, or it was shredded. */
export async function openVaultedCard(
  ctx: Pick<ActingContext, 'tenant' | 'reads' | 'sealer'>,
  token: string,
): Promise<VaultedCard | null> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.reads.maybe(selectVaultCard({ account_id: accountId, mode, token }))
  return row ? (JSON.parse(ctx.sealer.open(row.sealed, sealedAs, token)) as VaultedCard) : null // sealed by `vaultCard`
}
