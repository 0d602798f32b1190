import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { merchantRecords, Readiness } from '../merchant/public.ts'
import { createPayoutAccountLink } from './create-payout-account-link.ts'
import { PayoutAccounts } from './port.ts'
import { payoutWork } from './work.ts'

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  payout_accounts_not_offered: {
    status: 409,
    retryable: false,
    message: 'Merchants are paid in live mode, where the operator has a payment processor. Here nobody is.',
  },
  payout_account_unknown: {
    status: 409,
    retryable: false,
    message:
      'The payment processor does not know the account of the merchant. Ask the operator to name another one.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const payouts = defineSlice({
  name: 'selling/payouts',
  about:
    'Says who is paid for what a merchant sells in live mode, and has its account opened at the payment rail.',
  needs: ['accounts/api-keys', 'selling/merchant'],
  tables: ['merchant_payouts', 'payout_accounts'],
  problems,
  operations: [createPayoutAccountLink],
  work: ({ ports }) => [payoutWork(ports.get(PayoutAccounts), merchantRecords(ports.get(Readiness)))],
  queues: [{ kind: 'payout_accounts', table: 'payout_accounts' }],
})
