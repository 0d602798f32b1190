import { chargedOf, isOver, isUnknown, type Model, type ModelIntent } from './model.ts'
import { moveIntent } from './moves.ts'
import { release, settle } from './policies.ts'

/** An intent ends when all of its carts have ended, unless one of them still waits for a person. */
export function finish(model: Model, intent: ModelIntent): void {
  const { carts } = intent
  if (intent.status === 'awaiting_approval' || carts.some(({ status }) => !isOver(status))) return
  const isFailed = carts.some(({ status }) => status === 'failed')
  const isBought = carts.some(({ status }) => status === 'succeeded')
  moveIntent(model, intent, isFailed ? 'carts_failed' : isBought ? 'carts_succeeded' : 'carts_cancelled')
  endTerms(model, intent)
  intent.events.push(`purchase_intent.${intent.status}`)
}

/** The end state of a purchase, and the end of its reservation. */
export function endTerms(model: Model, intent: ModelIntent): void {
  const { carts } = intent
  const isBought = carts.some(({ status }) => status === 'succeeded')
  const unknown = carts.find(isUnknown)
  const failed = unknown ?? carts.find(({ status }) => status === 'failed')
  intent.isPartial = isBought && carts.some(({ status }) => status !== 'succeeded')
  intent.failure = failed?.failure ?? null
  intent.nextAction = unknown ? 'resolve_unknown_outcome' : null
  if (unknown) return
  if (!isBought) {
    release(model, intent)
    return
  }
  settle(model, intent, chargedOf(intent) - intent.settled)
  intent.settled = chargedOf(intent)
}
