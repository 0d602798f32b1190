import { toWire } from '../../core/money.ts'
import { type Covering, coveringDomain, coveringValue, expectLookups } from './entries.ts'
import type { ApplicablePolicy } from './policy.ts'
import type { EvaluatedRule, PolicyResult } from './policy-decision.ts'
import { hasAmounts } from './policy-terms.ts'
import type { DecisionOccasion, Purchase } from './purchase.ts'
import { rollTo } from './windows.ts'

type Circumstances = { purchase: Purchase; now: Date; occasion: DecisionOccasion }

type Judgement = {
  rule: string
  result: PolicyResult
  limit: bigint | number | string | null
  observed: bigint | number | string | null
}

/** Every rule of a policy, and its verdict on this purchase. */
export function judgeRules(policy: ApplicablePolicy, circumstances: Circumstances): EvaluatedRule[] {
  const { purchase, now } = circumstances
  const { terms } = policy
  const mccs = purchase.merchants.map(({ mcc }) => mcc)
  const judgements = [
    ...period(policy, now),
    ...currency(policy, purchase),
    ...amounts(policy, circumstances),
    ...lists('mcc', terms.mcc, { values: mccs, covering: coveringValue }),
    ...lists('merchants', terms.merchants, domainsOf(purchase)),
    ...lists('countries', terms.countries, { values: countriesOf(purchase), covering: coveringValue }),
    ...approval(policy, circumstances),
  ]
  return judgements.map(({ rule, result, limit, observed }) => ({
    policy_id: policy.id,
    version: policy.version,
    rule,
    result,
    limit: measure(limit),
    observed: measure(observed),
  }))
}

/** A policy outside its period is judged only when it was named. */
function period({ valid_from: from, valid_until: until }: ApplicablePolicy, now: Date): Judgement[] {
  const observed = now.toISOString()
  const judgements: Judgement[] = []
  if (from)
    judgements.push({ rule: 'valid_from', result: denyIf(now < from), limit: from.toISOString(), observed })
  if (until)
    judgements.push({
      rule: 'valid_until',
      result: denyIf(now >= until),
      limit: until.toISOString(),
      observed,
    })
  return judgements
}

function currency(policy: ApplicablePolicy, purchase: Purchase): Judgement[] {
  if (!hasAmounts(policy.terms)) return []
  // guard policy-currency: a limit in one currency lets nothing through in another
  const isOther = policy.currency !== purchase.currency
  return [{ rule: 'currency', result: denyIf(isOther), limit: policy.currency, observed: purchase.currency }]
}

function amounts(policy: ApplicablePolicy, { purchase, now, occasion }: Circumstances): Judgement[] {
  const { limits } = policy.terms
  const isComparable = policy.currency === purchase.currency
  const windows = rollTo(policy.windows, now, policy.zone)
  const judgements: Judgement[] = []
  if (limits.per_transaction_max !== null && isComparable) {
    const inAll = purchase.expected + (purchase.charged ?? 0n)
    // guard per-transaction-maximum: one purchase stays below the limit of one purchase
    judgements.push(atMost('limits.per_transaction_max', limits.per_transaction_max, inAll))
  }
  for (const { interval, max_amount, max_count } of limits.intervals) {
    const { reserved, spent, count } = windows[interval]
    if (max_amount !== null && isComparable) {
      judgements.push(
        // guard window-amount: spent money and held money count against a limit
        atMost(`limits.intervals.${interval}.max_amount`, max_amount, reserved + spent + purchase.expected),
      )
    }
    if (max_count !== null)
      judgements.push(
        // guard window-count: purchases are counted against a limit of their number
        atMost(`limits.intervals.${interval}.max_count`, max_count, count + (policy.counts ?? 1)),
      )
  }
  if (limits.max_intents_per_day !== null && occasion === 'create') {
    judgements.push(
      // guard intents-per-day: an agent creates no more intents a day than it may
      atMost('limits.max_intents_per_day', limits.max_intents_per_day, windows.created.count + 1),
    )
  }
  if (limits.max_fulfillment_fee !== null && isComparable) {
    // Not a reason to deny: it lowers the allowance, and execution compares the fee with that.
    const observed = purchase.feeAllowance
    judgements.push({
      rule: 'limits.max_fulfillment_fee',
      result: 'allow',
      limit: limits.max_fulfillment_fee,
      observed,
    })
  }
  return judgements
}

/** The values that a rule is about; null where one is unknown. */
type Listed = {
  values: readonly (string | null)[]
  covering: Covering
  /** The names that a block list is compared with instead, where an unknown merchant has names. */
  names?: readonly string[]
}

/**
 * Denied when any value is blocked, when there is an allow list and a value is not on it, or when a value is unknown; a block list uses
 * names where there are some. `limit` is the entry that blocked.
 */
function lists(
  rule: string,
  { allow, block }: { allow: string[]; block: string[] },
  { values, covering, names }: Listed,
): Judgement[] {
  if (allow.length === 0 && block.length === 0) return []
  const isUnknown = values.length === 0 || values.includes(null)
  const known = values.filter((value) => value !== null)
  const judgements: Judgement[] = []
  if (block.length > 0) {
    const seen = names ?? known
    const isUnseen = names ? names.length === 0 : isUnknown
    expectLookups(block, seen.length)
    const blocked = seen.find((value) => covering(block, value) !== undefined)
    const limit = blocked === undefined ? null : (covering(block, blocked) ?? null)
    // guard block-list: nothing is bought from whom a policy blocks
    const result = denyIf(isUnseen || blocked !== undefined)
    judgements.push({
      rule: `${rule}.block`,
      result,
      limit,
      observed: blocked ?? (isUnseen ? null : listed(seen)),
    })
  }
  if (allow.length > 0) {
    expectLookups(allow, known.length)
    const missing = known.find((value) => covering(allow, value) === undefined)
    // guard allow-list: nothing is bought from whom an allow list leaves out
    // guard unknown-is-not-on-a-list: a merchant without a known category or country passes no allow list
    const result = denyIf(isUnknown || missing !== undefined)
    const observed = missing ?? (isUnknown ? null : listed(known))
    judgements.push({ rule: `${rule}.allow`, result, limit: null, observed })
  }
  return judgements
}

function approval(policy: ApplicablePolicy, { purchase, occasion }: Circumstances): Judgement[] {
  const opinion = policy.terms.approval
  if (!opinion || occasion === 'approve') return []
  if (opinion.mode !== 'above_threshold') {
    const result = opinion.mode === 'always' ? 'require_approval' : 'allow'
    return [{ rule: 'approval.mode', result, limit: opinion.mode, observed: null }]
  }
  const limit = opinion.auto_approve_up_to ?? 0
  // guard threshold-of-the-whole: earlier charges of a purchase count against a threshold
  const observed = purchase.expected + (purchase.charged ?? 0n)
  // guard threshold: above its threshold a policy asks
  const isAbove = policy.currency !== purchase.currency || observed > BigInt(limit)
  const result = isAbove ? 'require_approval' : 'allow'
  return [{ rule: 'approval.auto_approve_up_to', result, limit, observed }]
}

/** A domain that a merchant only claims cannot allow anything, but can be blocked. */
function domainsOf({ merchants }: Purchase): Listed {
  return {
    values: merchants.map(({ domain }) => domain),
    covering: coveringDomain,
    // guard claimed-names-are-blocked: a blocked domain is blocked also where it is only claimed
    names: merchants.flatMap(({ domain, claims = [] }) => (domain === null ? claims : [domain, ...claims])),
  }
}

/** The countries of the merchants, each known or not, and the country that the goods go to, if they go anywhere. */
function countriesOf({ merchants, shippingCountry }: Purchase): (string | null)[] {
  // guard unknown-country-of-a-merchant: the country of the address does not stand for that of the merchant
  const ofMerchants = merchants.length === 0 ? [null] : merchants.map(({ country }) => country)
  return [...new Set(shippingCountry === null ? ofMerchants : [...ofMerchants, shippingCountry])]
}

function atMost(rule: string, limit: number, observed: bigint | number): Judgement {
  return { rule, result: denyIf(BigInt(observed) > BigInt(limit)), limit, observed }
}

function denyIf(isBroken: boolean): PolicyResult {
  return isBroken ? 'deny' : 'allow'
}

function listed(values: readonly string[]): string {
  return [...new Set(values)].slice(0, 10).join(', ')
}

function measure(value: Judgement['limit']): number | string | null {
  return typeof value === 'bigint' ? toWire(value) : value
}
