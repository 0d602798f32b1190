import { expect, test } from 'vitest'
import { isDialList } from '../reading/dial-codes.ts'
import { type PhoneField, phoneForms, phoneParts } from './phone-forms.ts'

const plain: PhoneField = {
  maxLength: null,
  pattern: '',
  isNumber: false,
  isWithoutCode: false,
  hasDialField: false,
}

test.each([
  ['+447700900123', 'GB', {}, '+447700900123'],
  ['+447700900123', 'GB', { hasDialField: true, isWithoutCode: true }, '7700900123'],
  ['+447700900123', 'GB', { isWithoutCode: true }, '07700900123'],
  ['+447700900123', 'GB', { maxLength: 11 }, '07700900123'],
  // Without its 0 it would be a number of Georgia.
  ['+447700900123', 'GB', { maxLength: 10 }, undefined],
  ['+447700900123', 'US', { maxLength: 11 }, undefined],
  ['+14155550132', 'US', { maxLength: 10 }, '4155550132'],
  ['+14155550132', 'US', { pattern: String.raw`\d{10}` }, '4155550132'],
  ['+14155550132', 'US', { pattern: '[0-9+ ]{6,20}' }, '+14155550132'],
  ['+14155550132', 'US', { pattern: '(' }, '+14155550132'],
  ['+14155550132', 'US', { maxLength: 9 }, undefined],
  ['+33612345678', 'FR', { maxLength: 10 }, '0612345678'],
  ['+393887403368', 'IT', { maxLength: 10 }, '3887403368'],
  ['+3612345678', 'HU', { isWithoutCode: true }, '0612345678'],
  ['+819012345678', 'JP', { isNumber: true }, '09012345678'],
] as const)('%s for a buyer in %s, where the field is %o', (phone, country, field, best) => {
  expect(phoneForms(phone, country, { ...plain, ...field })[0]).toBe(best)
})

test.each([
  ['+14155550132', 'US', [3, 3, 4], ['415', '555', '0132']],
  ['+14155550132', 'US', [null, null, null], ['415', '555', '0132']],
  ['+819012345678', 'JP', [4, 4, 4], ['090', '1234', '5678']],
  ['+81312345678', 'JP', [5, 4, 4], ['03', '1234', '5678']],
  ['+81451234567', 'JP', [5, 4, 4], ['045', '123', '4567']],
  ['+33612345678', 'FR', [2, 2, 2, 2, 2], ['06', '12', '34', '56', '78']],
  ['+33612345678', 'FR', [3, 3, 4], null],
  ['+33612345678', 'US', [3, 3, 4], null],
  ['+4930901820', 'DE', [4, 4, 4], null],
] as const)('%s of %s in boxes of %o', (phone, country, lengths, parts) => {
  expect(phoneParts(phone, country, lengths)).toEqual(parts)
})

test('a list of dial codes is told from one of countries by its options', () => {
  const options = (...texts: string[]) => texts.map((text) => ({ text, value: text }))
  expect(isDialList(options('United States (+1)', 'United Kingdom (+44)'))).toBe(true)
  expect(isDialList(options('', '+1', '+44', '+49'))).toBe(true)
  expect(isDialList(options('United States', 'United Kingdom'))).toBe(false)
  expect(isDialList(options('S', 'M', 'L'))).toBe(false)
})
