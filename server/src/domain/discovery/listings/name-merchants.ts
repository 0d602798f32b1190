import type { CallContext } from '../../../contract/context.ts'
import { checkAll, invalid, Problem } from '../../../contract/problem.ts'
import type { Id } from '../../../core/id.ts'
import { CatalogSources, type Source } from '../sources/public.ts'
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

type Asking = Pick<CallContext, 'reads' | 'tenant' | 'port'>

/** Those of our merchants, and those with a catalog elsewhere, that are named. Names that nobody has name nobody. */
export type Named = { readonly accounts: readonly Id<'acct'>[]; readonly sources: readonly Source[] }

export async function readNamed(ctx: Asking, refs: readonly MerchantRef[]): Promise<Named> {
  const { reads, tenant } = ctx
  const named = (name: keyof MerchantRef) => refs.flatMap((ref) => ref[name] ?? [])
  const [rows, sources] = await Promise.all([
    reads.rows(
      selectMerchantsNamed({
        mode: tenant.mode,
        ids: named('id'),
        slugs: named('slug'),
        domains: named('domain').map((domain) => domain.toLowerCase()),
      }),
    ),
    ctx.port(CatalogSources).named(tenant.mode, refs),
  ])
  return { accounts: rows.map(({ account_id }) => account_id), sources }
}

/** The one merchant that a request is about; throws 404 where there is none. */
export async function readOne(ctx: Asking, ref: MerchantRef): Promise<Named> {
  const named = await readNamed(ctx, [ref])
  if (named.accounts.length === 0 && named.sources.length === 0) throw nobodyNamed()
  return named
}

export function nobodyNamed(): Problem {
  return new Problem('not_found', { param: 'merchant' })
}
