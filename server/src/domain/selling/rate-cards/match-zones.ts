import { closenessOf, type Place } from '../../../core/place.ts'
import type { Zone } from './rate-card.ts'
import type { Skip } from './skip.ts'

type Where = { readonly place: Place | null; readonly distanceKm: number | null }

/** Why the place is in none of the zones; null when it is in one, or when there are no zones. */
export function matchZones(zones: readonly Zone[], { place, distanceKm }: Where): Skip | null {
  if (zones.length === 0) return null
  if (place === null) return outsideOfZones(place)
  const around = zones.filter((zone) => isWithin(zone, place))
  const hit = around.some(
    ({ radius_km: radius }) => radius === undefined || (distanceKm !== null && distanceKm <= radius),
  )
  if (hit) return null
  // The address can be in one of the zones, but only a distance would tell.
  if (around.length > 0 && distanceKm === null)
    return {
      code: 'distance_unknown',
      message: 'It delivers only within a radius, and the distance to the address is not known.',
    }
  if (around.length === 0 || distanceKm === null) return outsideOfZones(place)
  const message = `The address is ${Math.round(distanceKm * 10) / 10} km away, beyond its radius.`
  return { code: 'zone_mismatch', message }
}

/** For a card that has zones, none of which names the place. */
export function outsideOfZones(place: Place | null): Skip {
  return place === null
    ? { code: 'address_unknown', message: 'It delivers only to certain zones, and the address is not known.' }
    : { code: 'zone_mismatch', message: `It does not deliver to ${nameOf(place)}.` }
}

function isWithin(zone: Zone, place: Place): boolean {
  const region = {
    country: zone.country,
    subdivisions: zone.subdivision === undefined ? [] : [zone.subdivision],
    postalPrefixes: zone.postal_prefixes ?? [],
  }
  if (closenessOf(region, place) === null) return false
  return zone.city === undefined || (place.city !== null && plain(place.city) === plain(zone.city))
}

function plain(name: string): string {
  return name.trim().toLowerCase()
}

function nameOf({ country, state, city, postalCode }: Place): string {
  return [country, state, postalCode, city].filter((part) => part !== null && part !== '').join(' ')
}
