/** Where merchants that were made for the official suite of UCP are, which speaks the first release. All of them are of test mode. */
export const conformancePath = '/ucp/compat/2026-01-11'

export function conformanceAddress(publicUrl: string, slug: string): string {
  return `${publicUrl}${conformancePath}/${slug}`
}
