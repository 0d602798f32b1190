import { expect, test } from 'vitest'
import { ordersOf, readBook, UnreadableBook } from './book.ts'

const address = {
  name: 'Grace Hopper',
  street: '12 Rose Lane',
  postal_code: '22201',
  city: 'Arlington',
  country: 'US',
}
const order = { number: '7', total: '54.00', currency: 'USD', status: null, parcel: address }
const lines = [
  { goods: 'Desk lamp', quantity: '1', options: null },
  { goods: 'Shirt', quantity: '2', options: null },
]
const head = [
  'order',
  'total',
  'currency',
  'name',
  'street',
  'postal_code',
  'city',
  'country',
  'goods',
  'quantity',
]
const cells = (goods: string, quantity: string) => [
  '7',
  '54.00',
  'USD',
  ...Object.values(address),
  goods,
  quantity,
]
const table = [head, cells('Desk lamp', '1'), cells('Shirt', '2')]

test.each([
  ['tabs, as mysql --batch', table.map((row) => row.join('\t')).join('\n')],
  [
    'commas, as psql --csv',
    `${table.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\r\n')}\r\n`,
  ],
  [
    'JSON with a row for each line',
    JSON.stringify(
      table.slice(1).map((row) => Object.fromEntries(row.map((cell, index) => [head[index], cell]))),
    ),
  ],
])('rows of one order are one order with their lines: %s', (_, text) => {
  expect(ordersOf(text, {})).toEqual([{ ...order, lines }])
})

test('orders may have their lines in a list, stand deeper, and have names of their own', () => {
  const answer = {
    data: {
      orders: [
        {
          id: 7,
          sums: { gross: '54.00' },
          currency: 'USD',
          ...address,
          items: [
            { title: 'Desk lamp', quantity: 1 },
            { title: 'Shirt', quantity: 2 },
          ],
        },
      ],
    },
  }
  const shape = {
    rows: 'data.orders',
    lines: 'items',
    columns: { order: 'id', total: 'sums.gross', goods: 'title' },
  }
  expect(ordersOf(JSON.stringify(answer), shape)).toEqual([{ ...order, lines }])
})

test('what a cell holds stays in it: tabs, commas, quotation marks, line breaks, and nothing', () => {
  const names = [...head, 'line2'].join('\t')
  const [tabbed] = ordersOf(`${names}\n${[...cells('a\\tb\\\\c\\nd', '1'), 'NULL'].join('\t')}\n`, {})
  expect(tabbed?.lines[0]?.goods).toBe('a\tb\\c\nd')
  expect(tabbed?.parcel.line2).toBe('')
  const [commas] = ordersOf(
    `${[...head, 'line2'].join(',')}\n${cells('"a,b ""c""\nd"', '1').join(',')},\n`,
    {},
  )
  expect(commas?.lines[0]?.goods).toBe('a,b "c"\nd')
  expect(commas?.parcel.line2).toBe('')
})

test('a book without orders is empty; one that cannot be judged by is no book', () => {
  expect(ordersOf('\n', {})).toEqual([])
  expect(ordersOf('[]', {})).toEqual([])
  expect(ordersOf(head.join('\t'), {})).toEqual([])
  const unreadable = (text: string, shape = {}) => expect(() => ordersOf(text, shape)).toThrow(UnreadableBook)
  unreadable('order\ttotal\n7\t54.00')
  unreadable('{"orders": []}')
  unreadable('{"orders": []}', { rows: 'data' })
  unreadable('[1]')
  unreadable('{"a"')
  unreadable(`${head.join(',')}\n1,2`)
})

test('a command that fails, and an address where nobody answers, are no empty books', async () => {
  const fails = { command: [process.execPath, '-e', 'console.error("no table"); process.exit(1)'] }
  await expect(readBook(fails, '.')).rejects.toThrow('no table')
  await expect(readBook({ url: 'http://127.0.0.1:1/' }, '.')).rejects.toThrow(UnreadableBook)
  const prints = { command: [process.execPath, '-e', 'console.log("[]")'] }
  await expect(readBook(prints, '.')).resolves.toEqual([])
})
