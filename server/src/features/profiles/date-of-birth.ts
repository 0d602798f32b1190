import type { Static } from 'typebox'
import { invalid } from '../../contract/problem.ts'
import type { DateOfBirth } from './profile.ts'

export const sealedAs = 'profile.dob'

/** ISO form of a date of birth; throws the 422 when there is no such day or it is not in the past. */
export function isoDateOfBirth(dob: Static<typeof DateOfBirth>, now: Date): string {
  const date = new Date(Date.UTC(dob.year, dob.month - 1, dob.day))
  if (date.getUTCMonth() !== dob.month - 1 || date.getUTCDate() !== dob.day) {
    throw invalid(['body', 'dob'], 'dob is not a day of the calendar')
  }
  if (date >= now) throw invalid(['body', 'dob'], 'dob must be in the past')
  return date.toISOString().slice(0, 10)
}
