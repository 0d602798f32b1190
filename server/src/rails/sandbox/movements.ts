import type { MovementPage, RailMovement } from '../../domain/buying/rails/port.ts'
import { isRecord, type PeerAnswer } from '../../platform/egress/peer-json.ts'
import { amountOf, textOf } from './processor-answers.ts'

/** What changes a charge after it was made. The others follow from our own calls, or are read when the purchase goes on. */
const kinds: readonly unknown[] = ['capture', 'refund', 'reverse', 'reversed', 'void', 'voided']

/** A page of the processor's movements. An entry that makes no sense is passed over: it must not hide those after it. */
export function movementsOf(answer: PeerAnswer): MovementPage | null {
  if (answer.kind !== 'answer' || answer.status !== 200) return null
  const { data, next } = answer.body
  if (!Array.isArray(data) || amountOf(next) === null) return null
  let unread = 0
  const movements = data.flatMap((entry: unknown): RailMovement[] => {
    const movement = isRecord(entry) ? movementOf(entry) : null
    if (movement === null) unread++
    else if (kinds.includes(movement.kind)) return [movement.told]
    return []
  })
  return { movements, unread, next: String(next) }
}

function movementOf(entry: Readonly<Record<string, unknown>>): { kind: string; told: RailMovement } | null {
  const seq = amountOf(entry.seq)
  const kind = textOf(entry.kind)
  const reference = textOf(entry.virtual_card) ?? textOf(entry.credential)
  const refundedAmount = amountOf(entry.refunded)
  if (seq === null || kind === null || reference === null || refundedAmount === null) return null
  return { kind, told: { id: String(seq), reference, isRefund: kind === 'refund', refundedAmount } }
}
