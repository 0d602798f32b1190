import { expect, test } from 'vitest'
import { itemName, visible } from './item-name.ts'

test.each([
  ['/a/tea%20pot', 'tea pot'],
  ['/gr%C3%BCn', 'grün'],
  ['/%E0', '%E0'],
  ['/', 'shop.example'],
  // What turns around what follows, and what nobody sees.
  ['/tea%E2%80%AE%2000.01', 'tea 00.01'],
  ['/te%E2%80%8Ba%00%0A%C2%AD', 'tea'],
  ['/%D8%B4%D8%A7%DB%8C', 'شای'],
  ['/%E2%80%AE%E2%81%A6', 'shop.example'],
])('the end of an address is a name: %s', (path, name) => {
  expect(itemName(new URL(`https://shop.example${path}`))).toBe(name)
})

test('what was chosen turns nothing around either', () => {
  expect(visible('M\u202e\u2067 00.1')).toBe('M 00.1')
})
