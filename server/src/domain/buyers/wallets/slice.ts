import { defineIds } from '../../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { createWalletSignIn } from './create-wallet-sign-in.ts'
import { sweepWallets } from './wallets.sql.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  wlt: { names: 'a sign-in to a wallet of the payment rail' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  wallets_not_offered: {
    status: 409,
    retryable: false,
    message: 'No wallet pays here in this mode: use a card.',
  },
  wallet_not_signed_in: {
    status: 409,
    retryable: true,
    message: 'The person has not confirmed the sign-in at Link yet. Try again once they have.',
  },
  wallet_sign_in_over: {
    status: 409,
    retryable: false,
    message: 'This sign-in is over: it was refused, or nobody confirmed it in time. Begin another one.',
  },
  wallet_is_empty: {
    status: 409,
    retryable: true,
    message: 'The wallet has nothing to pay with. Try again once its person has added a card at Link.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const wallets = defineSlice({
  name: 'buyers/wallets',
  about: 'Signs people in to their wallets at a payment rail, and keeps the tokens of that.',
  needs: ['buyers/profiles'],
  tables: ['wallets'],
  ids,
  problems,
  operations: [createWalletSignIn],
  sweeps: [sweepWallets],
})
