import { byAge, type Sweep } from '../../../platform/retention/sweep.ts'
import { shredOldEvidence } from './evidence.sql.ts'

/** A picture has up to a mebibyte, so that few of them make a statement that takes some milliseconds. */
const picturesAtOnce = 20

/** The pictures of pages, once nobody can read them any more. */
export const sweepEvidence: Sweep = {
  name: 'purchase_evidence',
  removes: 'pictures of the pages that were bought on',
  keeps: 'evidenceDays',
  batches: (pools, before) =>
    byAge(pools, (limit) => shredOldEvidence({ before, limit }), { rows: picturesAtOnce }),
}
