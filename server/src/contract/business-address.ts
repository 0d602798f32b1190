import type { Mode } from './context.ts'

/** Where the merchants of a mode are over UCP. Slugs are unique in their mode, and test mode must not be taken for live mode. */
export const businessPaths = { live: '/ucp/m', test: '/ucp/test/m' } as const satisfies Record<Mode, string>

/** The address of a merchant over UCP: what its profile calls its endpoint. */
export function businessAddress(publicUrl: string, { mode, slug }: { mode: Mode; slug: string }): string {
  return `${publicUrl}${businessPaths[mode]}/${slug}`
}

/** Where the merchants of a mode are over MPP. */
export const paidPaths = { live: '/mpp/m', test: '/mpp/test/m' } as const satisfies Record<Mode, string>

/** The address of a merchant over MPP: what its manifest calls its service. */
export function paidAddress(publicUrl: string, { mode, slug }: { mode: Mode; slug: string }): string {
  return `${publicUrl}${paidPaths[mode]}/${slug}`
}
