import type { CallContext } from '../../../contract/context.ts'
import type { QuoteRow } from './quote.ts'
import { lockQuoteForShare, lockQuote as lockRow } from './quotes.sql.ts'

type Locking = Pick<CallContext, 'tenant' | 'tx'>

/** Holds the quote until the transaction ends: of two decisions about it, the second sees the first. */
export function lockQuote(ctx: Locking, id: string): Promise<QuoteRow | null> {
  return ctx.tx.maybe(lockRow({ ...tenanted(ctx), id }))
}

/** With the commit: the same, and the transaction ends as one that cannot be serialized where the quote is another by now. */
export function requireQuoteAsRead(ctx: Locking, { id, seq }: { id: string; seq: number }): void {
  ctx.tx.write(lockQuoteForShare({ ...tenanted(ctx), id, seq }))
}

function tenanted({ tenant }: Locking) {
  return { account_id: tenant.accountId, mode: tenant.mode }
}
