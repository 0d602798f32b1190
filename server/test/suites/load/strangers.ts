import { shuffled } from '../random.ts'

/** A page of a shop that has never heard of us, and what one of it costs there, without delivery and tax. */
export type StrangerItem = { url: string; amount: number }

/** What the shops of pages sell in a load: a browser is needed for it, and seconds of its time. */
export type PagesOrder = { numbers: readonly number[]; item: StrangerItem }

/** How a shop that speaks UCP takes an order. Those that need a minute or a person are left to tests of their own. */
const ucpWays = [
  'takes-its-time',
  'dies-before-order',
  'dies-after-order',
  'declined',
  'asks-more',
  'dearer-at-complete',
  'garbage-at-complete',
  'busy',
] as const
/** How an API answers that is paid by the request. */
const mppWays = [
  'dies-before-charge',
  'dies-after-charge',
  'no-receipt',
  'asks-again',
  'error-after-charge',
  'declined',
  'asks-more',
] as const

/** What every shop with pages is asked for. */
const pageItem: StrangerItem = { url: 'https://classic.shop.test/product/kettle', amount: 4_900 }

/** The first is under way when the first blow falls; the machine is never busy with two of them. */
export const pagesOrder: PagesOrder = { numbers: [24, 70, 120], item: pageItem }

/** The items of one purchase: at one of the two kinds of shops, or at both. */
export function strangerItems(random: () => number): StrangerItem[] {
  const chosen = shuffled([ucpItem(random), mppItem(random)], random)
  return random() < 0.3 ? chosen : chosen.slice(0, 1)
}

function ucpItem(random: () => number): StrangerItem {
  const handle = random() < 0.5 ? 'kettle' : (ucpWays[Math.floor(random() * ucpWays.length)] ?? 'kettle')
  return { url: `https://ucp.shop.test/products/${handle}`, amount: 2_500 }
}

function mppItem(random: () => number): StrangerItem {
  const api = random() < 0.5 ? 'forecast' : (mppWays[Math.floor(random() * mppWays.length)] ?? 'forecast')
  return { url: `https://mpp.shop.test/v1/${api}`, amount: 250 }
}
