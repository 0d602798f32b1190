import { expect, test } from 'vitest'
import { assignFields } from './field-of.ts'
import { FieldNames, mayBeCalled, namesOn } from './named-fields.ts'
import type { Control } from './page-snapshot.ts'
import { control, snapshotWith } from './snapshot.testing.ts'
import type { Field } from './words/shop-words.ts'

const mayBe = (parts: Partial<Control>, field: Field, isCityKnown = false) =>
  mayBeCalled(control(parts), field, { language: 'en', isCityKnown })

test.each<[Partial<Control>, Field, boolean]>([
  [{ label: 'Blorp' }, 'line1', true],
  [{ label: 'Blorp' }, 'full_name', true],
  [{ label: 'Blorp', type: 'email' }, 'email', false],
  [{ label: 'Blorp' }, 'email', false],
  // Secrets, whatever they are called.
  [{ label: 'Kennwort' }, 'line1', false],
  [{ label: 'Blorp', type: 'password' }, 'line1', false],
  [{ label: 'Blorp', autocomplete: 'one-time-code' }, 'postal_code', false],
  [{ label: 'Kartennummer' }, 'phone', false],
  // What is read of it says something else.
  [{ label: 'City' }, 'line1', false],
  [{ label: 'Last name' }, 'first_name', false],
  [{ label: 'Blorp', autocomplete: 'organization' }, 'full_name', false],
  [{ label: 'Customer number' }, 'house_number', false],
  [{ label: 'Name of your dog' }, 'full_name', false],
  // It is not of that kind, or of another size.
  [{ label: 'Blorp', type: 'email' }, 'line1', false],
  [{ label: 'Blorp', type: 'date' }, 'line1', false],
  [{ label: 'Blorp', type: 'number' }, 'full_name', false],
  [{ label: 'Blorp', type: 'tel' }, 'phone', true],
  [{ label: 'Blorp' }, 'phone', false],
  [{ label: 'Blorp' }, 'country', false],
  [{ label: 'Blorp', kind: 'checkbox' }, 'line1', false],
  [{ label: 'Blorp', maxLength: 10 }, 'postal_code', true],
  [{ label: 'Blorp' }, 'postal_code', false],
  [{ label: 'Blorp' }, 'house_number', false],
  [{ label: 'Blorp', maxLength: 6 }, 'house_number', true],
])('a field with %j may be called %s: %s', (parts, field, may) => {
  expect(mayBe(parts, field)).toBe(may)
})

test('beside a city that the rules have found, a code needs no size of its own', () => {
  expect(mayBe({ label: 'Blorp' }, 'postal_code', true)).toBe(true)
})

test('a name is for what is written at a field, on its page, and for one field alone', () => {
  const names = new FieldNames()
  const odd = control({ label: 'Blorp' })
  const page = snapshotWith({ controls: [odd], url: 'https://shop.example/checkout?step=1' })
  names.call(page, odd, 'city')
  const read = (controls: Control[], url = 'https://shop.example/checkout#form') => {
    const again = names.putOn(snapshotWith({ controls, url }))
    return controls.map(({ ref }) => [namesOn(again).get(ref), assignFields(again).get(ref)])
  }
  const known = ['city', 'city']
  const unknown = [undefined, undefined]
  // It is drawn anew, and still the same.
  expect(read([control({ label: 'Blorp' })])).toEqual([known])
  expect(read([control({ label: 'Quimble' })])).toEqual([unknown])
  expect(read([control({ label: 'Blorp' }), control({ label: 'Blorp' })])).toEqual([unknown, unknown])
  expect(read([control({ label: 'Blorp' })], 'https://shop.example/other')).toEqual([unknown])
  expect(read([control({ label: 'Blorp' })], 'https://other.example/checkout')).toEqual([unknown])
  names.forget(page, odd)
  expect(read([control({ label: 'Blorp' })])).toEqual([unknown])
})
