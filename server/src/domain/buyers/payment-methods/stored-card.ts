import type { CardBrand } from '../../../contract/card-brands.ts'
import type { ActingContext } from '../../../contract/context.ts'
import { newToken } from '../../../platform/secrets/keyed-hash.ts'
import { insertStoredCard, selectStoredCard } from './payment-methods.sql.ts'

/**
 * What API and workers keep of a card: never its number, which the vault alone has. Each record is sealed under a key of its own, bound
 * to its token and its owner.
 */
export type StoredCard = {
  brand: CardBrand
  last4: string
  expMonth: number
  expYear: number
  /** What a processor gets for it: in test mode the identifier of the registered test card. */
  processorReference: string
  testCard: string | null
}

/** A part of what is sealed, as the table's name and the token's are: it stays. */
export const sealedAs = 'vault.card'

/** Our form of token: the card component makes them, and test-card identifiers are replaced by them. */
export const cardTokenPattern = /^pr_vt_(test|live)_[0-9A-Za-z]{33}$/

/** Keeps a card; returns its token. */
export function storeCard(ctx: ActingContext, card: StoredCard): string {
  const { accountId, mode } = ctx.tenant
  const token = newToken(`pr_vt_${mode}_`, ctx.random)
  const sealed = ctx.sealer.seal(JSON.stringify(card), sealedAs, token)
  ctx.tx.write(insertStoredCard({ account_id: accountId, mode, token, sealed, now: ctx.now }))
  return token
}

/** Opens a card for a payment. Null when no card has the token, or it was shredded. */
export async function openStoredCard(
  ctx: Pick<ActingContext, 'tenant' | 'reads' | 'sealer'>,
  token: string,
): Promise<StoredCard | null> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.reads.maybe(selectStoredCard({ account_id: accountId, mode, token }))
  return row ? (JSON.parse(ctx.sealer.open(row.sealed, sealedAs, token)) as StoredCard) : null // sealed by `storeCard`
}
