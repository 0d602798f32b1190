import { byAge, type Sweep } from '../../../platform/retention/sweep.ts'
import { deleteOldAddresses } from './addresses.sql.ts'

export const sweepAddresses: Sweep = {
  name: 'conformance_addresses',
  removes: 'addresses that merchants of the UCP suite remember of buyers',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldAddresses({ before, limit })),
}
