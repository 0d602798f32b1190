import type { Stripe } from 'stripe'
import type { Operations } from './work.ts'

/** What an account says of itself, as far as anybody here asks. */
export const ownAccountOperations: Operations = [
  {
    method: 'GET',
    path: '/v1/account',
    operation: 'read_account',
    work: ({ account }) => ({
      body: {
        id: `acct_${account.profile}`,
        object: 'account',
        charges_enabled: true,
        country: 'US',
        default_currency: 'usd',
        details_submitted: true,
        email: null,
        payouts_enabled: true,
        type: 'standard',
      } satisfies Partial<Stripe.Account>,
    }),
  },
]
