import { defineIds } from '../../../contract/ids.ts'
import { bind } from '../../../contract/port.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { PastIntents } from '../../policies/public.ts'
import { PurchasesOfProfile } from '../../trade/orders/public.ts'
import { followCreated } from './create/follow-created.ts'
import { CredentialTickets } from './decide/credential-tickets.ts'
import { eraseAnswers } from './decide/erase-answers.ts'
import { followAddresses } from './decide/follow-addresses.ts'
import { PaymentProofs } from './decide/payment-proofs.ts'
import { cartEvents, intentEvents } from './events.ts'
import { selectOwnPurchases } from './intents.sql.ts'
import { purchaseIntentInvariants } from './invariants.ts'
import { purchaseIntentOperations } from './operations.ts'
import { Charges } from './port.ts'
import { problems } from './problems.ts'
import { ApprovalPages } from './read/approval-pages.ts'
import { pastIntents } from './read/past-intents.ts'
import { intentsOfProfile } from './reads.sql.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  pi: { names: 'a purchase intent' },
  item: { names: 'an item of a purchase', isOpen: true },
  cart: { names: 'a cart', isOpen: true },
  att: { names: 'an attempt of a cart' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What keys may be allowed here. */
const scopes = defineScopes({
  'purchase_intents:read': { presets: ['buyer_agent'], toolsets: ['buyer'] },
  'purchase_intents:write': { presets: ['buyer_agent'], roles: ['support'], toolsets: ['buyer'] },
  // No agent has it: it releases money that no policy has allowed.
  // guard agents-do-not-approve: no agent approves, its own purchases least of all
  'purchase_intents:approve': { roles: ['approver'], toolsets: ['buyer'] },
  // It can tell shops of buyers who do not exist, and shows their pages: no agent has it.
  'shops:check': { toolsets: ['buyer'] },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

export const intents = defineSlice({
  name: 'buying/intents',
  about: 'Creates, approves, cancels and retries purchase intents and their carts, and shows how they stand.',
  needs: [
    'accounts/api-keys',
    'accounts/controls',
    'buyers/payment-methods',
    'buyers/profiles',
    'buyers/shop-answers',
    'buying/looks',
    'discovery/listings',
    'discovery/registry',
    'policies',
    'selling/catalog',
    'selling/merchant',
    'selling/pricing',
    'selling/promotions',
    'trade/orders',
    'trade/quotes',
  ],
  tables: ['carts', 'purchase_intents', 'purchase_terms'],
  ids,
  scopes,
  problems,
  tags: {
    'Purchase intents': 'Purchases: preview, create, approve, follow, cancel and retry them.',
  },
  events: { ...intentEvents, ...cartEvents },
  operations: (_events, ports) =>
    purchaseIntentOperations({
      chargeOf: ports.get(Charges),
      tickets: ports.get(CredentialTickets),
      proofs: ports.get(PaymentProofs),
      pages: ports.get(ApprovalPages),
    }),
  queues: [
    {
      kind: 'intents',
      table: 'purchase_intents',
      mode: `case when status = 'awaiting_approval' then '' else mode::text end`,
    },
    { kind: 'carts', table: 'carts', mode: 'mode::text', channel: 'channel', of: 'intent_id' },
  ],
  followers: [followCreated, followAddresses, eraseAnswers],
  invariants: purchaseIntentInvariants,
  ownIds: part(selectOwnPurchases, []),
  binds: [bind(PastIntents, pastIntents), bind(PurchasesOfProfile, intentsOfProfile)],
})
