import type { ShopItem } from '../../channels/browser/shopping-words.ts'
import { cleanText } from './json-ld.ts'
import type { Product, ProductVariant } from './product.ts'
import type { VariantGroup, VariantOption } from './variant-groups.ts'
import { isSameName, plainOption } from './variant-text.ts'
import { findAllWords } from './words/words.ts'

type VariantMatch =
  | { readonly kind: 'choose'; readonly steps: readonly VariantStep[] }
  /** Several are possible. The message names them. */
  | { readonly kind: 'ask'; readonly message: string }
  | { readonly kind: 'sold_out' }
  | { readonly kind: 'none_such' }

export type VariantStep = {
  readonly group: string
  readonly text: string
  readonly ref: number
  readonly optionValue: string | null
  readonly isSelected: boolean
}

/** What has to be chosen for the variant that is wanted. Nothing is chosen for a buyer who has a choice. */
export function matchVariant(
  groups: readonly VariantGroup[],
  product: Product,
  wanted: ShopItem['variant'],
): VariantMatch {
  const selections = selectionsOf(groups, product, wanted)
  if (selections === null) return { kind: 'none_such' }
  const picked = new Map<VariantGroup, VariantOption>()
  for (const { name, value } of selections) {
    const found = findOption(groups, name, value)
    if (found === null) {
      if (isOnly(product, name, value)) continue
      return { kind: 'none_such' }
    }
    const other = picked.get(found.group)
    if (other !== undefined && other !== found.option) return { kind: 'none_such' }
    picked.set(found.group, found.option)
  }
  // What is disabled may be so for a choice that another of the same purchase takes back.
  const isGone = [...picked.values()].some(({ isDisabled }) => isDisabled)
  const matrix = judgeByVariants(product, selections, groups)
  if (matrix !== null) return matrix
  return isGone ? { kind: 'sold_out' } : completed(groups, product, picked)
}

type Selection = { readonly name: string; readonly value: string }

/** The wanted variant as choices; null where the page has no such variant. */
function selectionsOf(
  groups: readonly VariantGroup[],
  product: Product,
  wanted: ShopItem['variant'],
): readonly Selection[] | null {
  const selections = wanted?.selections ?? []
  const keys = [wanted?.id, wanted?.sku].filter((key) => key !== undefined && key !== '')
  if (keys.length === 0 || selections.length > 0) return selections
  const variant = product.variants.find(({ id, sku }) => keys.includes(id ?? '') || keys.includes(sku ?? ''))
  if (variant !== undefined && (variant.options.length > 0 || groups.length === 0)) return variant.options
  const direct = groups.flatMap(({ name, options }) =>
    options
      .filter(({ optionValue }) => keys.includes(optionValue ?? ''))
      .map(({ text }) => ({ name, value: text })),
  )
  if (direct.length > 0) return direct
  if (variant?.title) return titled(groups, variant.title)
  const isSame = keys.includes(product.sku ?? '') || (product.sku === null && product.variants.length === 0)
  const isSet = groups.every(({ isPreset }) => isPreset) && groups.length > 0
  return (isSame && (groups.length === 0 || isSet)) || isSet ? [] : null
}

/** A variant that has only a name of its own: `Runner – 42`. */
function titled(groups: readonly VariantGroup[], title: string): readonly Selection[] | null {
  const words = ` ${plainOption(title.replace(/[-–—|/,()]/gu, ' '))} `
  const found = groups.map(({ name, options }) => ({
    name,
    values: options.filter(({ text }) => words.includes(` ${plainOption(text)} `)),
  }))
  if (found.some(({ values }) => values.length !== 1)) return null
  return found.flatMap(({ name, values }) => values.map(({ text }) => ({ name, value: text })))
}

function findOption(
  groups: readonly VariantGroup[],
  name: string,
  value: string,
): { group: VariantGroup; option: VariantOption } | null {
  const wanted = plainOption(value)
  const inGroup = (group: VariantGroup) =>
    group.options.find(({ text }) => plainOption(text) === wanted) ??
    group.options.find(({ optionValue }) => optionValue !== null && plainOption(optionValue) === wanted)
  const named = groups.filter((group) => isSameName(group.name, name))
  // A group without a name that says anything is known by its values.
  const candidates = (named.length > 0 ? named : groups).flatMap((group) => {
    const option = inGroup(group)
    return option === undefined ? [] : [{ group, option }]
  })
  return candidates.length === 1 ? (candidates[0] ?? null) : null
}

/** All that is sold here has this value, so that there is nothing to choose. */
function isOnly(product: Product, name: string, value: string): boolean {
  return (
    product.variants.length > 0 &&
    product.variants.every(({ options }) => options.some((one) => agrees(one, { name, value })))
  )
}

function agrees(one: Selection, wanted: Selection): boolean {
  return isSameName(one.name, wanted.name) && plainOption(one.value) === plainOption(wanted.value)
}

/** What the list of variants says of the choices, where it is complete enough to say anything. */
function judgeByVariants(
  { variants }: Product,
  selections: readonly Selection[],
  groups: readonly VariantGroup[],
): VariantMatch | null {
  const described = variants.filter(({ options }) => options.length > 0)
  if (selections.length === 0 || described.length === 0 || described.length < variants.length) return null
  const names = described[0]?.options.map(({ name }) => name) ?? []
  const isAbout = (selection: Selection) => names.some((name) => isSameName(name, selection.name))
  if (!selections.every(isAbout) || groups.length === 0) return null
  const possible = described.filter((variant) => fits(variant, selections))
  if (possible.length === 0) return { kind: 'none_such' }
  return possible.every(({ availability }) => availability === 'out') ? { kind: 'sold_out' } : null
}

function fits({ options }: ProductVariant, selections: readonly Selection[]): boolean {
  return selections.every((selection) => options.some((one) => agrees(one, selection)))
}

/** Adds what nothing was said about, where only one thing is possible. */
function completed(
  groups: readonly VariantGroup[],
  product: Product,
  picked: ReadonlyMap<VariantGroup, VariantOption>,
): VariantMatch {
  const steps: VariantStep[] = []
  const open: { group: VariantGroup; options: readonly VariantOption[] }[] = []
  for (const group of groups) {
    const chosen =
      picked.get(group) ?? (group.isPreset ? group.options.find((one) => one.isSelected) : undefined)
    const left = chosen === undefined ? possibleIn(group, product, picked) : [chosen]
    const [only] = left
    if (only === undefined) return { kind: 'sold_out' }
    if (left.length === 1)
      steps.push({
        group: group.name,
        text: only.text,
        ref: only.ref,
        optionValue: only.optionValue,
        isSelected: only.isSelected,
      })
    else open.push({ group, options: left })
  }
  if (open.length > 0) return { kind: 'ask', message: messageOf(open) }
  return { kind: 'choose', steps }
}

/** What can still be chosen. Buying once goes before a subscription without a question. */
function possibleIn(
  group: VariantGroup,
  product: Product,
  picked: ReadonlyMap<VariantGroup, VariantOption>,
): readonly VariantOption[] {
  const selections = [...picked].map(([{ name }, { text }]) => ({ name, value: text }))
  const enabled = group.options.filter(({ isDisabled }) => !isDisabled)
  const sold = enabled.filter(
    ({ text }) => !isOut(product, [...selections, { name: group.name, value: text }]),
  )
  const once = sold.filter(
    ({ text }) => !findAllWords('states', text).some(({ key }) => key === 'subscription'),
  )
  return once.length > 0 ? once : sold
}

function isOut({ variants }: Product, selections: readonly Selection[]): boolean {
  const matching = variants.filter((variant) => fits(variant, selections))
  return matching.length > 0 && matching.every(({ availability }) => availability === 'out')
}

function messageOf(open: readonly { group: VariantGroup; options: readonly VariantOption[] }[]): string {
  const parts = open.map(({ group, options }) => {
    const texts = options.slice(0, 12).map(({ text }) => text)
    return `${group.name === '' ? 'variant' : group.name} (${texts.join(', ')}${options.length > 12 ? ', …' : ''})`
  })
  return cleanText(`Choose ${parts.join(' and ')}.`, 500) ?? 'Choose a variant.'
}
