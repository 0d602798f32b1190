import { expect, test } from 'vitest'
import { chosenAtPage, pageVariantId } from './page-variant-id.ts'

const size = { name: 'Größe', value: '42 ½' }
const color = { name: 'Color', value: 'Sage' }

test.each([
  ['a SKU and choices', { sku: 'shoe-42', selections: [size, color] }],
  ['choices alone', { sku: null, selections: [size] }],
  ['a SKU alone', { sku: 'shoe-42', selections: [] }],
])('the id of a variant with %s means the same again', (_name, { sku, selections }) => {
  const id = pageVariantId({ sku, selections })
  expect(id?.length).toBeLessThanOrEqual(255)
  expect(chosenAtPage({ id: id ?? '' })).toEqual({
    ...(sku === null ? {} : { sku }),
    ...(selections.length === 0 ? {} : { selections }),
  })
})

test('the id of what has no variants names none', () => {
  expect(chosenAtPage({ id: pageVariantId({ sku: null, selections: [] }) ?? '' })).toBeNull()
})

test('what would be longer than a request takes gets no id', () => {
  const selections = Array.from({ length: 10 }, (_, index) => ({
    name: `Option ${index}`,
    value: 'x'.repeat(30),
  }))
  expect(pageVariantId({ sku: null, selections })).toBeNull()
})

test('what the caller says besides the id goes first, and an id of a shop stays what it is', () => {
  const id = pageVariantId({ sku: 'a', selections: [size] }) ?? ''
  expect(chosenAtPage({ id, sku: 'b' })).toEqual({ sku: 'b', selections: [size] })
  for (const own of [
    '42',
    'page_',
    'page_e30',
    'page_!!',
    `page_${Buffer.from('[1]').toString('base64url')}`,
  ])
    expect(chosenAtPage({ id: own })).toEqual({ id: own })
  expect(chosenAtPage(null)).toBeNull()
})
