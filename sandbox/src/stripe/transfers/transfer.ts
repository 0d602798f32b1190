import { automaticTransferId, chargeIdOf } from '../charges.ts'
import type { Memory, Reversal, Transfer } from '../memory.ts'

/** One that was asked for, or the one that a charge has made. */
export function transferNamed({ transfers, intents }: Memory, id: string): Transfer | null {
  const asked = transfers.get(id)
  if (asked) return asked
  const intent = intents.get(`pi_${id.slice(3)}`)
  if (intent === undefined || intent.destination === null || automaticTransferId(intent) === null) return null
  return {
    id,
    amount: intent.amount_received,
    currency: intent.currency,
    destination: intent.destination,
    source_transaction: chargeIdOf(intent),
    transfer_group: null,
    description: null,
    metadata: {},
    created_ms: intent.created_ms,
  }
}

export function reversalsOf({ reversals }: Memory, transfer: string): Reversal[] {
  return [...reversals.values()].filter((one) => one.transfer === transfer)
}
