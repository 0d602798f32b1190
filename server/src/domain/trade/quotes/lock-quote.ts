import type { CallContext } from '../../../contract/context.ts'
import type { QuoteAsRead } from './quote.ts'
import { lockQuoteForShare, lockQuote as lockRow } from './quotes.sql.ts'

type Locking = Pick<CallContext, 'tenant' | 'tx'>

/** Locks the quote until the transaction ends: of two decisions about it, the second sees the first. */
export function lockQuote(ctx: Locking, id: string): Promise<QuoteAsRead | null> {
  return ctx.tx.maybe(lockRow({ ...tenanted(ctx), id }))
}

/** The same, with the commit: the transaction ends with a serialization failure where the quote has changed by now. */
export function requireQuoteAsRead(ctx: Locking, { id, seq }: { id: string; seq: number }): void {
  ctx.tx.write(lockQuoteForShare({ ...tenanted(ctx), id, seq }))
}

function tenanted({ tenant }: Locking) {
  return { account_id: tenant.accountId, mode: tenant.mode }
}
