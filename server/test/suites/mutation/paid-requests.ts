import { type Guard, guardsOf } from './guard.ts'

const channel = 'src/channels/mpp/'
const tests = [`${channel}mpp.test.ts`]

/** A request elsewhere is paid once, as it was approved, to whom it was approved. */
export const paidRequestsGuards: readonly Guard[] = [
  ...guardsOf(`${channel}choose-challenge.ts`, tests, {
    'paid-host': {
      keeps: 'no host is paid for what another host sells',
      find: 'if (!isRealmOf(challenge.realm, asking.request.url))',
      replace: 'if (false)',
    },
    'paid-in-time': {
      keeps: 'a challenge that is over is not paid',
      find: 'if (expiresAt <= asking.now)',
      replace: 'if (false)',
    },
    'paid-body': {
      keeps: 'no challenge of another body is paid',
      find: '!isDigestOf(asking.request, challenge.digest)',
      replace: 'false',
    },
  }),
  ...guardsOf(`${channel}make-payment.ts`, tests, {
    'paid-recipient': {
      keeps: 'a new challenge pays nobody else',
      find: 'charge.recipient !== first.charge.recipient ||',
      replace: '',
    },
    'paid-amount': {
      keeps: 'a new challenge is paid at the price that was approved',
      find: 'charge.amount !== total ||',
      replace: '',
    },
    'paid-by-one-challenge': {
      keeps: 'a process repeats no payment that another one may have made otherwise',
      find: 'return isFresh(first, payer) ? answerChallenge(approved, first) : null',
      replace: 'return answerChallenge(approved, first)',
    },
  }),
  ...guardsOf(`${channel}mpp.ts`, tests, {
    'paid-request': {
      keeps: 'the bytes that are paid are those whose price was asked for',
      find: 'if (approved.request.sha256 !== approved.reference.request)',
      replace: 'if (false)',
    },
  }),
  ...guardsOf('src/domain/buying/execution/requests.ts', ['test/flows/mpp-purchase.test.ts'], {
    'request-sent-or-not-bought': {
      keeps: 'nothing else is bought in place of a request',
      find: 'return cart.channel === paidByRequest || !hasRequest(intent, cart)',
      replace: 'return cart.channel !== null || !hasRequest(intent, cart)',
    },
  }),
]
