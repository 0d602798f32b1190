import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { cartEvents, intentEvents } from './events.ts'
import { followAddresses } from './follow-addresses.ts'
import { followCreated } from './follow-created.ts'
import { selectOwnIntents } from './intents.sql.ts'
import { purchaseIntentInvariants } from './invariants.ts'
import { purchaseIntentOperations } from './operations.ts'

export const intents = defineSlice({
  name: 'buying/intents',
  needs: [
    'accounts/api-keys',
    'accounts/controls',
    'buyers/payment-methods',
    'buyers/profiles',
    'policies',
    'selling/catalog',
    'selling/merchant',
    'selling/rate-cards',
    'trade/orders',
    'trade/quotes',
  ],
  events: { ...intentEvents, ...cartEvents },
  operations: purchaseIntentOperations,
  followers: [followCreated, followAddresses],
  invariants: purchaseIntentInvariants,
  ownIds: part(selectOwnIntents, []),
})
