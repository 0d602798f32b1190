import { recordOf } from '../../../frame/src/calls/call.ts'
import { visible } from '../../../frame/src/calls/item-name.ts'
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
  /** What shops that ask for it get of what the person has kept: in their words, and the host that gets it. */
  readonly answers: readonly string[]
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
    answers: recordsOf(said.shop_answers).map(
      ({ host, label }) => `${visible(String(label))} (${String(host)})`,
    ),
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
