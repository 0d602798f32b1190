import { assignFields } from './field-of.ts'
import { cleanText } from './json-ld.ts'
import { type AmountHint, readAmounts } from './money-text.ts'
import type { Control, PageSnapshot } from './page-snapshot.ts'
import { findAllWords, findWords, tokensOf } from './words/words.ts'

export type DeliveryOption = {
  readonly ref: number
  /** Of a select; null for a radio. */
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

/** The ways of delivery that a page offers: the group of radios, or the select, that speaks of them most. */
export function deliveryOptions(snapshot: PageSnapshot, currency: string | null): DeliveryOption[] {
  const hint = { currency, language: snapshot.language }
  const groups = [...radioGroups(snapshot), ...selects(snapshot)]
    .map((group) => ({ group, score: scoreOf(group, snapshot.language) }))
    .filter(({ score }) => score >= 1)
    .sort((a, b) => b.score - a.score)
  return (groups[0]?.group.choices ?? []).map((choice) => readOption(choice, hint))
}

type Choice = {
  readonly ref: number
  readonly value: string | null
  readonly text: string
  readonly isSelected: boolean
}

type Group = { readonly about: string; readonly choices: readonly Choice[] }

function radioGroups({ controls }: PageSnapshot): Group[] {
  const groups = new Map<string, Control[]>()
  for (const control of controls) {
    if (control.kind !== 'radio' || control.isDisabled) continue
    const key = `${control.form} ${control.name || control.group}`
    groups.set(key, [...(groups.get(key) ?? []), control])
  }
  return [...groups.values()].map((radios) => ({
    about: `${radios[0]?.group ?? ''} . ${radios[0]?.name.replace(/[_[\].-]/gu, ' ') ?? ''}`,
    choices: radios.map(({ ref, label, near, isChecked }) => ({
      ref,
      value: null,
      // The price often stands beside the label, not in it.
      text: near !== '' && !label.includes(near) ? `${label} ${near}` : label,
      isSelected: isChecked,
    })),
  }))
}

/** A list that asks for a part of an address, or for a date, is none of ways: `shipping_state`. Nor is one that neither speaks of them nor has a price. */
function selects(snapshot: PageSnapshot): Group[] {
  const fields = assignFields(snapshot)
  const hint = { currency: null, language: snapshot.language }
  return snapshot.controls
    .filter(({ kind, isDisabled, ref }) => kind === 'select' && !isDisabled && !fields.has(ref))
    .filter(({ options }) =>
      options.some(
        ({ text }) =>
          findWords('deliveries', text.slice(0, 200), snapshot.language).length > 0 ||
          readAmounts(text.slice(0, 200), hint).length > 0,
      ),
    )
    .map(({ ref, label, near, name, options }) => ({
      about: `${label} . ${near} . ${name.replace(/[_[\].-]/gu, ' ')}`,
      choices: options
        .filter(({ isDisabled, value }) => !isDisabled && value !== '')
        .map(({ value, text, isSelected }) => ({ ref, value, text, isSelected })),
    }))
}

/** How much of a group speaks of delivery. What speaks of payment does not. */
function scoreOf({ about, choices }: Group, language: string): number {
  const named = findWords('deliveries', about.slice(0, 300), language).some(({ key }) => key === 'method')
    ? 1
    : 0
  if (choices.length === 0) return 0
  const paid = choices.filter(
    ({ text }) => findWords('payments', text.slice(0, 200), language).length > 0,
  ).length
  const said = choices.filter(
    ({ text }) => findWords('deliveries', text.slice(0, 200), language).length > 0,
  ).length
  if (paid > said) return 0
  return named + (named > 0 || said === choices.length ? said / choices.length : 0)
}

function readOption({ ref, value, text, isSelected }: Choice, hint: AmountHint): DeliveryOption {
  const short = text.slice(0, 300)
  const amounts = new Set(readAmounts(short, hint).map(({ amount }) => amount))
  const [amount] = amounts
  return {
    ref,
    value,
    label: cleanText(short, 200) ?? '',
    amount: amounts.size === 1 && amount !== undefined && amount >= 0n ? amount : freeOrUnknown(short, hint),
    days: daysOf(short, hint.language),
    isSelected,
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
