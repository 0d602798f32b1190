import { expect, test } from 'vitest'
import { checkedText } from './checked-text.ts'

const known = [
  { amount: 2499n, currency: 'EUR' },
  { amount: 129_900n, currency: 'USD' },
]

test('a text whose amounts are all known stays as it is', () => {
  const text = 'The kettle is 24,99 €.\n\nThe laptop is $1,299, or twelve hundred and ninety-nine dollars.'
  expect(checkedText(text, known)).toEqual({ text, replaced: 0 })
})

test('a sentence with another amount gives way to a notice, and its neighbors stay', () => {
  expect(checkedText('Found one. It is 9,99 € today. Shall I order it?', known, '[–]')).toEqual({
    text: 'Found one. [–] Shall I order it?',
    replaced: 1,
  })
})

test('one notice stands for sentences that follow each other, and the ends of lines stay', () => {
  const text = 'Here:\n- A: 24,99 €\n- B: 9,99 €\n- C: zehn Euro\nThat is all.'
  expect(checkedText(text, known, '[–]')).toEqual({
    text: 'Here:\n- A: 24,99 €\n[–]\n\nThat is all.',
    replaced: 2,
  })
})

test.each(['Das kostet Fr. 12.50. Gut.', 'Das kostet Fr. 12.50.\nGut.'])(
  'the point of an amount ends no sentence: %s',
  (text) => {
    expect(checkedText(text, known, '[–]').text).toMatch(/^\[–\]\sGut\.$/)
    expect(checkedText(text, known, '[–]').replaced).toBe(1)
  },
)

test('Japanese sentences end without spaces', () => {
  expect(checkedText('見つかりました。二千円です。買いますか？', known, '[–]').text).toBe(
    '見つかりました。[–]買いますか？',
  )
})
