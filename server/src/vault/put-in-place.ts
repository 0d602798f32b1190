import { isRecord } from '../platform/egress/peer-json.ts'
import { type CardField, cardFields } from '../platform/vault-client/vault-words.ts'
import type { JsonValue } from '../schema/strict-json.ts'
import { partNames } from './part-names.ts'

type Placeholder = { readonly record: string; readonly field: CardField }

/** The places in a body where the vault puts parts of cards; null: one of them is not written as it must be, or stands elsewhere. */
export function placeholdersIn(body: JsonValue): Placeholder[] | null {
  const found: Placeholder[] = []
  let isWrong = false
  const look = (value: JsonValue, name: string): void => {
    if (Array.isArray(value)) for (const member of value) look(member, '')
    else if (isRecord(value) && Object.hasOwn(value, marker)) {
      const place = placeholderOf(value)
      if (place === null || !partNames[place.field].test(name)) isWrong = true
      else found.push(place)
    } else if (isRecord(value))
      for (const [key, member] of Object.entries(value)) look(member as JsonValue, key) // members of JSON
  }
  look(body, '')
  return isWrong ? null : found
}

/** The body with a value in each of these places. */
export function putInPlace(body: JsonValue, valueFor: (place: Placeholder) => JsonValue): JsonValue {
  if (Array.isArray(body)) return body.map((member) => putInPlace(member, valueFor))
  if (!isRecord(body)) return body
  const place = placeholderOf(body)
  if (place !== null) return valueFor(place)
  return Object.fromEntries(
    Object.entries(body).map(([name, member]) => [name, putInPlace(member as JsonValue, valueFor)]), // members of JSON
  )
}

const marker = '$vault'

function placeholderOf(value: Record<string, unknown>): Placeholder | null {
  const { [marker]: said, ...others } = value
  if (!isRecord(said) || Object.keys(others).length > 0) return null
  const { record, field, ...more } = said
  if (typeof record !== 'string' || Object.keys(more).length > 0) return null
  const known = cardFields.find((one) => one === field)
  return known === undefined ? null : { record, field: known }
}
