import { shuffled } from '../random.ts'

/** A merchant, with the variants that a checkout names. */
type ShopOrder = { domain: string; key: string; slug: string; variants: Readonly<Record<string, string>> }

/** Merchants for purchases from several, each with its key, and the price of each of their items. */
export type ShopsOrder = { price: number; shops: readonly ShopOrder[] }

/** How a merchant takes an order. Its backend reads that from the name of the item. */
export const shopWays = ['ok', 'rejected_once', 'rejected_twice', 'out_of_stock'] as const
export type ShopWay = (typeof shopWays)[number]

/** Three and four merchants. Each of them in turn rejects its cart twice. */
const everyPosition = [3, 4].flatMap((count) =>
  Array.from({ length: count }, (_, at) =>
    Array.from({ length: count }, (_, position): ShopWay => (position === at ? 'rejected_twice' : 'ok')),
  ),
)

/** After this many purchases every position has occurred. */
export const severalFirst = everyPosition.length

/** The URL at a shop of the item whose orders it takes in this way. */
export function shopUrl(domain: string, way: ShopWay): string {
  return `https://${domain}/items/${way}`
}

/**
 * The items of one purchase: in the first purchases every position once, later any one or two of them. The URLs are the purchase's own,
 * since the answer of a merchant depends on how often it got the same item. The service ignores the mark in them.
 */
export function severalUrls(
  { shops }: ShopsOrder,
  { reference, first }: { reference: string; first: number | null },
  random: () => number,
): string[] {
  const ways = (first === null ? null : everyPosition[first]) ?? anyWays(random)
  return shuffled(shops, random)
    .slice(0, ways.length)
    .map(({ domain }, position) => `${shopUrl(domain, ways[position] ?? 'ok')}?utm_campaign=${reference}`)
}

const refusals: readonly ShopWay[] = ['rejected_once', 'rejected_twice', 'out_of_stock']

function anyWays(random: () => number): ShopWay[] {
  const count = random() < 0.5 ? 3 : 4
  const refusing = random() < 0.3 ? 2 : 1
  const places = shuffled(
    Array.from({ length: count }, (_, place) => place),
    random,
  )
  const ways = Array.from({ length: count }, (): ShopWay => 'ok')
  for (const place of places.slice(0, refusing))
    ways[place] = refusals[Math.floor(random() * refusals.length)] ?? 'rejected_once'
  return ways
}
