import { bind } from '../../../contract/port.ts'
import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { PastIntents } from '../../policies/public.ts'
import { PurchasesOfProfile } from '../../trade/orders/public.ts'
import { CredentialTickets, noTickets } from './credential-tickets.ts'
import { cartEvents, intentEvents } from './events.ts'
import { followAddresses } from './follow-addresses.ts'
import { followCreated } from './follow-created.ts'
import { ids } from './ids.ts'
import { selectOwnPurchases } from './intents.sql.ts'
import { purchaseIntentInvariants } from './invariants.ts'
import { purchaseIntentOperations } from './operations.ts'
import { pastIntents } from './past-intents.ts'
import { Charges } from './port.ts'
import { problems } from './problems.ts'
import { intentsOfProfile } from './reads.sql.ts'
import { scopes } from './scopes.ts'

export const intents = defineSlice({
  name: 'buying/intents',
  about: 'Creates, approves, cancels and retries purchase intents and their carts, and shows how they stand.',
  needs: [
    'accounts/api-keys',
    'accounts/controls',
    'buyers/payment-methods',
    'buyers/profiles',
    'buying/looks',
    'discovery/listings',
    'policies',
    'selling/catalog',
    'selling/merchant',
    'selling/pricing',
    'selling/promotions',
    'trade/orders',
    'trade/quotes',
  ],
  ids,
  scopes,
  problems,
  tags: {
    'Purchase intents': 'Purchases: preview, create, approve, follow, cancel and retry them.',
  },
  events: { ...intentEvents, ...cartEvents },
  operations: (_events, ports) =>
    purchaseIntentOperations({ chargeOf: ports.get(Charges), tickets: ports.get(CredentialTickets) }),
  queues: [
    {
      kind: 'intents',
      table: 'purchase_intents',
      mode: `case when status = 'awaiting_approval' then '' else mode::text end`,
    },
    { kind: 'carts', table: 'carts', mode: 'mode::text', channel: 'channel', of: 'intent_id' },
  ],
  followers: [followCreated, followAddresses],
  invariants: purchaseIntentInvariants,
  ownIds: part(selectOwnPurchases, []),
  binds: [
    bind(PastIntents, pastIntents),
    bind(PurchasesOfProfile, intentsOfProfile),
    // The component with which a person signs in at a merchant is still to come, and brings its own.
    bind(CredentialTickets, noTickets),
  ],
})
