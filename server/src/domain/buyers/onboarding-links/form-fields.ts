import type { ValidationIssue } from '../../../schema/value-faults.ts'
import type { ProfileFacts } from '../profiles/public.ts'

/** The fields of the form, in the order of the page. */
export const fieldNames = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'country',
  'dob_day',
  'dob_month',
  'dob_year',
  'address_line1',
  'address_line2',
  'address_postal_code',
  'address_city',
  'address_state',
  'address_country',
] as const
export type FieldName = (typeof fieldNames)[number]

export type FieldValues = Readonly<Record<FieldName, string>>

/** What is wrong, by the field whose message it is. */
export type Faults = ReadonlyMap<FieldName, string>

/** What a person typed, without surrounding blanks. */
export function valuesOf(form: URLSearchParams): FieldValues {
  return fieldsOf((name) => form.get(name)?.trim() ?? '')
}

/** A form as it is first shown: empty, or with the values of the profile. A date of birth is never shown again. */
export function valuesOfProfile(profile: ProfileFacts | null): FieldValues {
  const address = shownAddress(profile)
  const known: Partial<Record<FieldName, string | null | undefined>> = {
    first_name: profile?.first_name,
    last_name: profile?.last_name,
    email: profile?.email,
    phone: profile?.phone,
    country: profile?.country,
    address_line1: address?.line1,
    address_line2: address?.line2,
    address_city: address?.city,
    address_state: address?.state,
    address_postal_code: address?.postal_code,
    address_country: address?.country,
  }
  return fieldsOf((name) => known[name] ?? '')
}

/** The one address of a profile that the form shows. */
export function shownAddress(profile: ProfileFacts | null): ProfileFacts['addresses'][number] | null {
  return profile?.addresses.find(({ is_default }) => is_default) ?? profile?.addresses[0] ?? null
}

const addressFields = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const

/** The profile that was typed, as an API caller would send it: fields left empty are left out. */
export function typedProfile(values: FieldValues): Record<string, unknown> {
  const { dob_day: day, dob_month: month, dob_year: year } = values
  const address = Object.fromEntries(
    addressFields.flatMap((name) => {
      const value = values[`address_${name}`]
      return value === '' ? [] : [[name, value]]
    }),
  )
  const hasDob = [day, month, year].some((part) => part !== '')
  // A country alone is not an address: a list always has a chosen value.
  const hasAddress = Object.keys(address).some((name) => name !== 'country')
  return {
    ...Object.fromEntries(
      (['first_name', 'last_name', 'email', 'phone', 'country'] as const).flatMap((name) =>
        values[name] === '' ? [] : [[name, values[name]]],
      ),
    ),
    ...(hasDob ? { dob: { day: wholeOf(day), month: wholeOf(month), year: wholeOf(year) } } : {}),
    ...(hasAddress ? { addresses: [{ address_type: 'both', ...address }] } : {}),
  }
}

function wholeOf(text: string): number | string {
  return /^\d{1,4}$/.test(text) ? Number(text) : text
}

/** The same faults that an API caller gets, each for its field, in words for the person who typed it. */
export function faultsOf(issues: readonly ValidationIssue[]): Faults {
  const faults = new Map<FieldName, string>()
  for (const issue of issues) {
    const field = fieldOf(issue.loc)
    if (!faults.has(field)) faults.set(field, wordsFor(field, issue))
  }
  return new Map(fieldNames.flatMap((name) => (faults.has(name) ? [[name, faults.get(name) ?? '']] : [])))
}

function fieldOf([, first, second, third]: readonly (string | number)[]): FieldName {
  const name =
    first === 'dob' ? `dob_${second ?? 'day'}` : first === 'addresses' ? `address_${third}` : String(first)
  // Nothing else can be wrong with a profile that is built here, but a fault must not get lost.
  return fieldNames.find((known) => known === name) ?? 'first_name'
}

const missing: Readonly<Partial<Record<FieldName, string>>> = {
  first_name: 'Enter your first name.',
  email: 'Enter your e-mail address.',
  phone: 'Enter your phone number.',
  dob_day: 'Enter the day.',
  dob_month: 'Enter the month.',
  dob_year: 'Enter the year.',
  country: 'Choose the country you live in.',
  address_line1: 'Enter the street and number.',
  address_line2: 'Enter the second address line.',
  address_city: 'Enter the town or city.',
  address_state: 'Enter the state or region.',
  address_postal_code: 'Enter the postal code.',
  address_country: 'Choose the country of the address.',
}

const wrong: Partial<Record<FieldName, string>> = {
  email: 'This is not a valid e-mail address. Enter one such as ada@example.com.',
  phone: 'This is not a valid phone number. Begin with + and the country code, such as +4915112345678.',
  dob_day: 'Enter a date that exists and is in the past.',
  dob_month: 'Enter a month from 1 to 12.',
  dob_year: 'Enter a year with four digits.',
  country: 'Choose the country you live in from the list.',
  address_postal_code: 'Enter the postal code. Every address in this country has one.',
  address_country: 'Choose the country of the address from the list.',
}

function wordsFor(field: FieldName, { type, msg }: ValidationIssue): string {
  if (type === 'missing') return missing[field] ?? 'Fill in this field.'
  if (type === 'string_too_long') return 'This text is too long. Enter a shorter one.'
  return wrong[field] ?? `${msg.replace(/^Value error, /, '').replace(/^./, (first) => first.toUpperCase())}.`
}

function fieldsOf(value: (name: FieldName) => string): FieldValues {
  return Object.fromEntries(fieldNames.map((name) => [name, value(name)])) as FieldValues // every name is there
}
