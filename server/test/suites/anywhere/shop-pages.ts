import type { CrashPoint } from '../../../src/platform/faults/faults.ts'

/** What a purchase at a stranger may end as. A charge is a purchase; everything else is no charge. */
export type End = 'bought' | 'not bought'

/** A point, or its second passing: once in each of two ways of buying. */
export type Point = CrashPoint | `${CrashPoint}:2`

/** A page of a shop, and the end of a purchase there in which nobody dies. */
export type Page = {
  readonly channel: 'ucp' | 'mpp' | 'browser'
  readonly shop: string
  readonly url: string
  readonly price: number
  readonly currency: string
  readonly variant?: Readonly<Record<string, unknown>>
  /** What a worker does for it, in this order. */
  readonly passes: readonly Point[]
  /** The browser reads a confirmation. */
  readonly isConfirmed: boolean
  readonly end: End
}

const begins = [
  'route.decided',
  'offer.before',
  'offer.after',
  'issue_credential.before',
  'issue_credential.after',
] as const
const begun = [...begins, 'place.before'] as const
const granted = [...begun, 'grant.before', 'grant.after'] as const
const revokes = ['revoke.before', 'revoke.after'] as const
const asks = ['ask.before', 'ask.after'] as const

const base = { currency: 'USD', isConfirmed: false } as const

function ucp(handle: string, passes: readonly CrashPoint[], end: End): Page {
  const url = `https://ucp.shop.test/products/${handle}`
  return { ...base, channel: 'ucp', shop: 'ucp', url, price: 2500, passes, end }
}

function mpp(path: string, passes: readonly CrashPoint[]): Page {
  const url = `https://mpp.shop.test/v1/${path}`
  return { ...base, channel: 'mpp', shop: 'mpp', url, price: 250, passes, end: 'bought' }
}

/** What is bought at a page, and its confirmation read, with the credential revoked at the end. */
function sold(shop: string, path: string, price: number, more: Partial<Page> = {}): Page {
  return {
    ...base,
    channel: 'browser',
    shop,
    url: `https://${shop}.shop.test/${path}`,
    price,
    passes: [...granted, 'place.after', ...revokes],
    isConfirmed: true,
    end: 'bought',
    ...more,
  }
}

/** The page says nothing of the order: the rail is asked. */
function unsaid(path: string, end: End): Page {
  const passes = [...granted, 'place.after', ...asks, ...revokes] as const
  return sold('slow', `product/${path}`, 2500, { passes, isConfirmed: false, end })
}

/** Pages that lead every process past every point, for each way of buying, and each kind of shop. */
export const pages: readonly Page[] = [
  ucp('kettle', [...begun, 'place.after', 'movements.read'], 'bought'),
  ucp('dies-after-order', ['place.before', 'place.after', ...asks], 'bought'),
  ucp('dies-before-order', [...asks, 'close.before', 'close.after', ...revokes], 'not bought'),
  ucp('declined', ['place.after', ...revokes], 'not bought'),
  mpp('forecast', [...begun, 'place.after']),
  mpp('dies-after-charge', ['place.before', 'place.after']),
  sold('classic', 'product/kettle', 4900),
  // Begun over UCP, and ended at the page of the shop.
  sold('ucp', 'products/escalates-at-update', 2500),
  sold('app', 'products/socks', 2400),
  sold('hosted', 'product/notebook', 1900),
  sold('laden', 'produkt/siebtraeger', 124_900, { currency: 'EUR' }),
  sold('choices', 'product/jacket', 8900, { variant: { sku: 'jacket-navy-slim-l' } }),
  sold('messy', 'p/7731', 3499),
  sold('drift', 'product/steady', 2000),
  sold('drift', 'product/cheaper-at-payment', 2000),
  sold('authorizes', 'product/part-shipped', 20_000, {
    passes: [...granted, 'place.after', ...revokes, 'charge.corrected'],
  }),
  sold('invoice', 'product/confirms-unpaid', 12_900, { end: 'not bought' }),
  sold('hostile', 'product/honest', 2000),
  sold('hostile', 'product/charges-twice', 2000),
  sold('hostile', 'product/submits-while-typing', 2000, { passes: [...granted, 'place.after'] }),
  sold('slow', 'product/steady', 2500),
  unsaid('dies-after-charge', 'bought'),
  unsaid('dies-before-charge', 'not bought'),
  unsaid('error-after-order', 'bought'),
  unsaid('error-before-order', 'not bought'),
  // Begun over UCP, and ended at the page that the shop names: also between the two.
  sold('ucp', 'products/escalates-at-update', 2500, {
    passes: [...granted, 'offer.before:2', 'offer.after:2', 'place.after', ...revokes],
  }),
]
