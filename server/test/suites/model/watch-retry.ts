import { memberOf, type Sent } from '../client.ts'
import { day, type KeyName, type ModelIntent, strangers } from './model.ts'
import { bodyOf, type Real } from './real.ts'

/**
 * The one thing that a retry must never do, told without a model: charge unattended what the product itself, asked at that moment,
 * would not let anybody buy unattended who stands behind it. Only a person who has said yes within seven days makes up for that.
 */
export async function watchRetry(
  real: Real,
  { intent, body, by }: { intent: ModelIntent; body: object; by: KeyName },
): Promise<(sent: Sent) => void> {
  const key = real.keys.reader.token
  const path = `/v1/purchase_intents/${intent.id}`
  const before = bodyOf(await real.lane.send({ method: 'GET', path, key }), [200])
  const named = memberOf(body, 'cart_ids')
  const carts = listOf(before.carts).filter((cart) =>
    Array.isArray(named) ? named.includes(memberOf(cart, 'id')) : memberOf(cart, 'can_retry') === true,
  )
  const fresh: Sent[] = []
  // A preview looks at the shops of strangers, and nobody is there who looks.
  const isAsked = carts.length > 0 && !carts.some((cart) => isAtStranger(memberOf(cart, 'channel')))
  for (const who of isAsked ? new Set([intent.key, by]) : []) {
    const anew = purchaseOf(before, carts, memberOf(body, 'profile_payment_method_id'))
    const ask = (purchase: object) =>
      real.lane.send({ path: '/v1/purchase_intents/preview', key: real.keys[who].token, body: purchase })
    const asked = await ask(anew)
    const isArchived = memberOf(memberOf(asked.body, 'detail'), 'code') === 'policy_archived'
    // A new purchase cannot name it. It neither allows nor restricts any more, so what is asked is what holds without it.
    fresh.push(isArchived ? await ask({ ...anew, policy_id: null }) : asked)
  }
  const saidYesUntil = Date.parse(String(memberOf(before.approval, 'approved_at'))) + 7 * day
  const approvedBy = memberOf(before.approval, 'approved_by')
  const hasPerson =
    typeof approvedBy === 'string' &&
    approvedBy !== 'policy' &&
    real.lane.clock.now().getTime() < saidYesUntil
  const own = exchangedBy(before)
  return (sent) => {
    if (sent.status !== 200 || sent.headers['idempotent-replayed'] === 'true') return
    const status = memberOf(sent.body, 'status')
    if (status === 'approved' && !hasPerson)
      throw new Error(`nobody has approved lately what a retry calls approved: ${sent.text}`)
    if (status !== 'queued' && status !== 'approved') return
    for (const one of fresh) {
      const isAllowed = memberOf(one.body, 'status') === 'queued' || isDeniedOnlyBeside(one, own)
      if (!isAllowed && !hasPerson)
        throw new Error(`a retry buys unattended what a new purchase would not: ${one.status} ${one.text}`)
      // What is denied, nobody approves either: but for windows, which are the purchase's own as well.
      const isDenied = denialsOf(one).some(({ rule }) => !rule.startsWith('limits.'))
      if (isDenied) throw new Error(`a retry buys what is denied: ${one.text}`)
    }
  }
}

function isAtStranger(channel: unknown): boolean {
  return Object.values(strangers).some((one) => one === channel)
}

function purchaseOf(before: Record<string, unknown>, carts: readonly unknown[], method: unknown): object {
  const fee = memberOf(memberOf(before.preferences, 'fulfillment'), 'max_fee_amount')
  const paying = method ?? before.profile_payment_method_id
  return {
    profile_id: before.profile_id,
    items: carts.flatMap((cart) =>
      listOf(memberOf(cart, 'items')).map((item) => ({
        url: memberOf(item, 'url'),
        quantity: memberOf(item, 'quantity'),
        expected_amount: memberOf(item, 'expected_amount'),
        expected_currency: before.currency_code,
      })),
    ),
    ...(before.policy_id === null ? {} : { policy_id: before.policy_id }),
    ...(paying === null ? {} : { profile_payment_method_id: paying }),
    ...(typeof fee === 'number' ? { preferences: { fulfillment: { max_fee_amount: fee } } } : {}),
  }
}

/**
 * What the retry gives back of its own reservation before it holds anew. Only a purchase that has a cart of unknown outcome still holds one;
 * that cart's amount, and what was charged, it does not give back.
 */
function exchangedBy(before: Record<string, unknown>): number {
  const unknown = listOf(before.carts).filter(
    (cart) => memberOf(memberOf(cart, 'failure_reason'), 'code') === 'outcome_unknown',
  )
  if (unknown.length === 0) return 0
  const kept = unknown.reduce<number>((sum, cart) => sum + Number(memberOf(cart, 'max_allowed_amount')), 0)
  return Number(before.max_allowed_amount) - kept - Number(before.actual_amount)
}

/** Whether the purchase is refused only because it would be one beside the one that is retried: one more today, in windows that this one fills. */
function isDeniedOnlyBeside(preview: Sent, exchanged: number): boolean {
  const denials = denialsOf(preview)
  const isBeside = ({ rule, limit, observed }: Denial) =>
    rule === 'limits.max_intents_per_day' ||
    (/^limits\.intervals\.\w+\.max_amount$/.test(rule) && observed - exchanged <= limit)
  return denials.length > 0 && denials.every(isBeside)
}

type Denial = { readonly rule: string; readonly limit: number; readonly observed: number }

function denialsOf(preview: Sent): Denial[] {
  return listOf(memberOf(memberOf(preview.body, 'policy_decision'), 'evaluated'))
    .filter((rule) => memberOf(rule, 'result') === 'deny')
    .map((denied) => ({
      rule: String(memberOf(denied, 'rule')),
      limit: Number(memberOf(denied, 'limit')),
      observed: Number(memberOf(denied, 'observed')),
    }))
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
