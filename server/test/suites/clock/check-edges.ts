import { invariants } from '../../../src/composition.ts'
import { merchantInvariants } from '../../../src/domain/selling/merchant/invariants.sql.ts'
import { runInvariants } from '../../../src/platform/audit/invariants.ts'
import { confirmByHand, startReceiver } from '../../harness/deliveries.ts'
import { openShop, placeOrder } from '../../harness/orders.ts'
import { memberOf } from '../client.ts'
import { bodyOf } from '../model/real.ts'
import { leaseEdge } from './platform-edges.ts'
import { day, type Edge, fieldOf, hour, minute, type Stage, second } from './stage.ts'

export const checkEdges: Readonly<Record<string, Edge>> = {
  /** A waiting check looks every second, and gives up after two minutes. */
  'integration check': (stage) =>
    withCheck(stage, async (path, id) => {
      const status = async () => fieldOf(await stage.read(path), 'status')
      await stage.work()
      stage.same('while the order waits', await status(), 'running')
      await stage.at(second - 1)
      stage.same('a millisecond before the next look', await claims(stage), false)
      await stage.at(second)
      stage.same('a second later', await claims(stage), true)
      await stage.at(minute)
      await leaseEdge(stage, 'integration_checks', id)
      await stage.lane.sql('update integration_checks set lease_until = null where id = $1', [id])
      await stage.at(2 * minute - 1)
      await stage.work()
      stage.same('a millisecond before two minutes', await status(), 'running')
      await stage.lane.sql('update integration_checks set due_at = deadline_at where id = $1', [id])
      await stage.at(2 * minute)
      await stage.work()
      stage.same('after two minutes', await status(), 'failed')
    }),

  /** The audit reports a check that no worker takes a minute after its time. */
  'overdue integration check': (stage) =>
    withCheck(stage, async (_, id) => {
      const isLate = async () => {
        const report = await runInvariants(
          stage.lane.app.parts,
          invariants.filter((one) => one.id === 'W2-checks'),
        )
        return report.invariants.map(({ violations }) => violations.includes(id))
      }
      await stage.at(3 * minute)
      stage.same('after a minute', await isLate(), [false])
      await stage.at(3 * minute + 1)
      stage.same('a millisecond later', await isLate(), [true])
    }),

  /** The proof of a verified domain is checked every day, every hour once it is missing, and may be missing for seven days. */
  async 'domain proof'(stage) {
    const domain = 'proved.example'
    bodyOf(await stage.send('/v1/merchant', { domain }), [200])
    const [row] = await stage.lane.sql<{ text: string }>(
      `select 'prokura-verification=' || verification_token as text from merchants where account_id = $1`,
      [stage.account.accountId],
    )
    stage.lane.texts.set(domain, [row?.text ?? ''])
    await verify(stage)
    stage.same('once it is found', await shown(stage), ['passed', false])
    const looked = async (at: number) => {
      await stage.at(at)
      return (await stage.work()) > 0
    }
    stage.same('a millisecond before a day', await looked(day - 1), false)
    stage.same('after a day', await looked(day), true)
    stage.lane.texts.delete(domain)
    await looked(2 * day)
    stage.same('once it is missing', await shown(stage), ['failed', true])
    stage.same('a millisecond before an hour', await looked(2 * day + hour - 1), false)
    stage.same('after an hour', await looked(2 * day + hour), true)
    await looked(9 * day - 1)
    stage.same('a millisecond before seven days', await shown(stage), ['failed', true])
    await stage.lane.sql('update domain_verifications set due_at = $1 where account_id = $2', [
      new Date(stage.start + 9 * day),
      stage.account.accountId,
    ])
    const isLate = async () => {
      const [late] = (await runInvariants(stage.lane.app.parts, merchantInvariants)).invariants
      return (late?.violations.length ?? 0) > 0
    }
    await stage.at(9 * day + minute)
    stage.same('nobody has looked for a minute', await isLate(), false)
    await stage.at(9 * day + minute + 1)
    stage.same('nor for longer', await isLate(), true)
    await looked(9 * day)
    stage.same('after seven days', await shown(stage), ['failed', false])
    stage.same('and nobody looks again', await looked(20 * day), false)
    const [asked] = await stage.lane.sql<{ id: string }>(
      'update domain_verifications set due_at = prokura_now() where account_id = $1 returning id',
      [stage.account.accountId],
    )
    await leaseEdge(stage, 'domain_verifications', asked?.id ?? '')
  },
}

/** A check of an unanswered order, just started. */
async function withCheck(stage: Stage, run: (path: string, id: string) => Promise<void>): Promise<void> {
  const receiver = await startReceiver()
  try {
    const { app } = stage.lane
    const shop = await openShop(app, stage.account)
    const made = bodyOf(
      await stage.send('/v1/merchant/destinations', {
        name: 'Backend',
        event_types: ['order.requested', 'order.confirmed', 'order.rejected'],
        webhook: { endpoint_url: receiver.url },
      }),
      [201],
    )
    await confirmByHand(app, made)
    const order = await placeOrder(app, stage.account, shop)
    await stage.work()
    const body = { kind: 'order', destination_id: String(made.id), order_id: order.id }
    const check = bodyOf(await stage.send('/v1/merchant/integration_checks', body), [201])
    await run(`/v1/merchant/integration_checks/${check.id}`, String(check.id))
    bodyOf(await stage.send(`/v1/merchant/destinations/${made.id}/archive`, {}), [200])
  } finally {
    await receiver.stop()
  }
}

/** Runs the worker. Answers whether it looked. */
async function claims(stage: Stage): Promise<boolean> {
  return (await stage.work()) > 0
}

/** Starts a check, and works until its caller is answered. */
async function verify(stage: Stage): Promise<void> {
  let isOver = false
  const asked = stage.send('/v1/merchant/verify_domain').finally(() => {
    isOver = true
  })
  while (!isOver) {
    await stage.work()
    await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 20))])
  }
  bodyOf(await asked, [200])
  await stage.work()
}

/** The domain in the record: the result of the last look, and whether it is stale. */
async function shown(stage: Stage): Promise<unknown[]> {
  const verifications = fieldOf(await stage.read('/v1/merchant'), 'verifications')
  const first: unknown = Array.isArray(verifications) ? verifications[0] : null
  return [memberOf(first, 'status'), memberOf(first, 'stale')]
}
