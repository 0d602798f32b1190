import { type Listed, missedBeside, missedBy } from './guard.ts'

/** A request elsewhere is paid once, as it was approved, to whom it was approved. */
export const paidRequestsGuards: readonly Listed[] = [
  ...missedBeside({
    'paid-request': 'never',
  }),
  ...missedBy(['src/channels/mpp/mpp.test.ts'], {
    'paid-host': 'never',
    'paid-in-time': 'never',
    'paid-body': ['!isDigestOf(asking.request, challenge.digest)', 'false'],
    'paid-recipient': ['charge.recipient !== first.charge.recipient ||'],
    'paid-amount': ['charge.amount !== total ||'],
    'paid-by-one-challenge': 'always',
  }),
  ...missedBy(['test/flows/mpp-purchase.test.ts'], {
    'request-sent-or-not-bought': ['=== paidByRequest', '!== null'],
  }),
]
