import type { PriceLine } from './price-lines.ts'
import type { Price } from './product.ts'

/**
 * What one unit costs a guest now. `structured`: what the data of the page says, each only once; `shown`: what stands below the title. Null:
 * nothing says it, or what says it contradicts.
 */
export function priceOf(structured: readonly Price[], shown: readonly PriceLine[]): Price | null {
  const seen = seenPrice(shown)
  const [only, ...more] = structured
  if (only === undefined) return seen.kind === 'one' ? seen.price : null
  switch (seen.kind) {
    case 'one':
      return settled(structured, seen.price, shown)
    case 'several': {
      const agreed = structured.filter((one) => seen.amounts.some((amount) => amount === one.amount))
      const [lowest] = [...seen.amounts].sort((a, b) => (a < b ? -1 : 1))
      const [first] = agreed
      return agreed.length === 1 &&
        first !== undefined &&
        (seen.isFirst === first.amount || first.amount === lowest)
        ? first
        : null
    }
    case 'none':
    case 'unread':
      return more.length === 0 && !contradicts(only, shown) ? only : null
    default:
      return seen satisfies never
  }
}

/** Data and page differ: what a guest sees is what a guest pays, unless one of the two is likely misread. */
function settled(structured: readonly Price[], seen: Price, shown: readonly PriceLine[]): Price | null {
  if (structured.some((one) => isSame(one, seen))) return seen
  const [one, ...more] = structured
  if (one === undefined || more.length > 0 || one.currency !== seen.currency) return null
  const lines = shown.filter(({ amount }) => amount === seen.amount)
  if (!lines.some(({ isMarked }) => isMarked)) return null
  // In minor units by mistake.
  if (one.amount === seen.amount * 100n) return lines.some(({ hasCents }) => hasCents) ? seen : null
  const isNear = one.amount < seen.amount * 3n && seen.amount < one.amount * 3n
  const isStated = lines.some(({ role }) => role === 'now')
  const inOther = shown.filter(({ amount }) => amount === one.amount)
  // An old price that is still in the data.
  if (inOther.length > 0) return inOther.every(({ role }) => role === 'was' || role === 'usual') ? seen : null
  return isNear || isStated ? seen : null
}

function isSame(one: Price, other: Price): boolean {
  return one.amount === other.amount && one.currency === other.currency
}

/** What is shown leaves no room for what the data says. */
function contradicts({ amount }: Price, shown: readonly PriceLine[]): boolean {
  const same = shown.filter((line) => line.amount === amount)
  if (same.some(({ role }) => role === 'unknown')) return false
  if (same.length > 0) return true
  return shown.some(
    (line) =>
      (line.role === 'unknown' &&
        line.amount !== null &&
        line.amount < amount &&
        line.amount * 3n > amount) ||
      (line.role === 'from' && line.amount !== null && line.amount > amount),
  )
}

type Seen =
  | { readonly kind: 'none' }
  /** There is an amount that can be read in two ways. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'one'; readonly price: Price }
  | { readonly kind: 'several'; readonly amounts: readonly bigint[]; readonly isFirst: bigint | null }

/** What the page shows as the price, in the first place that shows one. */
function seenPrice(shown: readonly PriceLine[]): Seen {
  const hasMarks = shown.some(({ isMarked, role }) => isMarked && isCurrent(role))
  const lines = hasMarks ? shown.filter(({ isMarked, role }) => isMarked || !isCurrent(role)) : shown
  for (const block of new Set(lines.map((line) => line.block))) {
    const here = lines.filter((line) => line.block === block)
    const seen = seenIn(here)
    if (seen.kind === 'none') continue
    if (seen.kind !== 'one') return seen
    // What is asked for less further below may be the price, and this the one before.
    const lower = lines.find(
      (line) =>
        line.block > block &&
        (line.role === 'now' || line.role === 'plain' || line.role === 'unknown') &&
        line.amount !== null &&
        line.amount < seen.price.amount &&
        line.amount * 10n > seen.price.amount * (line.role === 'now' ? 1n : 3n),
    )
    const isStated = here.some(({ role, amount }) => role === 'now' && amount === seen.price.amount)
    // Two editions, two sizes: each with its name above it.
    const isNamed = here.some((line) => line.isNamed && line.amount === seen.price.amount)
    const next = lines.find(
      (line) =>
        line.block > block && line.isNamed && isCurrent(line.role) && line.amount !== seen.price.amount,
    )
    if (isNamed && next?.amount != null)
      return { kind: 'several', amounts: [seen.price.amount, next.amount], isFirst: seen.price.amount }
    if (lower?.amount != null && !isStated)
      return { kind: 'several', amounts: [seen.price.amount, lower.amount], isFirst: seen.price.amount }
    return seen
  }
  return { kind: 'none' }
}

function isCurrent(role: PriceLine['role']): boolean {
  return role === 'now' || role === 'plain' || role === 'each' || role === 'usual'
}

const nothing = { kind: 'none' } as const

function seenIn(block: readonly PriceLine[]): Seen {
  const tiers = [['now'], ['plain'], ['usual'], ['each']] as const
  const isUnclear = block.some(({ role, amount }) => amount === null && role !== 'other')
  if (isUnclear) return { kind: 'unread' }
  for (const tier of tiers) {
    const found = block.filter(({ role }) => role === tier[0])
    const amounts = [...new Set(found.map(({ amount }) => amount))].filter((amount) => amount !== null)
    const [first, second] = amounts
    if (first === undefined) continue
    const price = found[0]
    if (price === undefined || first <= 0n || price.currency === null)
      return { kind: 'several', amounts, isFirst: null }
    const lower = block.find(
      ({ role, amount }) =>
        amount !== null &&
        amount < first &&
        amount * 10n > first * 3n &&
        (role === 'unknown' || role === 'plain' || role === 'now'),
    )
    const isRange = block.some(({ role, amount }) => role === 'from' && amount !== null && amount > first)
    if (lower !== undefined && second === undefined)
      return { kind: 'several', amounts: [first, lower.amount ?? 0n], isFirst: null }
    if (isRange) return nothing
    if (second === undefined) return { kind: 'one', price: { amount: first, currency: price.currency } }
    // The current price, then the one before; or the price, and something small beside it.
    const isFirst =
      amounts.length === 2 && (second > first ? second <= first * 4n : second * 10n < first * 3n)
    return isFirst
      ? { kind: 'one', price: { amount: first, currency: price.currency } }
      : { kind: 'several', amounts, isFirst: null }
  }
  return nothing
}
