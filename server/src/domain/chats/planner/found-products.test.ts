import { expect, test } from 'vitest'
import { found } from './found-products.ts'
import { type Doing, type Memory, remembered, type Search, type Stored } from './memory.ts'
import { Talk } from './talk.ts'

const search: Stored<Search> = { query: 'socks', options: { color: 'blue' }, quantity: null, cursor: null }

/** A page of a catalog: the titles of its goods, and whether there is another page. */
function page(titles: readonly string[], hasNext: boolean): object {
  return {
    products: titles.map((title) => ({
      id: `item ${title}`,
      title,
      merchant: { name: title.includes('Knit') ? 'Knitwear' : 'Outlet' },
      url: 'https://shop.example/socks',
      variants: [{ id: title, price: { amount: 900, currency: 'EUR' }, availability: { available: true } }],
      purchasable: { purchase_intent: true },
    })),
    pagination: hasNext ? { cursor: 'next' } : {},
  }
}

/** Reads one page after the other, as long as it asks for more. */
function look(pages: readonly object[], wanted: Partial<Stored<Search>> = {}) {
  let memory: Memory = remembered({ search: { ...search, ...wanted } })
  let doing: Doing = { what: 'search', wish: null }
  for (const [index, answer] of pages.entries()) {
    const talk = new Talk(memory)
    const calls = found(talk, doing, answer)
    if (calls.length === 0) return { read: index + 1, text: talk.text, show: talk.show }
    expect(calls).toEqual([expect.objectContaining({ name: 'v1_search_catalog' })])
    expect(calls[0]?.args).toMatchObject({ query: 'socks', pagination: { cursor: 'next' } })
    memory = talk.memory
    doing = memory.doing ?? doing
  }
  throw new Error('it wants more pages than there are')
}

const red = page(['Red socks', 'Green socks'], true)

test('what fits may stand on another page, and is looked for there', () => {
  const { read, show } = look([red, page(['Blue socks', 'Gray socks'], true)])
  expect([read, show]).toEqual([2, ['item Blue socks']])
})

test('a shop that is named only by its name may have its goods on another page', () => {
  const { show } = look([red, page(['Knit socks'], false)], { options: {}, merchant: 'knitwear' })
  expect(show).toEqual(['item Knit socks'])
})

test('it does not look for ever: after some pages it shows what was like it first', () => {
  const { read, show, text } = look([red, page([], true), page(['Black socks'], true), red])
  expect(read).toBe(3)
  expect(show).toEqual(['item Red socks', 'item Green socks', 'item Black socks'])
  expect(text).toContain('blue')
})

test('where there is no other page, that is all', () => {
  expect(look([page(['Red socks'], false)]).show).toEqual(['item Red socks'])
  expect(look([page([], false)]).text).toContain('socks')
})
