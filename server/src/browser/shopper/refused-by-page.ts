import type { ShopPrice } from '../../channels/browser/shopping-words.ts'
import { type RefusalKind, refusalOf, sentenceOf } from '../reading/page-says.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { findWords } from '../reading/words/words.ts'
import { newLines } from './new-lines.ts'
import { refused } from './shop-task.ts'

/** What a shop says against a purchase before it is paid. A coupon that it refuses is none of that. */
const kinds = [
  'sold_out',
  'undeliverable',
  'minimum_quantity',
  'price_changed',
] as const satisfies readonly RefusalKind[]

const codeOf = {
  sold_out: 'product_out_of_stock',
  undeliverable: 'address_undeliverable',
  minimum_quantity: 'merchant_unsupported',
  price_changed: 'price_changed',
} as const

/** Why a page does not go on, in its own words. */
export function refusedBy(page: PageSnapshot, quantity = 1): ShopPrice {
  return saidAgainst(page, quantity) ?? refused('merchant_unsupported')
}

/** Null: the page says nothing against it. */
function saidAgainst(page: PageSnapshot, quantity: number): ShopPrice | null {
  const few = quantity > 1 ? sentenceOf(page, 'low_stock') : null
  if (few !== null) return refused('insufficient_stock', few)
  const said = refusalOf(page, kinds)
  if (said === null) return null
  // The kinds that were asked for.
  const kind = said.kind as (typeof kinds)[number]
  return refused(kind === 'sold_out' && quantity > 1 ? 'insufficient_stock' : codeOf[kind], said.sentence)
}

/**
 * What a page answers to what was put into the cart, while it still offers to do so. A number in it that is smaller than what is wanted is
 * what is left; a larger one is what has to be bought at least.
 */
export function answeredAgainst(
  before: PageSnapshot,
  after: PageSnapshot,
  quantity: number,
): ShopPrice | null {
  const lines = newLines(before, after)
  const said = saidAgainst({ ...after, text: lines.join('\n'), headings: [] }, quantity)
  if (said !== null) return said
  for (const line of lines) {
    const [number] = /\d{1,4}/.exec(line) ?? []
    if (
      number === undefined ||
      Number(number) === quantity ||
      findWords('totals', line, after.language).length > 0
    )
      continue
    return refused(Number(number) < quantity ? 'insufficient_stock' : 'merchant_unsupported', line)
  }
  return null
}
