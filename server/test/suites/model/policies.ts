import {
  type Holding,
  type IntervalName,
  type KeyName,
  type Model,
  type ModelIntent,
  type ModelMethod,
  type ModelPolicy,
  sum,
} from './model.ts'

/** A purchase as policies see it. */
export type Asked = {
  profile: number
  key: KeyName
  /** What pays. */
  method: ModelMethod | null
  policy: ModelPolicy | null
  currency: 'EUR' | 'USD'
  shops: readonly string[]
  expected: number
  cap: number
  fee: number
  /** Spent already, before a retry. */
  charged: number
  /** When another key than the purchase's requests it. */
  actor?: KeyName
}

export type Verdict = {
  result: 'allow' | 'require_approval' | 'deny'
  /** Every denial comes from a window that is full. */
  isOnlyFull: boolean
  cap: number
  fee: number
  tolerance: number
  onExceed: 'reapprove' | 'fail'
  minutes: number
  judged: ModelPolicy[]
}

const accountTolerance = 5

/** `again`: as a new purchase, which does not count as a new one of the day. */
type Occasion = 'create' | 'again' | 'approve' | 'reprice'

/** The decision of all policies together: the strictest wins, and naming a policy never gives authority. */
export function judge(
  model: Model,
  asked: Asked,
  how: { occasion: Occasion; stepUp: boolean; without: ModelIntent | null; isOneMore?: boolean },
): Verdict {
  const judged = model.policies.filter(
    (policy) =>
      !policy.isArchived &&
      (policy === asked.policy ||
        isAttached(policy, asked) ||
        (asked.actor !== undefined && isAttached(policy, { ...asked, key: asked.actor }))),
  )
  const denials = judged.flatMap((policy) => denialsOf(model, policy, asked, how))
  const opinions = judged.map((policy) => opinionOf(policy, asked))
  const asks = opinions.includes('ask') || how.stepUp
  const isAllowed = judged.some((policy, index) => opinions[index] === 'allow' && isAttached(policy, asked))
  const isNew = how.occasion === 'create' || how.occasion === 'again'
  const needsApproval = isNew && (asks || !isAllowed)
  const result = denials.length > 0 ? 'deny' : needsApproval ? 'require_approval' : 'allow'
  const isUnattended = isNew && result === 'allow'
  const tolerances = judged.map(({ terms }) => terms.tolerance ?? accountTolerance)
  const isWidened = judged.some((policy) => isAttached(policy, asked))
  return {
    result,
    isOnlyFull: denials.length > 0 && denials.every((denial) => denial === 'window'),
    cap: Math.max(
      0,
      Math.min(
        asked.cap,
        ...judged.flatMap((policy) => ceilingsOf(model, policy, asked, { ...how, isUnattended })),
      ),
    ),
    fee: Math.min(asked.fee, ...judged.flatMap(({ terms }) => terms.fee ?? [])),
    tolerance: Math.min(...(isWidened ? tolerances : [...tolerances, accountTolerance])),
    onExceed: judged.some(({ terms }) => terms.onExceed === 'fail') ? 'fail' : 'reapprove',
    minutes: Math.min(
      7 * 24 * 60,
      ...judged.flatMap(({ terms }) => (terms.approval ? (terms.approval.minutes ?? 7 * 24 * 60) : [])),
    ),
    judged,
  }
}

/** A purchase that two keys stand behind may do what both of them may. */
export function stricter(one: Verdict, other: Verdict): Verdict {
  const results = ['deny', 'require_approval', 'allow'] as const
  return {
    result: results.find((result) => one.result === result || other.result === result) ?? 'deny',
    isOnlyFull: false,
    cap: Math.min(one.cap, other.cap),
    fee: Math.min(one.fee, other.fee),
    tolerance: Math.min(one.tolerance, other.tolerance),
    onExceed: one.onExceed === 'fail' ? 'fail' : other.onExceed,
    minutes: Math.min(one.minutes, other.minutes),
    judged: [...new Set([...one.judged, ...other.judged])],
  }
}

function isAttached(
  { terms, isArchived }: ModelPolicy,
  asked: Pick<Asked, 'profile' | 'key' | 'method'>,
): boolean {
  if (isArchived) return false
  return (
    (terms.profile === null || terms.profile === asked.profile) &&
    (terms.key === null || terms.key === asked.key) &&
    (terms.method === null || terms.method === asked.method)
  )
}

function hasAmounts({ terms }: ModelPolicy): boolean {
  const { perPurchase, fee, interval, approval } = terms
  return (
    perPurchase !== null ||
    fee !== null ||
    (interval?.amount ?? null) !== null ||
    approval?.mode === 'above_threshold'
  )
}

function denialsOf(
  model: Model,
  policy: ModelPolicy,
  asked: Asked,
  {
    occasion,
    without,
    isOneMore = false,
  }: { occasion: Occasion; without: ModelIntent | null; isOneMore?: boolean },
): ('rule' | 'window')[] {
  const { terms } = policy
  const isSame = terms.currency === asked.currency
  const denials: ('rule' | 'window')[] = []
  const deny = (is: boolean, kind: 'rule' | 'window') => void (is && denials.push(kind))
  deny(hasAmounts(policy) && !isSame, 'rule')
  deny(terms.perPurchase !== null && isSame && asked.expected + asked.charged > terms.perPurchase, 'rule')
  if (terms.interval && occasion !== 'reprice') {
    const { name, amount, count } = terms.interval
    const used = usageOf(model, policy, name, without)
    const adds = without === null ? 1 : countOf(model, policy, { intent: without, isOneMore })
    deny(amount !== null && isSame && used.reserved + used.spent + asked.expected > amount, 'window')
    deny(count !== null && used.count + adds > count, 'window')
  }
  if (terms.perDay !== null && occasion === 'create')
    deny(createdToday(model, policy) + 1 > terms.perDay, 'rule')
  deny(terms.blocked !== null && asked.shops.includes(terms.blocked), 'rule')
  return denials
}

function opinionOf({ terms }: ModelPolicy, asked: Asked): 'allow' | 'ask' | 'none' {
  const { approval } = terms
  if (approval === null) return 'none'
  if (approval.mode !== 'above_threshold') return approval.mode === 'always' ? 'ask' : 'allow'
  return terms.currency !== asked.currency || asked.expected + asked.charged > approval.upTo ? 'ask' : 'allow'
}

function ceilingsOf(
  model: Model,
  policy: ModelPolicy,
  asked: Asked,
  how: { occasion: Occasion; without: ModelIntent | null; isUnattended: boolean },
): number[] {
  const { terms } = policy
  if (terms.currency !== asked.currency) return []
  const ceilings: number[] = []
  if (terms.perPurchase !== null) ceilings.push(terms.perPurchase - asked.charged)
  if (how.isUnattended && terms.approval?.mode === 'above_threshold')
    ceilings.push(terms.approval.upTo - asked.charged)
  if (terms.interval && terms.interval.amount !== null && how.occasion !== 'reprice') {
    const { reserved, spent } = usageOf(model, policy, terms.interval.name, how.without)
    ceilings.push(terms.interval.amount - reserved - spent)
  }
  return ceilings
}

type Usage = { reserved: number; spent: number; count: number }

/** The used part of a window now. `without` leaves out the holds of one purchase. */
export function usageOf(
  model: Model,
  policy: ModelPolicy,
  interval: IntervalName,
  without: ModelIntent | null = null,
): Usage {
  const start = windowStart(interval, model.now)
  const held = model.ledger.filter(
    (one) =>
      one.policy === policy &&
      one.at >= start &&
      one.state !== 'released' &&
      !(one.intent === without && one.state === 'reserved'),
  )
  return {
    reserved: sum(held.filter(({ state }) => state === 'reserved').map(({ amount }) => amount)),
    spent: sum(held.map(({ spent }) => spent)),
    count: sum(held.map(({ count }) => count)),
  }
}

/** UTC; a week begins on Monday. */
export function windowStart(interval: IntervalName, now: number): number {
  const date = new Date(now)
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  if (interval === 'day') return midnight
  if (interval === 'week') return midnight - ((date.getUTCDay() + 6) % 7) * 86_400_000
  return interval === 'month' ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) : 0
}

function createdToday(model: Model, policy: ModelPolicy): number {
  const start = windowStart('day', model.now)
  return policy.created.filter((at) => at >= start).length
}

/** An exchanged holding counts as before. A new decision counts one more, and a further part of a purchase does not. */
function countOf(
  model: Model,
  policy: ModelPolicy,
  { intent, isOneMore }: { intent: ModelIntent; isOneMore: boolean },
): number {
  const open = openOf(model, intent).find((one) => one.policy === policy)
  const before = open ? open.count : wasCounted(model, policy, intent) || isOneMore ? 0 : 1
  return before + (isOneMore ? 1 : 0)
}

function wasCounted(model: Model, policy: ModelPolicy, intent: ModelIntent): boolean {
  return model.ledger.some(
    (one) => one.policy === policy && one.intent === intent && one.state === 'settled' && one.count > 0,
  )
}

/** Replaces what a purchase holds by one holding under every judged policy. */
export function hold(model: Model, intent: ModelIntent, verdict: Verdict, isOneMore = false): void {
  const counts = new Map(
    verdict.judged.map((policy) => [policy, countOf(model, policy, { intent, isOneMore })]),
  )
  release(model, intent)
  for (const policy of verdict.judged) {
    const holding: Holding = {
      policy,
      intent,
      at: model.now,
      amount: policy.terms.currency === intent.currency ? verdict.cap : 0,
      count: counts.get(policy) ?? 1,
      state: 'reserved',
      spent: 0,
    }
    model.ledger.push(holding)
  }
}

export function release(model: Model, intent: ModelIntent): void {
  for (const one of openOf(model, intent)) one.state = 'released'
}

export function settle(model: Model, intent: ModelIntent, actual: number): void {
  for (const one of openOf(model, intent)) {
    one.state = 'settled'
    one.spent = one.amount === 0 ? 0 : actual
  }
}

function openOf(model: Model, intent: ModelIntent): Holding[] {
  return model.ledger.filter((one) => one.intent === intent && one.state === 'reserved')
}
