import { invalid } from '../../../contract/problem.ts'
import { type DateOfBirth, dobRules } from './profile.ts'

export const sealedAs = 'profile.dob'

/** The ISO form of a date of birth; throws the 422 when there is no such day or it is not in the past. */
export function isoDateOfBirth(dob: DateOfBirth, now: Date): string {
  const date = new Date(Date.UTC(dob.year, dob.month - 1, dob.day))
  if (date.getUTCMonth() !== dob.month - 1 || date.getUTCDate() !== dob.day) {
    throw invalid(['body', 'dob'], dobRules.calendar)
  }
  if (date >= now) throw invalid(['body', 'dob'], dobRules.past)
  return date.toISOString().slice(0, 10)
}
