import { defineSlice } from '../../../platform/slices/slice.ts'
import { getPurchaseIntentEvidenceBundle } from './get-purchase-intent-evidence-bundle.ts'

export const evidenceBundles = defineSlice({
  name: 'buying/evidence-bundles',
  about:
    'Puts together what is known of a purchase, and signs it, for a bank that is asked by its customer what was charged.',
  needs: ['buyers/payment-methods', 'buying/evidence', 'buying/execution', 'buying/intents', 'trade/orders'],
  tables: [],
  operations: [getPurchaseIntentEvidenceBundle],
})
