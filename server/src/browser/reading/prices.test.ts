import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { minorPerMajor } from '../../core/money.ts'
import { readAmounts } from './money-text.ts'
import type { Product } from './product.ts'
import { productOf } from './product-of.ts'
import { snapshotWith } from './snapshot.testing.ts'

/** A piece of a page of a product. `right` null: nobody can tell from it what one unit costs a guest. What is struck through is in `~~`. */
type Snippet = {
  readonly kind: string
  readonly lang: string
  readonly right: string | null
  readonly cur?: string
  readonly site?: string
  readonly text?: string
  readonly ld?: Readonly<Record<string, unknown>>
  readonly raw?: string
  readonly meta?: Readonly<Record<string, string>>
}

const folder = join(import.meta.dirname, '../../../../sandbox/prices')
const snippets = readdirSync(folder).flatMap((file) =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Snippet => JSON.parse(line)),
)

function read(
  { lang, cur, site, text = '', ld, raw, meta = {} }: Snippet,
  change = (page: string) => page,
): Product {
  const lines = ['Menu', 'Kettle', ...change(text).split(' ⏎ '), 'Description', 'Boils water.']
  const struck = lines.flatMap((line, at) =>
    [...line.matchAll(/~~(.+?)~~/gu)].map(([, one = '']) => ({ line: at, text: one })),
  )
  return productOf(
    snapshotWith({
      url: `https://${site ?? 'shop.example'}/product/1`,
      language: lang,
      headings: ['Kettle'],
      text: lines.map((line) => line.replaceAll('~~', '')).join('\n'),
      struck,
      jsonLd: [
        ...(raw === undefined ? [] : [raw]),
        ...(ld === undefined ? [] : [JSON.stringify({ '@type': 'Product', ...ld })]),
      ],
      meta: Object.entries(meta).map(([name, content]) => ({ name, content })),
    }),
    cur ?? null,
  )
}

function judged(snippet: Snippet, { price }: Product): 'right' | 'unclear' | 'wrong' {
  if (price === null) return snippet.right === null ? 'right' : 'unclear'
  const [written = '', currency = ''] = snippet.right?.split(' ') ?? []
  const [whole = '', fraction = ''] = written.split('.')
  // By hand, in the decimals of its currency.
  const isWhole = `${10n ** BigInt(fraction.length)}` === `${minorPerMajor(currency || 'EUR')}`
  return isWhole && price.currency === currency && price.amount === BigInt(`${whole}${fraction}`)
    ? 'right'
    : 'wrong'
}

function told(snippet: Snippet, { price }: Product): string {
  const came = price === null ? 'unclear' : `${price.amount} ${price.currency}`
  return `${snippet.kind} ${snippet.lang} ${snippet.cur ?? ''}: ${snippet.text ?? JSON.stringify(snippet.ld ?? snippet.raw ?? snippet.meta)} is ${snippet.right}, came ${came}`
}

describe('what one unit costs a guest', () => {
  const results = snippets.map((snippet) => ({ snippet, product: read(snippet) }))

  test('no snippet is read as another number', () => {
    const wrong = results.filter(({ snippet, product }) => judged(snippet, product) === 'wrong')
    expect(wrong.map(({ snippet, product }) => told(snippet, product))).toEqual([])
  })

  test('nine of ten snippets that have a price are read', () => {
    const priced = results.filter(({ snippet }) => snippet.right !== null)
    const unread = priced.filter(({ snippet, product }) => judged(snippet, product) === 'unclear')
    const share = 1 - unread.length / priced.length
    expect(
      share,
      unread.map(({ snippet, product }) => told(snippet, product)).join('\n'),
    ).toBeGreaterThanOrEqual(0.9)
  })

  test('a reader that takes the first amount for the price is found out by many of them', () => {
    const firstAmount = ({ lang, cur, text = '' }: Snippet): Product => {
      const [first] = readAmounts(text.replaceAll('~~', ''), { currency: cur ?? null, language: lang })
      const price = first?.currency ? { amount: first.amount, currency: first.currency } : null
      return { ...productOf(snapshotWith({})), price }
    }
    const wrong = snippets.filter((snippet) => judged(snippet, firstAmount(snippet)) === 'wrong')
    expect(wrong.length).toBeGreaterThan(200)
  })

  test('they are of many languages, and more than five hundred', () => {
    expect(snippets.length).toBeGreaterThanOrEqual(500)
    expect(new Set(snippets.map(({ lang }) => lang.split('-')[0])).size).toBeGreaterThanOrEqual(40)
  })

  test('a page that no longer says which price was struck through is not read as if it did', () => {
    const struck = snippets.filter(({ text = '', ld }) => /^~~/u.test(text) && ld === undefined)
    expect(struck.length).toBeGreaterThan(5)
    for (const snippet of struck)
      expect(
        judged(
          snippet,
          read(snippet, (text) => text.replaceAll('~~', '')),
        ),
      ).not.toBe('wrong')
  })
})
