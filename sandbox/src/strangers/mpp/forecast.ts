import { isObject } from '../../fields.ts'

const skies = ['clear', 'cloudy', 'rain', 'snow', 'fog']
const daysMax = 14

/** What is bought: the same place has the same weather each time. */
export function forecastOf(asked: unknown): { city: string; days: object[] } {
  const { city, days } = isObject(asked) ? asked : {}
  const name = typeof city === 'string' && city !== '' ? city.slice(0, 100) : 'Bern'
  const count = Math.min(daysMax, Math.max(1, Math.floor(Number(days)) || 3))
  const seed = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  return {
    city: name,
    days: Array.from({ length: count }, (_, day) => ({
      day: day + 1,
      sky: skies[(seed + day) % skies.length],
      high: ((seed + 3 * day) % 25) + 8,
      low: ((seed + 3 * day) % 25) - 2,
    })),
  }
}
