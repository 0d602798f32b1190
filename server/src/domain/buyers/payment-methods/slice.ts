import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { paymentMethodEvents } from './events.ts'
import { ids } from './ids.ts'
import { paymentMethodOperations } from './operations.ts'
import { selectOwnPaymentMethods } from './payment-methods.sql.ts'
import { problems } from './problems.ts'
import { scopes } from './scopes.ts'

export const paymentMethods = defineSlice({
  name: 'buyers/payment-methods',
  about: 'Keeps cards under seal, verifies them and answers which one pays.',
  needs: ['buyers/profiles'],
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
