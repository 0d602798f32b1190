import { recordOf } from '../../../frame/src/calls/call.ts'
import type { ReasonName } from '../locales/sentences.ts'

/** What a person is asked to pay for. */
export type Purchase = {
  readonly id: string
  readonly status: string
  /** What it names to be charged. */
  readonly cardId: string | null
  readonly currency: string
  /** The most that can be charged in all, in minor units. */
  readonly cap: number
  /** It was approved before, for less. */
  readonly hasRisen: boolean
  readonly shops: readonly Shop[]
  readonly reasons: readonly ReasonName[]
}

export type Shop = { readonly host: string; readonly items: readonly Item[] }

type Item = {
  readonly id: string
  /** The end of the address of its page: it has no other name before it is bought. */
  readonly name: string
  readonly choices: readonly string[]
  readonly quantity: number
  /** Of one unit, in minor units. */
  readonly amount: number
}

export function purchaseOf(said: Record<string, unknown>): Purchase {
  const action = recordOf(said.next_action)
  const proposal = recordOf(action.proposal)
  const amounts = new Map(
    recordsOf(proposal.items).map(({ id, unit_amount }) => [String(id), Number(unit_amount)]),
  )
  const shops = new Map<string, Item[]>()
  for (const item of recordsOf(said.items)) {
    const url = URL.canParse(String(item.url)) ? new URL(String(item.url)) : null
    const host = url?.host ?? ''
    const id = String(item.id)
    const shown = {
      id,
      name: url === null ? '' : nameIn(url),
      choices: recordsOf(recordOf(item.variant).selections).map(({ value }) => String(value)),
      quantity: Number(item.quantity),
      amount: amounts.get(id) ?? Number(item.expected_amount),
    }
    shops.set(host, [...(shops.get(host) ?? []), shown])
  }
  const hasRisen = action.type === 'reapprove_price'
  return {
    id: String(said.id),
    status: String(said.status),
    cardId: typeof said.profile_payment_method_id === 'string' ? said.profile_payment_method_id : null,
    currency: String(said.currency_code),
    cap: Number(proposal.max_allowed_amount ?? said.max_allowed_amount),
    hasRisen,
    shops: [...shops].map(([host, items]) => ({ host, items })),
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

function nameIn({ pathname, host }: URL): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? host
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}
