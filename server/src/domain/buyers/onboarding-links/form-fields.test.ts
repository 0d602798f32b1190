import { expect, test } from 'vitest'
import { compileSchema } from '../../../schema/validation.ts'
import { ProfileCreate } from '../profiles/public.ts'
import { faultsOf, fieldNames, typedProfile, valuesOf } from './form-fields.ts'

const check = compileSchema(ProfileCreate, 'body')
const ada = { first_name: ' Ada ', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }

function faults(form: Record<string, string>): Record<string, string> {
  const typed = typedProfile(valuesOf(new URLSearchParams(form)))
  return Object.fromEntries(faultsOf(check.errors(typed)))
}

test('the typed values make the profile that an API client would send, and empty fields are left out', () => {
  const form = { ...ada, phone: ' ', dob_day: '09', dob_month: '12', dob_year: '1985', address_country: 'GB' }
  expect(typedProfile(valuesOf(new URLSearchParams(form)))).toEqual({
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    country: 'GB',
    dob: { day: 9, month: 12, year: 1985 },
  })
  expect(faults(form)).toEqual({})
})

test.each<[string, Record<string, string>, string[]]>([
  ['nothing at all', {}, ['first_name', 'email', 'country']],
  ['an address that is none', { ...ada, email: 'ada@' }, ['email']],
  ['a number without its country', { ...ada, phone: '0151 1234' }, ['phone']],
  ['half a date', { ...ada, dob_year: '1985' }, ['dob_day', 'dob_month']],
  [
    'a date of words',
    { ...ada, dob_day: 'first', dob_month: '13', dob_year: '85' },
    ['dob_day', 'dob_month', 'dob_year'],
  ],
  ['an unknown country', { ...ada, country: 'XX' }, ['country']],
  ['half an address', { ...ada, address_city: 'London' }, ['address_line1', 'address_country']],
  ['a card number as a name', { ...ada, last_name: '4242424242424242' }, ['last_name']],
  ['a name that is too long', { ...ada, first_name: 'A'.repeat(256) }, ['first_name']],
])('%s is named beside its field', (_, form, expected) => {
  const found = faults(form)
  expect(Object.keys(found)).toEqual(expected)
  for (const words of Object.values(found)) expect(words).toMatch(/^[A-Z].*\.$/)
})

test('every field of the schema that a person can fill in has a field on the page', () => {
  const fields = Object.keys(ProfileCreate.properties).filter(
    (name) => !['profile_type', 'metadata'].includes(name),
  )
  for (const name of fields) {
    const start = name === 'addresses' ? 'address_' : name
    expect(
      fieldNames.some((field) => field.startsWith(start)),
      name,
    ).toBe(true)
  }
})
