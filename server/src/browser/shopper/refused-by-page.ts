import type { ShopPrice } from '../../channels/browser/shopping-words.ts'
import { withoutTitle } from '../reading/lines-of.ts'
import { type RefusalKind, refusalOf, sentenceOf } from '../reading/page-says.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { findWords, tokensOf } from '../reading/words/words.ts'
import { newLines } from './new-lines.ts'
import { refused, type ShopTask } from './shop-task.ts'

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
export function refusedBy(task: ShopTask, page: PageSnapshot, quantity = 1): ShopPrice {
  return saidAgainst(withoutTitles(task, page), quantity) ?? refused('merchant_unsupported')
}

/** What the goods are called says nothing about them: `The Last Few Left, a novel`. */
function withoutTitles({ titles }: ShopTask, page: PageSnapshot): PageSnapshot {
  const known = [...titles.values()].flatMap((all) => (all.length === 1 ? all : []))
  const without = (line: string) => known.reduce((text, title) => withoutTitle(text, title), line)
  return {
    ...page,
    headings: page.headings.map(without),
    text: page.text.split('\n').map(without).join('\n'),
  }
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
 * What a page answers to what was put into the cart, while it still offers to do so. Where nothing shows that it is in there, a number that
 * is smaller than what is wanted is what is left; a larger one is what has to be bought at least.
 */
export function answeredAgainst(
  task: ShopTask,
  { before, after, quantity }: { before: PageSnapshot; after: PageSnapshot; quantity: number },
): ShopPrice | null {
  const [known, answer] = [withoutTitles(task, before), withoutTitles(task, after)]
  const lines = newLines(known, answer)
  const said = saidAgainst({ ...answer, text: lines.join('\n'), headings: [] }, quantity)
  if (said !== null) return said
  if (isInCart({ before: known, after: answer, lines })) return null
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

/** The cart counts more than before, a way to it has come, or a sentence says that it was added. */
function isInCart({
  before,
  after,
  lines,
}: {
  before: PageSnapshot
  after: PageSnapshot
  lines: readonly string[]
}): boolean {
  if (countOf(after) > countOf(before)) return true
  const ways = (page: PageSnapshot) =>
    page.actions.filter(({ name }) =>
      findWords('actions', name.slice(0, 200), page.language).some(
        ({ key }) => key === 'view_cart' || key === 'checkout',
      ),
    ).length
  if (ways(after) > ways(before)) return true
  return lines.some((line) => saysAdded(line, after.language))
}

/** What the cart counts, as its link or its button says it: `Cart (2)`, `2 item(s) - $40.00`. */
function countOf({ actions, language }: PageSnapshot): number {
  const counts = actions.flatMap(({ name }) => {
    const isOfCart = findWords('actions', name.slice(0, 200), language).some(({ key }) => key === 'view_cart')
    const [, items] = /^\s*(\d{1,4})\s+items?\b/iu.exec(name.replace('(s)', 's')) ?? []
    const number = items ?? (isOfCart ? /\d{1,4}/u.exec(name)?.[0] : undefined)
    return number === undefined ? [] : [Number(number)]
  })
  return Math.max(0, ...counts)
}

function saysAdded(line: string, language: string): boolean {
  if (tokensOf(line).some((token) => denials.has(token))) return false
  return findWords('states', line, language).some(({ key }) => key === 'added')
}

/** Of a sentence that says what did not happen. */
const denials: ReadonlySet<string> = new Set(
  'not cannot can t couldn t unable nicht kein keine pas impossible no nao non niet geen nie inte ej ません'.split(
    ' ',
  ),
)
