import type { ShopItem } from '../../channels/browser/shopping-words.ts'
import type { Errand } from './errand.ts'
import type { Line } from './read-page.ts'

type Matched = { readonly item: ShopItem; readonly unit: bigint; readonly title: string | null }

/**
 * The lines of the summary, each with the item that it is; null where there are other goods or other quantities than wanted. A summary that
 * shows no goods at all says nothing against them.
 */
export function matchLines(errand: Errand, lines: readonly Line[]): Matched[] | null {
  const { items } = errand.request
  if (lines.length === 0) return null
  const open = [...lines]
  const matched: Matched[] = []
  for (const item of items) {
    const index = open.findIndex(({ title }) =>
      (errand.titles.get(item.id) ?? []).some((product) => isSame(product, title)),
    )
    const line = open[index]
    if (line === undefined || line.quantity !== item.quantity) return null
    open.splice(index, 1)
    matched.push({ item, unit: line.amount / BigInt(line.quantity), title: line.title })
  }
  return open.length === 0 ? matched : null
}

/** A variant is often written behind the title, and a long title cut. */
function isSame(product: string, line: string): boolean {
  const [a, b] = [plain(product), plain(line)]
  return a !== '' && b !== '' && (a === b || b.startsWith(a) || a.startsWith(b) || b.includes(a))
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
