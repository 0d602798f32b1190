import { type Alternative, choicesAbout } from './choices-of.ts'
import { cleanText } from './json-ld.ts'
import { type AmountHint, readAmounts } from './money-text.ts'
import type { PageSnapshot } from './page-snapshot.ts'
import { findAllWords, findWords, tokensOf } from './words/words.ts'

export type DeliveryOption = {
  readonly ref: number
  /** Of a list; null where it is pressed itself. */
  readonly value: string | null
  readonly label: string
  /** In minor units; null where it is not shown, or not clear. */
  readonly amount: bigint | null
  /** The longest that it may take; null where the page does not say. */
  readonly days: number | null
  readonly isSelected: boolean
  /** The buyer would have to fetch it. */
  readonly isPickup: boolean
}

/** The ways of delivery that a page offers. */
export function deliveryOptions(snapshot: PageSnapshot, currency: string | null): DeliveryOption[] {
  const hint = { currency, language: snapshot.language }
  const [choice] = choicesAbout(snapshot, 'delivery')
  return (choice?.alternatives ?? [])
    .filter(({ isDisabled }) => !isDisabled)
    .map((alternative) => readOption(alternative, hint))
}

function readOption({ ref, value, text, isChosen }: Alternative, hint: AmountHint): DeliveryOption {
  const short = text.slice(0, 300)
  const amounts = new Set(readAmounts(short, hint).map(({ amount }) => amount))
  const [amount] = amounts
  return {
    ref,
    value,
    label: cleanText(short, 200) ?? '',
    amount: amounts.size === 1 && amount !== undefined && amount >= 0n ? amount : freeOrUnknown(short, hint),
    days: daysOf(short, hint.language),
    isSelected: isChosen,
    isPickup: findWords('deliveries', short, hint.language).some(({ key }) => key === 'pickup'),
  }
}

/** `Standard (3–5 days) – Free`: the free word ends a label that is too long to be an amount by itself. */
function freeOrUnknown(text: string, hint: AmountHint): bigint | null {
  if (readAmounts(text, hint).length > 0) return null
  const parts = text.split(/\s[-–—|·]\s|[()（）:：\n]/u)
  return parts.some((part) => readAmounts(part, hint)[0]?.amount === 0n) ? 0n : null
}

/** The longest time that a label names. Weeks are counted as their days. */
function daysOf(text: string, language: string): number | null {
  const tokens = tokensOf(text)
  const own = findWords('deliveries', text, language)
  const isTimed = own.some(({ key }) => key === 'days' || key === 'weeks' || key === 'tomorrow')
  const found = isTimed ? own : findAllWords('deliveries', text)
  const times = found.flatMap(({ key, start }) => {
    const number = Number(tokens[start - 1])
    if (key === 'today' || key === 'hours') return [0]
    if (key === 'tomorrow') return [1]
    if ((key !== 'days' && key !== 'weeks') || !Number.isInteger(number) || number > 120) return []
    return [key === 'weeks' ? number * 7 : number]
  })
  return times.length === 0 ? null : Math.max(...times)
}

/**
 * The option that is wanted and allowed; null where none is cheap enough. An option without a price is taken only where it is the only one:
 * the summary will say what it costs. `ship` never becomes a pickup.
 */
export function chooseDelivery(
  options: readonly DeliveryOption[],
  speed: 'cheapest' | 'fastest',
  feeAllowance: bigint,
): DeliveryOption | null {
  const delivered = options.filter(({ isPickup }) => !isPickup)
  const [only] = delivered
  if (delivered.length === 1 && only?.amount === null) return only
  const allowed = delivered.filter(({ amount }) => amount !== null && amount <= feeAllowance)
  const [best] = allowed.toSorted((a, b) =>
    speed === 'cheapest' ? byPrice(a, b) || byTime(a, b) : byTime(a, b) || byPrice(b, a),
  )
  if (best === undefined) return null
  // Where no time is said, what costs more is faster; where it is, of two as fast the cheaper one is wanted.
  if (speed === 'cheapest' || best.days === null) return best
  return allowed.filter(({ days }) => days === best.days).toSorted(byPrice)[0] ?? best
}

function byPrice(a: DeliveryOption, b: DeliveryOption): number {
  const [left, right] = [a.amount ?? 0n, b.amount ?? 0n]
  return left === right ? 0 : left < right ? -1 : 1
}

function byTime(a: DeliveryOption, b: DeliveryOption): number {
  return a.days === null && b.days === null
    ? 0
    : (a.days ?? Number.POSITIVE_INFINITY) - (b.days ?? Number.POSITIVE_INFINITY) || 0
}
