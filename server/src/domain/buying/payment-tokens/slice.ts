import { defineIds } from '../../../contract/ids.ts'
import { bind } from '../../../contract/port.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { UsedTokens } from '../execution/public.ts'
import { paymentTokenEvents } from './events.ts'
import { paymentTokenInvariants } from './invariants.ts'
import { paymentTokenOperations } from './operations.ts'
import { orderOfToken } from './order-of-token.ts'
import { problems } from './problems.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  tok: { names: 'a payment token', isOpen: true },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

export const paymentTokens = defineSlice({
  name: 'buying/payment-tokens',
  about: 'Makes tokens of approved purchases, by which a merchant of ours charges what was reserved.',
  needs: ['accounts/controls', 'buying/execution', 'buying/intents', 'selling/merchant'],
  tables: ['payment_tokens'],
  ids,
  problems,
  tags: {
    'Payment tokens': 'Tokens by which a merchant charges a purchase itself, over UCP or MPP.',
  },
  events: paymentTokenEvents,
  operations: paymentTokenOperations,
  invariants: paymentTokenInvariants,
  binds: [bind(UsedTokens, orderOfToken)],
})
