/** The releases that the shop speaks, newest first. */
export const releases = ['2026-08-25', '2026-04-08', '2026-01-23', '2026-01-11'] as const

export type Release = (typeof releases)[number]

/** The first release: lists where the later ones have registries, and its own ways to pay and to refuse. */
export const firstRelease: Release = '2026-01-11'

export function releaseOf(text: string | undefined): Release | undefined {
  return releases.find((release) => release === text)
}

const all = releases
const fromApril: readonly Release[] = ['2026-08-25', '2026-04-08']

type Capability = { file: string; releases: readonly Release[]; extends?: string }

/** What the shop can do, with the releases that have it. */
export const capabilities: Readonly<Record<string, Capability>> = {
  'dev.ucp.shopping.checkout': { file: 'checkout', releases: all },
  'dev.ucp.shopping.order': { file: 'order', releases: all },
  'dev.ucp.shopping.fulfillment': {
    file: 'fulfillment',
    releases: all,
    extends: 'dev.ucp.shopping.checkout',
  },
  'dev.ucp.shopping.discount': { file: 'discount', releases: all, extends: 'dev.ucp.shopping.checkout' },
  'dev.ucp.shopping.cart': { file: 'cart', releases: fromApril },
  'dev.ucp.shopping.catalog.search': { file: 'catalog_search', releases: fromApril },
  'dev.ucp.shopping.catalog.lookup': { file: 'catalog_lookup', releases: fromApril },
}

export function capabilitiesAt(release: Release): string[] {
  return Object.keys(capabilities).filter((name) => capabilities[name]?.releases.includes(release))
}
