import { describe, expect, test } from 'vitest'
import { saysFor } from './second-look.ts'
import { control } from './snapshot.testing.ts'
import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { it } from './words/it.ts'
import { ja } from './words/ja.ts'
import { nl } from './words/nl.ts'
import { pl } from './words/pl.ts'
import { pt } from './words/pt.ts'
import type { Field } from './words/shop-words.ts'
import { sv } from './words/sv.ts'

const allWords = [en, de, fr, es, it, nl, pt, pl, sv, ja]

const looked: readonly Field[] = [
  'email',
  'phone',
  'full_name',
  'first_name',
  'last_name',
  'line1',
  'street',
  'house_number',
  'postal_code',
  'city',
  'state',
  'country',
  'card_number',
]

describe('the second reading', () => {
  test('says nothing against any word that fields are filled by', () => {
    const against = allWords.flatMap(({ language, fields }) =>
      looked.flatMap((field) =>
        (fields[field as keyof typeof fields] ?? '')
          .split('|')
          .map((phrase) => phrase.trim())
          .filter((label) => saysFor(control({ label }), field) === false)
          .map((label) => `${language} ${field}: ${label}`),
      ),
    )
    expect(against).toEqual([])
  })

  test.each<[string, Field]>([
    ['Loyalty card number (optional)', 'card_number'],
    ['Identification number', 'house_number'],
    ['CCV number', 'card_number'],
    ['Kartenprüfnummer', 'card_number'],
    ['Name of your company', 'full_name'],
    ["Mother's maiden name", 'last_name'],
    ['Last name', 'first_name'],
    ['Vorname', 'last_name'],
    ['Code postal', 'city'],
    ['Ciudad', 'postal_code'],
    ['電話番号', 'postal_code'],
    ['Company', 'line1'],
    ['Second line of address', 'line1'],
    ['Third line of address', 'line2'],
    ['Dritte Adresszeile', 'line2'],
  ])('%s is not for %s', (label, field) => {
    expect(saysFor(control({ label }), field)).toBe(false)
  })
})
