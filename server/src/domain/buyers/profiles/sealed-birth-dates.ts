import type { SealedRecords } from '../../../platform/secrets/sealed-witness.ts'
import { sealedAs } from './date-of-birth.ts'
import { selectSealedBirthDates } from './profiles.sql.ts'

export const sealedBirthDates: SealedRecords = {
  what: 'dates of birth',
  sealedAs,
  select: () => selectSealedBirthDates({}),
}
