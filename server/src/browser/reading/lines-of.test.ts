import { describe, expect, test } from 'vitest'
import { linesOf } from './lines-of.ts'
import type { PageSnapshot } from './page-snapshot.ts'
import { control, option, rows, snapshotWith } from './snapshot.testing.ts'

describe('lines', () => {
  const lines = (parts: Partial<PageSnapshot>, ...titles: string[]) =>
    linesOf(snapshotWith(parts), titles, 'USD').map(({ isShown, quantity, amount }) => [
      isShown,
      quantity,
      amount,
    ])

  test.each<[string, Partial<PageSnapshot>, number | null, bigint | null]>([
    ['a row', rows([['Steel Kettle × 2', '$96.00']]), 2, 9600n],
    ['a row with a quantity in words', rows([['Steel Kettle Qty: 3', '$96.00']]), 3, 9600n],
    ['lines of text', { text: 'Steel Kettle\nQuantity 2\n$48.00\n$96.00\nSubtotal\n$96.00' }, 2, 9600n],
    ['a line of text', { text: '2 x Steel Kettle $96.00' }, 2, 9600n],
    ['two amounts that do not fit', { text: 'Steel Kettle\nQty 2\n$48.00\n$90.00' }, 2, null],
    ['a title alone', { text: 'Steel Kettle' }, null, null],
  ])('%s', (_, parts, quantity, amount) => {
    expect(lines(parts, 'Steel Kettle')).toEqual([[true, quantity, amount]])
  })

  const named = [
    'Kettle 2',
    '12 Pack Filters',
    'iPhone 15 128 GB',
    '3-in-1 Cable 2 m',
    'No. 5 Perfume',
    'Frame 20 x 30',
    'Series X 1 TB',
    '2 x Soap, Qty 4',
    '7',
  ]
  const layouts: readonly [string, (title: string) => Partial<PageSnapshot>, number | null][] = [
    ['a mark behind the title', (title) => rows([[`${title} × 6`, '$96.00']]), 6],
    ['a mark before it', (title) => rows([[`6 x ${title}`, '$96.00']]), 6],
    ['a word', (title) => rows([[`${title} Qty: 6`, '$96.00']]), 6],
    ['a column', (title) => rows([[title, 'Quantity 6 $96.00']]), 6],
    ['a price for each', (title) => ({ text: `${title}\n$16.00 × 6\n$96.00` }), 6],
    ['a link, and the picture above it', (title) => ({ text: `${title}\n${title}\nQty 6\n$96.00` }), 6],
    [
      'other spaces and letters',
      (title) => ({
        text: `${title.toUpperCase().replaceAll(' ', '\u00a0').replaceAll('-', '\u2011')} × 6\n$96.00`,
      }),
      6,
    ],
    ['no quantity', (title) => rows([[title, '$96.00']]), null],
    ['no quantity, and a measure', (title) => ({ text: `${title}\nSize: 40 x 60 cm\n$96.00` }), null],
  ]

  test.each(layouts)('numbers of a title are no quantity and no amount: %s', (_, page, quantity) => {
    for (const title of named)
      expect([title, lines(page(title), title)]).toEqual([title, [[true, quantity, 9600n]]])
  })

  test('a title that begins with another one is not that one', () => {
    const text = 'Kettle 2 × 3\n$96.00\nKettle × 1\n$30.00\nTotal $126.00'
    expect(lines({ text }, 'Kettle', 'Kettle 2')).toEqual([
      [true, 1, 3000n],
      [true, 3, 9600n],
    ])
    expect(lines({ text: 'Kettle 2 × 3\n$96.00' }, 'Kettle', 'Kettle 2')).toEqual([
      [false, null, null],
      [true, 3, 9600n],
    ])
  })

  test('each of several goods has its own', () => {
    const text = 'Steel Kettle\n× 2\n$96.00\nRed Teapot\n× 1\n$30.00\nTotal $126.00'
    expect(lines({ text }, 'Red Teapot', 'Steel Kettle', 'Blue Mug')).toEqual([
      [true, 1, 3000n],
      [true, 2, 9600n],
      [false, null, null],
    ])
  })

  test('a quantity may be chosen in a select', () => {
    const select = control({
      kind: 'select',
      name: 'qty',
      options: [option('1'), option('2', '2', { isSelected: true })],
    })
    expect(lines({ text: 'Steel Kettle', controls: [select] }, 'Steel Kettle')).toEqual([[true, 2, null]])
  })
})
