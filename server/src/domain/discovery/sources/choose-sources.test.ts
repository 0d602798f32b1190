import { expect, test } from 'vitest'
import { chooseSources } from './choose-sources.ts'
import type { UcpCatalog } from './port.ts'

function catalog(
  id: string,
  more: Partial<UcpCatalog['merchant']> & { categories?: string[] } = {},
): UcpCatalog {
  const { categories = [], ...merchant } = more
  return {
    id,
    endpoint: `https://${id}.example`,
    transport: 'rest',
    version: '2026-08-25',
    categories,
    hasCheckout: true,
    merchant: { name: null, slug: null, domain: `${id}.example`, country: null, verified: true, ...merchant },
  }
}

const idsOf = (...given: Parameters<typeof chooseSources>) => chooseSources(...given).map(({ id }) => id)

const some = [
  catalog('one'),
  catalog('two', { country: 'SE' }),
  catalog('three', { categories: ['Footwear', 'Outdoor gear'] }),
  catalog('four', { name: 'Boot Market' }),
  catalog('five', { country: 'SE', categories: ['Footwear'] }),
]

test('where nothing is known they come in the order of the registry', () => {
  expect(idsOf(some, {}, 20)).toEqual(['one', 'two', 'three', 'four', 'five'])
  expect(idsOf(some, { query: 'zeppelin' }, 2)).toEqual(['one', 'two'])
})

test('a merchant of that name goes first, then those that sell such things, then those of the country', () => {
  const search = { query: 'boot', filters: { categories: ['footwear'] }, context: { country: 'SE' } }
  expect(idsOf(some, search, 20)).toEqual(['four', 'five', 'three', 'two', 'one'])
})

test('there are never more than the limit, and with none nobody is asked', () => {
  expect(idsOf(some, { query: 'boot' }, 1)).toEqual(['four'])
  expect(idsOf(some, { query: 'boot' }, 0)).toEqual([])
})
