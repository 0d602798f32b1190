import type { ShopItem, ShopPrice } from '../../channels/browser/shopping-words.ts'
import { cleanText } from '../reading/json-ld.ts'
import { readAmounts } from '../reading/money-text.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { productOf } from '../reading/product-of.ts'
import { isSameName, plainOption } from '../reading/variant-text.ts'
import { refused, type ShopTask } from './shop-task.ts'

/** So many pages of kinds are looked at. */
const kindsMax = 12

type Fact = { readonly name: string; readonly value: string }

/**
 * Where links to the kinds of a product are all called alike, only the page of each says which one it is: the one that is wanted stays
 * open. Null: it is there.
 */
export async function openKind(
  task: ShopTask,
  pages: readonly string[],
  wanted: ShopItem['variant'],
): Promise<ShopPrice | null> {
  const kinds: Fact[][] = []
  for (const address of pages.slice(0, kindsMax)) {
    await task.tab.open(address)
    const page = await task.tab.read()
    const facts = factsOf(page)
    if (isWanted(page, facts, wanted)) return null
    kinds.push(facts)
  }
  const isAsked = (wanted?.selections ?? []).length > 0 || (wanted?.sku ?? wanted?.id) !== undefined
  return refused('variant_required', isAsked ? 'There is no such variant.' : questionOf(kinds))
}

/** What the table of a product says of it: `Size | Medium`. */
function factsOf({ rows, language }: PageSnapshot): Fact[] {
  return rows
    .filter(({ label, value }) => label.length <= 60 && value !== '' && value.length <= 60)
    .filter(({ value }) => readAmounts(value, { currency: null, language }).length === 0)
    .map(({ label, value }) => ({ name: label.replace(/\s*[:*]+\s*$/u, ''), value }))
}

function isWanted(page: PageSnapshot, facts: readonly Fact[], wanted: ShopItem['variant']): boolean {
  const selections = wanted?.selections ?? []
  const keys = [wanted?.sku, wanted?.id].filter((key) => key !== undefined && key !== '')
  if (selections.length === 0 && keys.length === 0) return false
  const { sku } = productOf(page)
  const hasKey =
    keys.length === 0 || keys.some((key) => key === sku || facts.some(({ value }) => value === key))
  return (selections.length > 0 || hasKey) && selections.every((selection) => isFact(facts, selection))
}

/** By its name; a name that the table does not have is known by its value. */
function isFact(facts: readonly Fact[], wanted: Fact): boolean {
  const named = facts.filter(({ name }) => isSameName(name, wanted.name))
  return (named.length > 0 ? named : facts).some(
    ({ value }) => plainOption(value) === plainOption(wanted.value),
  )
}

/** What tells the kinds apart, as far as their tables say it. */
function questionOf(kinds: readonly (readonly Fact[])[]): string | null {
  const [first = []] = kinds
  const parts = first.flatMap(({ name }) => {
    const values = kinds.flatMap((facts) => facts.find((fact) => fact.name === name)?.value ?? [])
    const isTelling = values.length === kinds.length && new Set(values).size > 1
    return isTelling ? [`${name} (${[...new Set(values)].join(', ')})`] : []
  })
  return parts.length === 0 ? null : cleanText(`Choose ${parts.slice(0, 3).join(' and ')}.`, 500)
}
