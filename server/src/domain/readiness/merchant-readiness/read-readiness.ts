import { merchantRecords, type ReadReadiness } from '../../selling/merchant/public.ts'
import { selectReadinessFacts } from './readiness.sql.ts'

export const readReadiness: ReadReadiness = (reads, { accountId, mode }) =>
  reads.maybe(selectReadinessFacts({ account_id: accountId, mode }))

/** The records, with everything that slices know of a merchant. */
export const readyRecords = merchantRecords(readReadiness)

/** For commands of the operator, which change records like merchants do. */
export const changeMerchant = readyRecords.change
