import { expect, test } from 'vitest'
import { plainStreet, streetForms } from './fit-street.ts'

test.each([
  ['12 Rose Lane', 'Flat 3', null, null, ['12 Rose Lane', 'Flat 3']],
  ['12 Rose Lane', 'Flat 3', null, 0, ['12 Rose Lane, Flat 3', '']],
  ['1847 Northwest Thurman Boulevard', '', 32, null, ['1847 Northwest Thurman Boulevard', '']],
  ['1847 Northwest Thurman Boulevard', '', 24, 0, ['1847 NW Thurman Blvd', '']],
  ['1847 Northwest Thurman Boulevard Apartment 12', '', 24, 40, ['1847 NW Thurman Blvd', 'Apt 12']],
  ['1847 Northwest Thurman Boulevard', 'Apartment 12', 24, 0, null],
  ['Donaudampfschifffahrtsstraße 12', '', 30, 0, ['Donaudampfschifffahrtsstr. 12', '']],
  ['Donaudampfschifffahrtsstraße 12', '', 20, 40, null],
  ['12 Rose Lane', 'c/o The Very Long Company Name Ltd', null, 20, null],
] as const)('%s and %s in %s and %s characters', (street, second, firstRoom, secondRoom, expected) => {
  const found = streetForms({ street, unit: '', second, firstRoom, secondRoom })
  expect(found && [found.street, found.second]).toEqual(expected)
})

test('a flat that does not fit goes to the second line whole, and no number leaves its street', () => {
  const forms = (street: string, unit: string, firstRoom: number) => {
    const found = streetForms({ street, unit, second: '', firstRoom, secondRoom: 40 })
    return found && [found.street, found.second]
  }
  expect(forms('Rua Augusta, 1508 - Apto 12', 'Apto 12', 20)).toEqual(['Rua Augusta, 1508', 'Apto 12'])
  expect(forms('Flat 3, 12 Rose Lane', 'Flat 3', 14)).toEqual(['12 Rose Lane', 'Flat 3'])
  expect(forms('123, rue Sainte-Catherine Ouest', '', 24)).toEqual(['123, rue', 'Sainte-Catherine Ouest'])
})

test('two ways of writing a street are the same', () => {
  expect(plainStreet('12 Main Street, Apartment 4')).toBe(plainStreet('12 MAIN ST APT 4'))
  expect(plainStreet('Hauptstraße 5')).toBe(plainStreet('HAUPTSTR. 5'))
  expect(plainStreet('12 Main Street')).not.toBe(plainStreet('12 Main Road'))
})
