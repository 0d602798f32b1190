import type { Entry, Ledger, LedgerLine, Stored } from './ledger.ts'

/**
 * Closing makes "not found" final for a caller that lost an answer: the hold of the key is released, and a call with it that is
 * still on its way is refused. A capture or refund stays, and the answer shows it. Undefined when already closed.
 */
export function closeKey(ledger: Ledger, key: string, at: Date): LedgerLine | undefined {
  if (ledger.closedKeys.has(key)) return undefined
  const recorded = ledger.operations.get(key)
  const entry: Entry = {
    at: at.toISOString(),
    key,
    operation: 'close',
    amount: null,
    currency: null,
    reference: null,
    result: 'closed',
  }
  if (recorded === undefined) return { kind: 'closed', key, objects: [], entry }
  if (recorded.operation !== 'authorize' && recorded.operation !== 'issue_credential') return undefined
  const released = release(ledger.objects.get(recorded.objectId ?? ''))
  if (released === undefined) return undefined
  const { object, result, amount } = released
  return {
    kind: 'closed',
    key,
    objects: [object],
    entry: { ...entry, amount, currency: object.currency, reference: object.reference, result },
  }
}

function release(object: Stored | undefined): { object: Stored; result: string; amount: number } | undefined {
  if (object?.object === 'authorization' && object.status === 'authorized') {
    return { object: { ...object, status: 'voided' }, result: 'voided', amount: object.amount }
  }
  if (object?.object === 'credential' && object.status === 'active') {
    return { object: { ...object, status: 'revoked' }, result: 'revoked', amount: object.limit }
  }
  return undefined
}
