import { createHash } from 'node:crypto'
import type { Fields } from '../fields.ts'
import type { SuiteData } from './suite-data.ts'

/** What the shop remembers of buyers, by their e-mail addresses. */
export type KnownAddresses = {
  /**
   * The destinations of a checkout: with none, those that the shop remembers; a new one is remembered under an id, and one that is
   * remembered has its id.
   */
  complete(email: string | undefined, sent: readonly Fields[]): readonly Fields[]
}

const placeParts = [
  'street_address',
  'extended_address',
  'address_locality',
  'address_region',
  'postal_code',
  'address_country',
] as const

export function openAddresses({ addresses }: Pick<SuiteData, 'addresses'>): KnownAddresses {
  const remembered = new Map<string, Fields[]>()
  const of = (email: string) => {
    const known = remembered.get(email.toLowerCase()) ?? []
    remembered.set(email.toLowerCase(), known)
    return known
  }
  for (const { id, email, ...one } of addresses)
    of(email).push({
      id,
      full_name: one.name,
      street_address: one.street,
      address_locality: one.city,
      address_region: one.state,
      postal_code: one.postalCode,
      address_country: one.country,
    })
  return {
    complete(email, sent) {
      if (email === undefined) return sent
      const known = of(email)
      if (sent.length === 0) return known
      return sent.map((one) => {
        if (typeof one.id === 'string') return one
        const found = known.find((other) => isSamePlace(one, other))
        if (found) return { ...one, id: found.id }
        const added = { ...one, id: idOf(email, one) }
        known.push(added)
        return added
      })
    },
  }
}

function isSamePlace(one: Fields, other: Fields): boolean {
  return placeParts.every((name) => (one[name] ?? null) === (other[name] ?? null))
}

/** The same for the same place, so that a repeat adds nothing. */
function idOf(email: string, address: Fields): string {
  const said = JSON.stringify([email.toLowerCase(), ...placeParts.map((name) => address[name] ?? null)])
  return `addr_${createHash('sha256').update(said).digest('hex').slice(0, 16)}`
}
