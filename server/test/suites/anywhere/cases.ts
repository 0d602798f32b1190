import type { CrashPoint } from '../../../src/platform/faults/faults.ts'

/** What a purchase at a stranger may end as. A charge is a purchase; everything else is no charge. */
type End = 'bought' | 'not bought'

/** Where the moment of a death decides, either is right, as long as everybody says the same. */
export type Expected = End | 'either'

/** A page of a shop, and the ends of a purchase there in which nobody dies. */
export type Page = {
  readonly channel: 'ucp' | 'mpp' | 'browser'
  readonly shop: string
  readonly url: string
  readonly price: number
  /** What a worker does for it, in this order. */
  readonly passes: readonly Death[]
  readonly end: End
}

/** A point, or its second passing: once in each of two ways of buying. */
type Death = CrashPoint | `${CrashPoint}:2`

const begins = ['offer.before', 'offer.after', 'issue.before', 'issue.after', 'place.before'] as const
const ucp = (handle: string) => `https://ucp.shop.test/products/${handle}`
const pageOf = (shop: string, handle: string) => `https://${shop}.shop.test/product/${handle}`

/** Pages that lead a worker past every point, for each way of buying. */
const pages: readonly Page[] = [
  {
    channel: 'ucp',
    shop: 'ucp',
    url: ucp('kettle'),
    price: 2500,
    passes: [...begins, 'place.after'],
    end: 'bought',
  },
  {
    channel: 'ucp',
    shop: 'ucp',
    url: ucp('dies-after-order'),
    price: 2500,
    passes: ['place.before', 'place.after', 'ask.before', 'ask.after'],
    end: 'bought',
  },
  {
    channel: 'ucp',
    shop: 'ucp',
    url: ucp('dies-before-order'),
    price: 2500,
    passes: ['ask.before', 'ask.after', 'close.before', 'close.after', 'revoke.before', 'revoke.after'],
    end: 'not bought',
  },
  {
    channel: 'ucp',
    shop: 'ucp',
    url: ucp('declined'),
    price: 2500,
    passes: ['place.after', 'revoke.before', 'revoke.after'],
    end: 'not bought',
  },
  {
    channel: 'mpp',
    shop: 'mpp',
    url: 'https://mpp.shop.test/v1/forecast',
    price: 250,
    passes: [...begins, 'place.after'],
    end: 'bought',
  },
  {
    channel: 'mpp',
    shop: 'mpp',
    url: 'https://mpp.shop.test/v1/dies-after-charge',
    price: 250,
    passes: ['place.before', 'place.after'],
    end: 'bought',
  },
  // Begun over UCP, and ended at the page of the shop: also between the two.
  {
    channel: 'browser',
    shop: 'ucp',
    url: ucp('escalates-at-update'),
    price: 2500,
    passes: [...begins, 'place.after', 'offer.before:2', 'offer.after:2'],
    end: 'bought',
  },
  {
    channel: 'browser',
    shop: 'classic',
    url: pageOf('classic', 'kettle'),
    price: 4900,
    passes: [...begins, 'place.after', 'revoke.before', 'revoke.after'],
    end: 'bought',
  },
  {
    channel: 'browser',
    shop: 'slow',
    url: pageOf('slow', 'error-after-order'),
    price: 2500,
    passes: ['place.after', 'ask.before', 'ask.after', 'revoke.before', 'revoke.after'],
    end: 'bought',
  },
  {
    channel: 'browser',
    shop: 'slow',
    url: pageOf('slow', 'error-before-order'),
    price: 2500,
    passes: ['place.after', 'ask.before', 'ask.after', 'revoke.before', 'revoke.after'],
    end: 'not bought',
  },
  {
    channel: 'browser',
    shop: 'invoice',
    url: pageOf('invoice', 'confirms-unpaid'),
    price: 12_900,
    passes: ['place.after', 'revoke.before', 'revoke.after'],
    end: 'not bought',
  },
]

/** Who dies: the worker at one of its points, or the browser process, so long after the order was written down. */
export type Case = { readonly page: Page } & (
  | { readonly dies: 'worker'; readonly point: Death }
  | { readonly dies: 'browser'; readonly afterMs: number }
)

/** From before the card is fetched until after the confirmation was read, at the shops to test with. */
const browserDeathsMs = { gate: [0, 350, 700], long: Array.from({ length: 30 }, (_, index) => index * 60) }

export function allCases(): Case[] {
  return [
    ...pages.flatMap((page) => page.passes.map((point) => ({ dies: 'worker' as const, page, point }))),
    ...browserDeaths(browserDeathsMs.long),
  ]
}

/** At the first of the pages, which takes the card at once. */
function browserDeaths(times: readonly number[]): Case[] {
  const page = pages.find(({ channel, shop }) => channel === 'browser' && shop === 'classic')
  return page ? times.map((afterMs) => ({ dies: 'browser', page, afterMs })) : []
}

/** Each point once, at the page where a death there can hurt most: where the shop may have been paid. */
export function gateCases(): Case[] {
  const cases = new Map<Death, Case>()
  const byHarm = [...pages].sort((one, other) => harmOf(one) - harmOf(other))
  for (const page of byHarm)
    for (const point of page.passes) cases.set(point, { dies: 'worker', page, point })
  return [...cases.values(), ...browserDeaths(browserDeathsMs.gate)]
}

function harmOf({ channel, end }: Page): number {
  return (channel === 'browser' ? 2 : 0) + (end === 'bought' ? 1 : 0)
}

/**
 * How a purchase ends in which a worker has died there. An order that was journaled and never sent is not sent by another worker, because
 * nobody knows that it was not. A paid request is: the same payment is taken once.
 */
export function endAfter(one: Case): Expected {
  if (one.dies === 'browser') return 'either'
  const { page, point } = one
  return point === 'place.before' && page.channel !== 'mpp' ? 'not bought' : page.end
}
