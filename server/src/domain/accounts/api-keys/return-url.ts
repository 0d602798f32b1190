import type { CallContext } from '../../../contract/context.ts'
import { invalid } from '../../../contract/problem.ts'
import { selectElementOrigin } from './key-lookups.sql.ts'

export const returnRules = {
  page: 'this must be the address of a page of yours, by https, or in test mode by http on localhost',
  stranger:
    'the page must be on an origin of a publishable key that shows components: allow it with `prokura keys create --kind publishable --capability elements --origin …`',
}

/** Our page sends a person to nobody whom the account has not named. */
export async function checkReturnUrl(ctx: CallContext, field: string, given: string): Promise<string> {
  const { accountId: account_id, mode } = ctx.tenant
  const at = ['body', field]
  const url = URL.canParse(given) ? new URL(given) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && mode === 'test')
  if (url === null || !isSafe || url.username !== '' || url.password !== '')
    throw invalid(at, returnRules.page)
  const known = await ctx.reads.maybe(selectElementOrigin({ account_id, mode, origin: url.origin }))
  // guard no-strangers-page: our page never sends a person to a page that the account has not named
  if (known === null) throw invalid(at, returnRules.stranger)
  return url.href
}
