import { byAge, type Sweep } from '../../../platform/retention/sweep.ts'
import { deleteOldSecrets } from './sweep-secrets.sql.ts'

/** Signing secrets that were rotated and sign nothing any more. */
export const sweepSecrets: Sweep = {
  name: 'destination_secrets',
  removes: 'signing secrets that a rotation ended',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldSecrets({ before, limit })),
}
