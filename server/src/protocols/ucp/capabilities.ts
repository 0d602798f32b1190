import type { Release } from './releases.ts'

type CapabilityFacts = {
  /** The first release that has it. */
  readonly since: Release
  /** Where its schema stands, below `schemas/` of a release. */
  readonly schema: string
  /** Where it is described, below `specification/` of the newest release. */
  readonly spec: string
  /** The capabilities that it extends. */
  readonly extends?: readonly CapabilityName[]
}

export type CapabilityName =
  | 'dev.ucp.shopping.catalog.search'
  | 'dev.ucp.shopping.catalog.lookup'
  | 'dev.ucp.shopping.cart'
  | 'dev.ucp.shopping.checkout'
  | 'dev.ucp.shopping.fulfillment'
  | 'dev.ucp.shopping.discount'
  | 'dev.ucp.shopping.order'

/** The protocol's capabilities that a party here can have. */
const facts: Readonly<Record<CapabilityName, CapabilityFacts>> = {
  'dev.ucp.shopping.catalog.search': {
    since: '2026-04-08',
    schema: 'shopping/catalog_search.json',
    spec: 'shopping/catalog/search',
  },
  'dev.ucp.shopping.catalog.lookup': {
    since: '2026-04-08',
    schema: 'shopping/catalog_lookup.json',
    spec: 'shopping/catalog/lookup',
  },
  'dev.ucp.shopping.cart': { since: '2026-04-08', schema: 'shopping/cart.json', spec: 'shopping/cart' },
  'dev.ucp.shopping.checkout': {
    since: '2026-01-23',
    schema: 'shopping/checkout.json',
    spec: 'shopping/checkout',
  },
  'dev.ucp.shopping.fulfillment': {
    since: '2026-01-23',
    schema: 'shopping/fulfillment.json',
    spec: 'fulfillment',
    extends: ['dev.ucp.shopping.checkout'],
  },
  'dev.ucp.shopping.discount': {
    since: '2026-01-23',
    schema: 'shopping/discount.json',
    spec: 'discount',
    extends: ['dev.ucp.shopping.checkout', 'dev.ucp.shopping.cart'],
  },
  'dev.ucp.shopping.order': { since: '2026-01-23', schema: 'shopping/order.json', spec: 'shopping/order' },
}

export type DeclaredCapability = {
  readonly version: Release
  readonly spec: string
  readonly schema: string
  readonly extends?: string | readonly string[]
  readonly config?: Readonly<Record<string, unknown>>
}

/** A capability as a profile of a release declares it; null: the release does not have it. */
export function declareCapability(
  name: CapabilityName,
  release: Release,
  config?: Readonly<Record<string, unknown>>,
): DeclaredCapability | null {
  const { since, schema, spec, extends: parents } = facts[name]
  if (release < since) return null
  return {
    version: release,
    spec: specUrl(release, spec),
    schema: `https://ucp.dev/${release}/schemas/${schema}`,
    ...(parents ? { extends: oneOrMany(parents.filter((parent) => facts[parent].since <= release)) } : {}),
    ...(config ? { config } : {}),
  }
}

/** Before the newest release no page stands below the name of its service. */
function specUrl(release: Release, spec: string): string {
  const page = release >= '2026-08-25' ? spec : spec.replace('shopping/', '')
  return `https://ucp.dev/${release}/specification/${page}`
}

/** A release before lists of parents takes a name alone. */
function oneOrMany(parents: readonly string[]): string | readonly string[] {
  const [only, ...others] = parents
  return only !== undefined && others.length === 0 ? only : parents
}
