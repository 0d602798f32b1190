import { defineSlice } from '../../../platform/slices/slice.ts'
import { conformanceOperations } from './operations.ts'
import { problems } from './problems.ts'
import { sweepAddresses } from './sweep-addresses.ts'

export const ucpConformance = defineSlice({
  name: 'selling/ucp-conformance',
  about: 'Sells to the official suite of UCP, in its words, by the checkouts and orders of all others.',
  needs: ['selling/checkouts', 'trade/orders'],
  problems,
  tags: { 'UCP conformance': 'What the official suite of the first release calls, in test mode.' },
  operations: conformanceOperations,
  sweeps: [sweepAddresses],
})
