import type { Mode, Reads } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { selectPublicMerchant } from './merchant.sql.ts'

/** The merchant of a slug, if strangers may name it: see `isPublicInMode`. */
export async function findPublicMerchant(
  reads: Pick<Reads, 'maybe'>,
  mode: Mode,
  slug: string,
): Promise<{ accountId: Id<'acct'> } | null> {
  const found = await reads.maybe(selectPublicMerchant({ mode, slug }))
  return found && { accountId: found.account_id }
}
