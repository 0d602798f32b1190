/** A destination, as far as it is known. */
export type Place = {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string
  readonly state: string | null
  readonly city: string | null
  readonly postalCode: string | null
}

/**
 * A part of a country: all places in it that have one of the subdivisions, and one of the beginnings of a postal code, where it names
 * any.
 */
export type Region = {
  readonly country: string
  readonly subdivisions: readonly string[]
  readonly postalPrefixes: readonly string[]
}

/** How closely a region matches a place: the length of the postal code's beginning, then the subdivision, then the country. */
export type Closeness = { readonly postalLength: number; readonly isSubdivision: boolean }

/** How closely a region matches the place; null when the place is not in it. */
export function closenessOf(region: Region, place: Place): Closeness | null {
  if (region.country !== place.country) return null
  const isSubdivision = region.subdivisions.length > 0
  if (isSubdivision) {
    if (place.state === null) return null
    const state = normalSubdivision(place.state, place.country)
    if (!region.subdivisions.some((each) => normalSubdivision(each, region.country) === state)) return null
  }
  if (region.postalPrefixes.length === 0) return { postalLength: 0, isSubdivision }
  const code = place.postalCode === null ? '' : normalPostalCode(place.postalCode)
  const lengths = region.postalPrefixes
    .map(normalPostalCode)
    .filter((prefix) => code.startsWith(prefix))
    .map((prefix) => prefix.length)
  return lengths.length === 0 ? null : { postalLength: Math.max(...lengths), isSubdivision }
}

/** Positive when `a` is closer. */
export function compareCloseness(a: Closeness, b: Closeness): number {
  return a.postalLength - b.postalLength || Number(a.isSubdivision) - Number(b.isSubdivision)
}

/** Postal codes are compared without blanks and hyphens, in upper case: `sw1a 1aa` is `SW1A1AA`. */
export function normalPostalCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toUpperCase()
}

/** Subdivisions are compared as they are written, in upper case, with or without their country: `us-ca` is `CA`. */
export function normalSubdivision(subdivision: string, country: string): string {
  const upper = subdivision.trim().toUpperCase()
  return upper.startsWith(`${country}-`) ? upper.slice(country.length + 1) : upper
}

export type Coordinates = { readonly latitude: number; readonly longitude: number }

const earthRadiusKm = 6371.0088

/** The distance on the earth's surface, in kilometers (haversine). */
export function distanceKm(from: Coordinates, to: Coordinates): number {
  const [a, b] = [radians(from.latitude), radians(to.latitude)]
  const half = Math.sin((b - a) / 2) ** 2
  const across = Math.sin(radians(to.longitude - from.longitude) / 2) ** 2
  // For antipodes, rounding can make the sum a little larger than one.
  return 2 * earthRadiusKm * Math.asin(Math.sqrt(Math.min(1, half + Math.cos(a) * Math.cos(b) * across)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
