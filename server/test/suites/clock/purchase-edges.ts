import type { OrderStatus } from '../../../src/domain/trade/orders/machine.ts'
import { memberOf } from '../client.ts'
import { bodyOf } from '../model/real.ts'
import { day, type Edge, fieldOf, hour, minute, type Stage, saidBy, second } from './stage.ts'

/** Approves one of two equal purchases on the last millisecond, and finds the other one over on the next. */
async function approvalEdge(stage: Stage, ids: readonly [string, string], deadline: number): Promise<void> {
  const [early, late] = ids
  const shown = fieldOf(await stage.read(`/v1/purchase_intents/${late}`), 'approval')
  stage.same('is shown', memberOf(shown, 'expires_at'), new Date(stage.start + deadline).toISOString())
  await stage.at(deadline - 1)
  await stage.work()
  stage.same('a millisecond before, a worker leaves it', await stage.statusOf(late), 'awaiting_approval')
  stage.same('a millisecond before', saidBy(await stage.approve(early)), '200')
  await stage.at(deadline)
  stage.same('at its end, before any worker', await stage.statusOf(late), 'awaiting_approval')
  stage.same('approved at its end', saidBy(await stage.approve(late)), 'not_approvable')
  const declined = await stage.send(`/v1/purchase_intents/${late}/approve`, { approve: false })
  stage.same('declined at its end', saidBy(declined), 'not_approvable')
  await stage.work()
  const after = bodyOf(await stage.read(`/v1/purchase_intents/${late}`), [200])
  stage.same('kept', [after.status, memberOf(after.failure_reason, 'code')], ['declined', 'approval_expired'])
}

export const purchaseEdges: Readonly<Record<string, Edge>> = {
  async approval(stage) {
    await approvalEdge(stage, [await stage.create('ok'), await stage.create('ok')], 7 * day)
  },

  async 'policy approval'(stage) {
    const approval = { mode: 'always', expires_after_minutes: 90 }
    bodyOf(await stage.send('/v1/policies', { name: 'Soon', approval }), [201])
    await approvalEdge(stage, [await stage.create('ok'), await stage.create('ok')], 90 * minute)
  },

  async 'price question'(stage) {
    const ids = [await stage.buy('up20'), await stage.buy('up20')] as const
    await stage.at(hour)
    await stage.work()
    stage.same('asked', await stage.statusOf(ids[1]), 'awaiting_approval')
    await approvalEdge(stage, ids, hour + 7 * day)
    stage.same('its cart', (await stage.cartOf(ids[1])).status, 'failed')
  },

  async 'sign-in'(stage) {
    const id = await stage.buy('sign_in')
    await stage.work()
    stage.same('waits', await stage.statusOf(id), 'awaiting_merchant_auth')
    await stage.at(24 * hour - 1)
    await stage.work()
    stage.same('a millisecond before', await stage.statusOf(id), 'awaiting_merchant_auth')
    await stage.at(24 * hour)
    await stage.work()
    const cart = await stage.cartOf(id)
    const given = [await stage.statusOf(id), memberOf(cart.failure_reason, 'code')]
    stage.same('at its end', given, ['failed', 'merchant_auth_failed'])
  },

  async 'order answer'(stage) {
    const ids = [await stage.buy(stage.seller.url), await stage.buy(stage.seller.url)]
    await stage.work()
    const [early, late] = await Promise.all(ids.map(async (id) => String((await stage.cartOf(id)).order)))
    const confirm = (order: string | undefined) =>
      stage.send(
        `/v1/merchant/orders/${order}/responses`,
        { outcome: 'confirmed', confirmation_reference: `C-${order}` },
        { key: stage.seller.key },
      )
    const orderStatus = async () => fieldOf(await stage.read(`/v1/orders/${late}`), 'status') as OrderStatus // the contract's own list
    await stage.at(24 * hour - 1)
    await stage.work()
    stage.same('a millisecond before, a worker leaves it', await orderStatus(), 'awaiting_confirmation')
    stage.same('confirmed a millisecond before', saidBy(await confirm(early)), '200')
    await stage.at(24 * hour)
    stage.same('at its end, before any worker', await orderStatus(), 'awaiting_confirmation')
    stage.same('confirmed at its end', saidBy(await confirm(late)), 'order_not_awaiting')
    await stage.work()
    stage.same('kept', await orderStatus(), 'expired')
    stage.same('answered after that', saidBy(await confirm(late)), 'order_not_awaiting')
    stage.same('the purchases', await Promise.all(ids.map(stage.statusOf)), ['succeeded', 'failed'])
  },

  authorization: (stage) => holdEdge(stage, stage.seller.url, 'authorize', 7 * day - hour),
  credential: (stage) => holdEdge(stage, 'ok', 'issueCredential', day - hour),

  async 'silent shop'(stage) {
    const asked = countOffers(stage)
    const id = await stage.buy('silent')
    await stage.work()
    // One, two and four seconds after the first time; the fourth silence ends it.
    for (const [count, seconds] of [1, 3, 7].entries()) {
      await stage.at(seconds * second - 1)
      await stage.work()
      stage.same(`asked before ${seconds} s`, asked(), count + 1)
      await stage.at(seconds * second)
      await stage.work()
      stage.same(`asked at ${seconds} s`, asked(), count + 2)
    }
    stage.same('then', await stage.statusOf(id), 'failed')
  },

  async 'giving up'(stage) {
    const id = await stage.buy('stuck')
    await stage.work()
    await stage.at(900 * second - 1)
    await stage.work()
    stage.same('a millisecond before', await stage.statusOf(id), 'approved')
    await stage.at(900 * second)
    await stage.lane.sql(`update carts set due_at = $1 where intent_id = $2`, [stage.lane.clock.now(), id])
    await stage.work()
    const code = memberOf((await stage.cartOf(id)).failure_reason, 'code')
    stage.same('at its end', [await stage.statusOf(id), code], ['failed', 'merchant_unavailable'])
  },

  async 'lost order'(stage) {
    const id = await stage.buy('lost_not_placed')
    await stage.work()
    // The time of the longest call, and a second: until then the order could still arrive.
    await stage.at(9 * second - 1)
    await stage.work()
    stage.same('a millisecond before', await stage.statusOf(id), 'approved')
    await stage.at(9 * second)
    await stage.work()
    stage.same('at its end', await stage.statusOf(id), 'failed')
  },

  async paces(stage) {
    const dueIn = async (id: string) => {
      const rows = await stage.lane.sql<{ due_at: Date }>(`select due_at from carts where intent_id = $1`, [
        id,
      ])
      return (rows[0]?.due_at.getTime() ?? 0) - stage.lane.clock.now().getTime()
    }
    const native = await stage.buy(stage.seller.url)
    await stage.work()
    stage.same('an order is looked at again', await dueIn(native), 900 * second)
    const frozen = await stage.buy('ok')
    bodyOf(await stage.send('/v1/controls/freeze', { target: { type: 'account' } }), [200])
    await stage.work()
    stage.same('what is frozen is looked at again', await dueIn(frozen), 900 * second)
    await stage.at(900 * second - 1)
    stage.same('and not before', await stage.work(), 0)
    await stage.at(900 * second)
    stage.same('but then', (await stage.work()) > 0, true)
  },

  async idempotency(stage) {
    const items = [
      { url: 'https://a.example/thing', quantity: 1, expected_amount: 1000, expected_currency: 'EUR' },
    ]
    const body = { profile_id: stage.profileId, items }
    const make = () => stage.send('/v1/purchase_intents', body, { idempotencyKey: 'again' })
    const first = fieldOf(await make(), 'id')
    const policy = { name: 'Once' }
    const write = () => stage.send('/v1/policies', policy, { idempotencyKey: 'once' })
    const written = fieldOf(await write(), 'id')
    for (const ms of [30 * day - 1, 30 * day, 400 * day]) {
      await stage.at(ms)
      // Keys are kept for at least thirty days, and a key of a money call never buys twice.
      stage.same(`a purchase after ${ms / day} days`, fieldOf(await make(), 'id'), first)
      if (ms < 30 * day) stage.same('a policy within thirty days', fieldOf(await write(), 'id'), written)
    }
  },
}

function countOffers({ lane }: Stage): () => number {
  const { offer } = lane.shops
  let count = 0
  lane.shops.offer = (request, call) => {
    count += 1
    return offer(request, call)
  }
  return () => count
}

/** Money is held, and a freeze keeps it from being spent until an hour before its end. */
async function holdEdge(
  stage: Stage,
  where: string,
  step: 'authorize' | 'issueCredential',
  deadline: number,
): Promise<void> {
  const { rail } = stage.lane
  const known = { authorize: rail.authorize, issueCredential: rail.issueCredential }
  const control = (verb: 'freeze' | 'unfreeze') =>
    stage.send(`/v1/controls/${verb}`, { target: { type: 'account' } })
  const holds = async (ids: readonly string[]) => {
    const rows = await stage.lane.sql<{ status: string }>(
      'select status from authorizations where intent_id = any($1::text[]) order by created_at, status',
      [ids],
    )
    return rows.map(({ status }) => status)
  }
  // The freeze comes during the call to the rail, so that the money is held and nothing is placed.
  rail.authorize = async (input, call) => {
    if (step === 'authorize') await control('freeze')
    return await known.authorize(input, call)
  }
  rail.issueCredential = async (input, call) => {
    if (step === 'issueCredential') await control('freeze')
    return await known.issueCredential(input, call)
  }
  try {
    const held = await stage.buy(where)
    await stage.work()
    stage.same('held under a freeze', (await holds([held])).join(), 'authorized')
    await stage.at(deadline - 1)
    await stage.work()
    stage.same('a millisecond before', (await holds([held])).join(), 'authorized')
    await stage.at(deadline)
    await stage.lane.sql('update carts set due_at = $1 where intent_id = $2', [stage.lane.clock.now(), held])
    await stage.work()
    stage.same('an hour before its end it is let go of', (await holds([held])).join(), 'voided')
    const cart = await stage.cartOf(held)
    stage.same(
      'and its cart',
      [cart.status, memberOf(cart.failure_reason, 'code')],
      ['failed', 'payment_declined'],
    )
    // The same, but the freeze ends a millisecond earlier.
    await control('unfreeze')
    await stage.at(deadline + hour)
    const thawed = await stage.buy(where)
    await stage.work()
    await stage.at(2 * deadline + hour - 1)
    await control('unfreeze')
    rail.authorize = known.authorize
    rail.issueCredential = known.issueCredential
    await stage.work()
    const placed =
      (await stage.cartOf(thawed)).order !== null || (await stage.statusOf(thawed)) === 'succeeded'
    stage.same('thawed a millisecond before, it is spent', placed, true)
  } finally {
    Object.assign(rail, known)
  }
}
