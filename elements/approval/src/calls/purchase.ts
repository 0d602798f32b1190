import { recordOf } from '../../../frame/src/calls/call.ts'
import {
  type Purchase as Asked,
  purchaseOf as askedOf,
  recordsOf,
} from '../../../frame/src/calls/purchase.ts'
import type { ReasonName } from '../locales/sentences.ts'

/** What a person is asked to pay for, with how it stands and why they are asked. */
export type Purchase = Asked & {
  readonly id: string
  readonly status: string
  /** It was approved before, for less. */
  readonly hasRisen: boolean
  readonly reasons: readonly ReasonName[]
}

export function purchaseOf(said: Record<string, unknown>): Purchase {
  const action = recordOf(said.next_action)
  const hasRisen = action.type === 'reapprove_price'
  return {
    ...askedOf(said),
    id: String(said.id),
    status: String(said.status),
    hasRisen,
    reasons: hasRisen ? ['price'] : reasonsOf(said, action),
  }
}

/** Each in the order in which policies said it, and once. Where no policy asks for a person, the card does. */
function reasonsOf(said: Record<string, unknown>, action: Record<string, unknown>): ReasonName[] {
  const rules = recordsOf(recordOf(said.policy_decision).evaluated)
    .filter(({ result }) => result === 'require_approval')
    .map(({ rule }) => reasonOf(String(rule)))
  const isRetry = recordsOf(said.carts).length > 0
  if (isRetry) return ['retry']
  if (rules.length > 0) return [...new Set(rules)]
  return action.type === 'approve' ? ['always'] : ['card']
}

function reasonOf(rule: string): ReasonName {
  if (rule.startsWith('approval.mode')) return 'always'
  if (/^(?:merchants|categories|countries|mccs|domains)\b|\.(?:allow|block)$/.test(rule)) return 'merchant'
  return 'limit'
}
