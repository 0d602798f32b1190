import { expect, test } from 'vitest'
import { control, snapshotWith } from '../reading/snapshot.testing.ts'
import type { Tab } from './tab.ts'
import { WayNotes } from './way-notes.ts'

const email = control({ ref: 1, label: 'E-mail', name: 'email' })
const quantity = control({ ref: 2, label: 'Quantity', name: 'quantity', type: 'number' })
const page = snapshotWith({ url: 'https://shop.example/cart?token=secret#top', controls: [email, quantity] })

function handsOf(isNobodys: boolean) {
  const typed: string[] = []
  const tab = {
    page: { mainFrame: () => null },
    read: async () => page,
    type: async (_ref: number, text: string) => void typed.push(text),
    put: async (_ref: number, text: string) => void typed.push(text),
    select: async () => undefined,
    press: async () => 'pressed',
  } as unknown as Tab // as much of one as is written down
  const notes = new WayNotes()
  return { typed, notes, hands: notes.over(tab, { isNobodys }) }
}

test('the hands of nobody type how many, and no word', async () => {
  const { typed, hands } = handsOf(true)
  await hands.read()
  await expect(hands.type(1, 'ada@example.com')).rejects.toThrow('nobody has nothing to type')
  await expect(hands.put(1, '1815-12-10')).rejects.toThrow('nobody has nothing to type')
  await hands.type(2, '3')
  expect(typed).toEqual(['3'])
})

test('what is typed for a buyer is in no note, and neither is what gives access to a cart', async () => {
  const { typed, notes, hands } = handsOf(false)
  await hands.read()
  await hands.type(1, 'ada@example.com')
  await hands.press(2)
  expect(typed).toEqual(['ada@example.com'])
  expect(notes.steps.map(({ key, pressed }) => [key, pressed])).toEqual([
    ['https://shop.example/cart', ['Quantity']],
  ])
})
