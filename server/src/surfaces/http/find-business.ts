import { Problem } from '../../contract/problem.ts'
import type { Business, FindBusiness } from './businesses.ts'

/** The business of a path. Throws 404 where strangers may name none there. */
export async function requireBusiness(
  findBusiness: FindBusiness,
  mode: Business['mode'],
  slug: string | undefined,
): Promise<Business> {
  // What is no slug is not looked up: it may hold what the database refuses.
  const found = slug !== undefined && /^[a-z0-9-]{1,63}$/.test(slug) ? await findBusiness(mode, slug) : null
  if (!found || slug === undefined)
    throw new Problem('not_found', { message: 'There is no business at this address.' })
  return { accountId: found.accountId, mode, slug }
}
