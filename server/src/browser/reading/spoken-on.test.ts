import { expect, test } from 'vitest'
import { action, snapshotWith } from './snapshot.testing.ts'
import { spokenOn } from './spoken-on.ts'

const named = (language: string, ...names: string[]) =>
  spokenOn(snapshotWith({ language, actions: names.map((name) => action(name)) }))

test('a page is in the language that it names, also where some of its words are English', () => {
  expect(named('de', 'In den Warenkorb', 'Zur Kasse')).toBe('de')
  expect(named('de', 'In den Warenkorb', 'Add to cart', 'Checkout')).toBe('de')
  expect(named('en', 'Flat rate', 'Add to cart')).toBe('en')
})

test('a page that names English and speaks another language names none', () => {
  expect(named('en', 'In den Warenkorb', 'Zur Kasse', 'Weiter')).toBe('')
})
