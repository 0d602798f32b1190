import { isFrozenFor, type Model, type ModelIntent, minute } from './model.ts'
import { moveIntent } from './moves.ts'
import { hold, judge } from './policies.ts'
import { stepUpOf, usableMethod } from './predict-create.ts'

/** The address has come: decided as a new purchase by the policies of this moment, within its first cap. */
export function decideWithAddress(model: Model, intent: ModelIntent): void {
  const profile = model.profiles[intent.profile]
  if (!intent.awaitsAddress || intent.status !== 'awaiting_approval' || !profile?.hasAddress) return
  if (profile.isArchived || isFrozenFor(model, intent)) return
  const wanted = intent.method ?? usableMethod(model, intent.profile)
  const method = wanted && !wanted.isDeleted ? wanted : null
  const asked = { ...intent, method: wanted, shops: intent.items.map(({ shop }) => shop), charged: 0 }
  const decide = (stepUp: boolean) => judge(model, asked, { occasion: 'again', stepUp, without: intent })
  const needsHolder = method === null || stepUpOf(method, 'prefer') !== 'none'
  const unattended = decide(false)
  const verdict = unattended.result === 'allow' && needsHolder ? decide(true) : unattended
  intent.awaitsAddress = false
  intent.method = method
  if (verdict.result === 'deny') {
    moveIntent(model, intent, 'address_given_denied')
    intent.isRequired = false
    intent.nextAction = null
    intent.approvalExpires = null
    intent.events.push('purchase_intent.declined')
    return
  }
  const tolerance = Math.min(intent.tolerance, verdict.tolerance)
  const whole = intent.expected + verdict.fee + intent.tax + Math.floor((intent.expected * tolerance) / 100)
  intent.cap = Math.min(intent.cap, verdict.cap, whole)
  intent.fee = verdict.fee
  intent.tolerance = tolerance
  if (verdict.onExceed === 'fail') intent.onExceed = 'fail'
  if (verdict.result === 'allow') {
    hold(model, intent, verdict)
    moveIntent(model, intent, 'address_given')
    intent.isRequired = false
    intent.approvedBy = 'policy'
    intent.approvedAt = model.now
    intent.nextAction = null
    intent.events.push('purchase_intent.queued')
    return
  }
  intent.approvalExpires = model.now + verdict.minutes * minute
  intent.nextAction =
    method === null
      ? 'select_payment_method'
      : needsHolder && unattended.result === 'allow'
        ? 'verify_payment'
        : 'approve'
  intent.events.push('purchase_intent.awaiting_approval')
}
