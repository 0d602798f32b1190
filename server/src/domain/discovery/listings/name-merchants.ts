import type { CallContext } from '../../../contract/context.ts'
import { checkAll, invalid, Problem } from '../../../contract/problem.ts'
import type { Id } from '../../../core/id.ts'
import { selectMerchantsNamed } from './listings.sql.ts'
import { type MerchantRef, searchRules } from './search-request.ts'

/** Each is named by exactly one of its names; throws 422 otherwise. */
export function requireOneName(refs: readonly { ref: MerchantRef; loc: (string | number)[] }[]): void {
  checkAll(
    ...refs.map(({ ref, loc }) => () => {
      if ([ref.id, ref.slug, ref.domain].filter((name) => name !== undefined).length !== 1)
        throw invalid(loc, searchRules.one_name)
    }),
  )
}

/** The accounts of the merchants that are named. Names that nobody has name nobody. */
export async function readNamed(
  { reads, tenant }: Pick<CallContext, 'reads' | 'tenant'>,
  refs: readonly MerchantRef[],
): Promise<Id<'acct'>[]> {
  const named = (name: keyof MerchantRef) => refs.flatMap((ref) => ref[name] ?? [])
  const rows = await reads.rows(
    selectMerchantsNamed({
      mode: tenant.mode,
      ids: named('id'),
      slugs: named('slug'),
      domains: named('domain').map((domain) => domain.toLowerCase()),
    }),
  )
  return rows.map(({ account_id }) => account_id)
}

/** The one merchant that a request is about; throws 404 where there is none. */
export async function readOne(
  ctx: Pick<CallContext, 'reads' | 'tenant'>,
  ref: MerchantRef,
): Promise<Id<'acct'>> {
  const [account] = await readNamed(ctx, [ref])
  if (account === undefined) throw new Problem('not_found', { param: 'merchant' })
  return account
}
