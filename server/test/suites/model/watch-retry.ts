import { memberOf, type Sent } from '../client.ts'
import { day, type KeyName, type ModelIntent } from './model.ts'
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
  for (const who of carts.length === 0 ? [] : new Set([intent.key, by])) {
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
  return (sent) => {
    if (sent.status !== 200 || sent.headers['idempotent-replayed'] === 'true') return
    const status = memberOf(sent.body, 'status')
    if (status === 'approved' && !hasPerson)
      throw new Error(`nobody has approved lately what a retry calls approved: ${sent.text}`)
    if (status !== 'queued' && status !== 'approved') return
    for (const one of fresh) {
      const isAllowed = memberOf(one.body, 'status') === 'queued' || isOnlyTheDayFull(one)
      if (!isAllowed && !hasPerson)
        throw new Error(`a retry buys unattended what a new purchase would not: ${one.status} ${one.text}`)
      // What is denied, nobody approves either: but for windows, which are the purchase's own as well.
      const isDenied = denialsOf(one).some((rule) => !rule.startsWith('limits.'))
      if (isDenied) throw new Error(`a retry buys what is denied: ${one.text}`)
    }
  }
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

/** A retry is none of the day's new purchases. */
function isOnlyTheDayFull(preview: Sent): boolean {
  const denials = denialsOf(preview)
  return denials.length > 0 && denials.every((rule) => rule === 'limits.max_intents_per_day')
}

function denialsOf(preview: Sent): string[] {
  return listOf(memberOf(memberOf(preview.body, 'policy_decision'), 'evaluated'))
    .filter((rule) => memberOf(rule, 'result') === 'deny')
    .map((rule) => String(memberOf(rule, 'rule')))
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
