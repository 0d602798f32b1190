import type { FaultSubject } from './faults.ts'
import type { Ledger } from './ledger.ts'
import type { MoneyCall } from './money-call.ts'

/** The name under which a call is in the log, and under which faults match it. */
export function loggedAs(money: MoneyCall) {
  switch (money.operation) {
    case 'charge':
    case 'capture_card':
      return 'capture'
    case 'reverse_card':
      return 'reverse'
    case 'revoke_card':
      return 'revoke'
    case 'authorize_card':
      return money.amount === 0 ? 'check_card' : 'authorize_card'
    default:
      return money.operation
  }
}

export function subjectOf(ledger: Ledger, key: string, money: MoneyCall): FaultSubject {
  const operation = loggedAs(money)
  if ('card' in money) return { operation, key, reference: money.reference, card: money.card.name }
  const target = ledger.objects.get(targetOf(ledger, money))
  const card = target === undefined || target.object === 'refund' ? null : target.card
  const reference = money.operation === 'authorize_card' ? money.reference : (target?.reference ?? null)
  return { operation, key, reference, card }
}

function targetOf({ cardNumbers }: Ledger, money: Exclude<MoneyCall, { card: unknown }>): string {
  switch (money.operation) {
    case 'charge':
    case 'charge_credential':
    case 'revoke':
      return money.credentialId
    case 'capture':
    case 'void':
    case 'capture_card':
    case 'reverse_card':
      return money.authorizationId
    case 'refund':
      return money.captureId
    case 'revoke_card':
      return money.cardId
    case 'authorize_card':
      return money.presented.kind === 'token'
        ? money.presented.token
        : (cardNumbers.get(money.presented.number) ?? '')
    default:
      return money satisfies never
  }
}
