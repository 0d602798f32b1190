import { expect, test } from 'vitest'
import { type ReaderPage, readerBounds, readMove, readReaderPage } from './page-reader.ts'

const page: ReaderPage = {
  aim: 'go_to_payment',
  path: '/co/1',
  title: 'GLOWUP',
  text: 'who are you?',
  elements: [
    { ref: 1, role: 'clickable', name: 'onward', states: [], options: [] },
    { ref: 2, role: 'textbox', name: 'where to?', states: ['empty'], options: [] },
    { ref: 3, role: 'combobox', name: '', states: [], options: ['by owl', 'by handcart'] },
    { ref: 4, role: 'button', name: 'never', states: ['disabled'], options: [] },
    { ref: 5, role: 'radio', name: 'soon', states: [], options: [] },
  ],
}

test.each([
  { move: 'click', ref: 1 },
  { move: 'click', ref: 5 },
  { move: 'fill', ref: 2, field: 'email' },
  { move: 'fill', ref: 3, field: 'country' },
  { move: 'choose', ref: 3, option: 'by owl' },
  { move: 'back' },
  { move: 'stuck' },
])('%j is a move, and nothing more than that is taken from an answer', (move) => {
  expect(readMove({ ...move, value: '4242424242424242', why: 'x' }, page)).toEqual(move)
})

test.each([
  undefined,
  null,
  'click(1)',
  7,
  [],
  {},
  { move: 'submit', ref: 1 },
  { move: 'evaluate', script: 'alert(1)' },
  { move: 'goto', url: 'https://collect.evil.test' },
  { move: 'click' },
  { move: 'click', ref: 99 },
  { move: 'click', ref: '1' },
  { move: 'click', ref: 2 },
  { move: 'click', ref: 4 },
  { move: 'choose', ref: 3, option: 'by car' },
  { move: 'choose', ref: 1, option: 'by owl' },
  { move: 'choose', ref: 3 },
  { move: 'fill', ref: 2 },
  { move: 'fill', ref: 1, field: 'email' },
  { move: 'fill', ref: 2, field: 'card_number' },
  { move: 'fill', ref: 2, field: 'password' },
  { move: 'fill', ref: 2, field: 'one_time_code' },
  { move: 'fill', ref: 2, field: 'toString' },
  { move: 'fill', ref: 2, field: 'ada@example.com' },
])('%j is no move', (said) => {
  expect(readMove(said, page)).toBeNull()
})

test('a page that came over the wire is one that the words describe, and no larger', () => {
  expect(readReaderPage(JSON.parse(JSON.stringify(page)))).toEqual(page)
  const element = page.elements[0]
  for (const said of [
    null,
    'page',
    { ...page, aim: 'order' },
    { ...page, text: 7 },
    { ...page, elements: {} },
    { ...page, elements: [{ ...element, role: 'card' }] },
    { ...page, elements: [{ ...element, ref: '1' }] },
    { ...page, text: 'x'.repeat(readerBounds.all) },
  ])
    expect(readReaderPage(said)).toBeNull()
})
