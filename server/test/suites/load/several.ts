import { shuffled } from '../random.ts'

/** Merchants over whom a purchase can be spread, each with its key, and what each of their things costs. */
export type ShopsOrder = { price: number; shops: readonly { domain: string; key: string }[] }

/** How a merchant takes an order, which its backend reads from the name of what is bought. */
export const shopWays = ['ok', 'rejected_once', 'rejected_twice', 'out_of_stock'] as const
type ShopWay = (typeof shopWays)[number]

/** Three and four merchants, of whom each in turn is the one that turns its cart away twice. */
const everyPosition = [3, 4].flatMap((count) =>
  Array.from({ length: count }, (_, at) =>
    Array.from({ length: count }, (_, position): ShopWay => (position === at ? 'rejected_twice' : 'ok')),
  ),
)

/** So many purchases come to every position. */
export const severalFirst = everyPosition.length

/** Where a shop sells what it takes orders for in this way. */
export function shopUrl(domain: string, way: ShopWay): string {
  return `https://${domain}/items/${way}`
}

/**
 * What one purchase is of: in the first ones every position once, later any one or two of them. The URLs are the purchase's own, as what
 * a merchant answers depends on how often it was asked for the same; to the service the mark in them says nothing.
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
