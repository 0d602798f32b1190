import { defineSlice } from '../../../platform/slices/slice.ts'
import { getPurchaseIntentEvidence } from './get-purchase-intent-evidence.ts'
import { ids } from './ids.ts'
import { listPurchaseIntentEvidence } from './list-purchase-intent-evidence.ts'
import { problems } from './problems.ts'
import { scopes } from './scopes.ts'
import { shredWithProfile } from './shred-with-profile.ts'
import { sweepEvidence } from './sweep-evidence.ts'

export const evidence = defineSlice({
  name: 'buying/evidence',
  about: 'Keeps pictures of the pages that carts were bought on, for as long as people can look at them.',
  needs: ['buyers/profiles', 'buying/intents'],
  ids,
  scopes,
  problems,
  operations: [listPurchaseIntentEvidence, getPurchaseIntentEvidence],
  followers: [shredWithProfile],
  sweeps: [sweepEvidence],
})
