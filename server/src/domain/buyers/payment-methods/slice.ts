import { defineIds } from '../../../contract/ids.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { paymentMethodEvents } from './events.ts'
import { paymentMethodOperations } from './operations.ts'
import { selectOwnPaymentMethods } from './payment-methods.sql.ts'
import { problems } from './problems.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  pm: { names: 'a payment method' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What keys may be allowed here. */
const scopes = defineScopes({
  'payment_methods:read': { presets: ['buyer_agent'], toolsets: ['buyer'] },
  'payment_methods:write': { toolsets: ['buyer'] },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

export const paymentMethods = defineSlice({
  name: 'buyers/payment-methods',
  about: 'Keeps cards under seal, verifies them and answers which one pays.',
  needs: ['buyers/profiles'],
  tables: ['payment_methods', 'vault.cards'],
  ids,
  scopes,
  problems,
  tags: {
    'Payment methods': "A profile's cards, kept as tokens, and their enrollment for purchases by agents.",
  },
  events: paymentMethodEvents,
  operations: paymentMethodOperations,
  ownIds: part(selectOwnPaymentMethods, []),
})
