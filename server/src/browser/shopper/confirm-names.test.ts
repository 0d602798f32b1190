import { expect, test } from 'vitest'
import type { ShopAddress, ShopRequest } from '../../channels/browser/shopping-words.ts'
import type { Control } from '../reading/page-snapshot.ts'
import { control, option, snapshotWith } from '../reading/snapshot.testing.ts'
import type { Field } from '../reading/words/shop-words.ts'
import type { Entry } from './buyer-fields.ts'
import { noteConfirmed, showsAsMeant, unconfirmed } from './confirm-names.ts'
import type { ShopTask, Typed } from './shop-task.ts'

const american: ShopAddress = {
  recipientName: 'Ada Lovelace',
  line1: '12 Analytical Way',
  line2: 'Flat 3',
  city: 'Springfield',
  state: 'IL',
  postalCode: '62704',
  country: 'US',
}
const german: ShopAddress = {
  ...american,
  line1: 'Rosenweg 12a',
  line2: null,
  city: 'Leipzig',
  state: null,
  postalCode: '04109',
  country: 'DE',
}
const requestFor = (shipTo: ShopAddress) =>
  ({ buyer: { name: 'Ada Lovelace', email: 'ada@example.com', shipTo, billTo: shipTo } }) as ShopRequest // as much as is looked at

const all = ['full_name', 'line1', 'line2', 'city', 'state', 'postal_code'] as const

/** What a page shows as it was meant, of all that could have been typed. */
function shown(lines: string, shipTo = american, language = 'en'): Field[] {
  return all.filter((field) =>
    showsAsMeant({ text: lines, language }, requestFor(shipTo), {
      field,
      isOfGoods: true,
    }),
  )
}

test.each<[string, string, readonly Field[]]>([
  [
    'an address, line by line',
    'Ship to\nAda Lovelace\n12 Analytical Way\nFlat 3\nSpringfield, IL 62704\nUnited States\nada@example.com',
    all,
  ],
  [
    'an address in one line',
    'Ada Lovelace, 12 Analytical Way, Flat 3, 62704 Springfield',
    ['full_name', 'line1', 'line2', 'city', 'postal_code'],
  ],
  ['no address', 'Thank you, Ada Lovelace! 12 Analytical Way is a nice street. ada@example.com', []],
  [
    'a street that stands where the city does',
    'Ada Lovelace\nSpringfield\n12 Analytical Way, IL 62704\nada@example.com',
    [],
  ],
  [
    'a name below its street',
    '12 Analytical Way\nAda Lovelace\nSpringfield, IL 62704',
    ['city', 'state', 'postal_code'],
  ],
  [
    'a last name before the first',
    'Lovelace Ada\n12 Analytical Way\nSpringfield, IL 62704',
    ['line1', 'city', 'state', 'postal_code'],
  ],
  ['a second line for a city', 'Ada Lovelace\n12 Analytical Way\nSpringfield\nFlat 3, IL 62704', []],
  [
    'a state before its city',
    'Ada Lovelace\n12 Analytical Way\nIL, Springfield 62704',
    ['full_name', 'line1', 'city', 'postal_code'],
  ],
  ['a street without its number', 'Ada Lovelace\nAnalytical Way\nSpringfield, IL 62704', []],
  ['another code', 'Ada Lovelace\n12 Analytical Way\nSpringfield, IL 62705', []],
])('%s shows as it was meant what it does', (_what, lines, fields) => {
  expect(shown(lines)).toEqual(fields)
})

test('an address is read as its country writes it, and proves nothing where the language puts names the other way round', () => {
  const lines = 'Ada Lovelace\nRosenweg 12a\n04109 Leipzig\nDeutschland'
  expect(shown(lines, german, 'de')).toEqual(['full_name', 'line1', 'city', 'postal_code'])
  expect(shown(lines, german, 'hu')).toEqual(['line1'])
})

const typed = (field: Field, parts: Partial<Control>, more: Partial<Entry> = { isNamed: true }): Typed => ({
  entry: { control: control(parts), field, text: 'x', others: [], isOfGoods: true, ...more },
  text: 'x',
  tries: 1,
})
const taskWith = (...entries: Typed[]) =>
  ({
    typed: new Map(entries.map((one, at) => [`document ${at}`, one])),
    confirmed: new Set(),
    request: requestFor(american),
  }) as unknown as ShopTask // nothing else of it is looked at

test('what a reader alone has named is open until a page has shown it, and the page before that counts as well', () => {
  const task = taskWith(typed('city', { label: 'Blorp' }), typed('full_name', { label: 'Quimble' }, {}))
  expect(unconfirmed(task).map(({ field }) => field)).toEqual(['city'])
  noteConfirmed(task, snapshotWith({ text: 'Ada Lovelace\n12 Analytical Way\nElsewhere, IL 62704' }))
  expect(unconfirmed(task)).toHaveLength(1)
  noteConfirmed(task, snapshotWith({ text: 'Ada Lovelace\n12 Analytical Way\nSpringfield, IL 62704' }))
  noteConfirmed(task, snapshotWith({ text: 'Payment' }))
  expect(unconfirmed(task)).toEqual([])
})

test.each<[string, Typed]>([
  [
    'a list that offers it',
    typed('state', { kind: 'select', label: 'Blorp', options: [option('Illinois', 'IL')] }),
  ],
  ['a field for phones', typed('phone', { label: 'Blorp', type: 'tel' })],
  ['what is written there', typed('city', { label: 'Town' })],
])('%s needs nothing to be shown', (_what, one) => {
  expect(unconfirmed(taskWith(one))).toEqual([])
})

test('of a field that was typed into again, what was typed last counts', () => {
  const again = typed('city', { label: 'Blorp' }, { isAnswer: true })
  expect(unconfirmed(taskWith(typed('line1', { label: 'Blorp' }), again))).toEqual([])
})
