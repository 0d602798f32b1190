import { isAsked } from './ask-holder.ts'
import type { Entry, Ledger, LedgerLine, Recorded, Stored } from './ledger.ts'
import { spentWith } from './spent-with.ts'
import { openAmount, reversedBy } from './virtual-card.ts'

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
  const released = release(ledger, madeBy(ledger, recorded), at)
  if (released === undefined) return undefined
  const { object, with: others, result, amount } = released
  return {
    kind: 'closed',
    key,
    objects: [object, ...others],
    entry: { ...entry, amount, currency: object.currency, reference: object.reference, result },
  }
}

/** The hold that a key has made. A charge of a credential that was refused names the credential, and has made nothing. */
function madeBy({ objects }: Ledger, { operation, objectId }: Recorded): Stored | undefined {
  const object = objects.get(objectId ?? '')
  if (operation === 'charge_credential') return object?.object === 'authorization' ? object : undefined
  const isHold = opening.has(operation) || operation === 'authorize_card'
  return isHold ? object : undefined
}

const opening: ReadonlySet<string> = new Set(['authorize', 'issue_credential', 'issue_card'])

type Released = { object: Stored; with: Stored[]; result: string; amount: number }

function release(ledger: Ledger, held: Stored | undefined, at: Date): Released | undefined {
  if (held?.object === 'authorization' && (held.status === 'authorized' || isAsked(held))) {
    const object: Stored = { ...held, status: 'voided' }
    return { object, with: spentWith(ledger, object), result: 'voided', amount: held.amount }
  }
  if (held?.object === 'credential' && (held.status === 'active' || isAsked(held)))
    return { object: { ...held, status: 'revoked' }, with: [], result: 'revoked', amount: held.limit }
  if (held?.object === 'virtual_card' && held.revoked_at === null && held.decline_code === null) {
    const object: Stored = { ...held, revoked_at: at.toISOString() }
    return { object, with: [], result: 'revoked', amount: held.limit }
  }
  if (held?.object === 'card_authorization' && openAmount(held) > 0) {
    const amount = openAmount(held)
    const [object, card] = reversedBy(ledger, held, amount)
    return { object, with: [card], result: 'reversed', amount }
  }
  return undefined
}
