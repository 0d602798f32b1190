import type { SealedRecords } from '../../../platform/secrets/sealed-witness.ts'
import { selectSealedSecrets } from './destinations.sql.ts'
import { sealedAs } from './secrets.ts'

/** The secrets that sign webhooks. */
export const sealedSecrets: SealedRecords = {
  what: 'webhook secrets',
  sealedAs,
  select: () => selectSealedSecrets({}),
}
