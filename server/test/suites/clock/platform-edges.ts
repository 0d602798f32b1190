import { selectUnanswered } from '../../../src/cli/operator/trouble.sql.ts'
import { invariants } from '../../../src/composition.ts'
import { issueKey, rollKey } from '../../../src/domain/accounts/api-keys/public.ts'
import { runInvariants } from '../../../src/platform/audit/invariants.ts'
import { platformInvariants } from '../../../src/platform/audit/platform-invariants.ts'
import { verifyAudit } from '../../../src/platform/audit/verify-audit.ts'
import { runAs } from '../../../src/platform/calls/run-as.ts'
import { turnOf } from '../../../src/platform/work/turns.testing.ts'
import type { ClaimTurn } from '../../../src/platform/work/turns.ts'
import type { WorkKind } from '../../../src/platform/work/work.ts'
import { openShop } from '../../harness/orders.ts'
import { placeQuote } from '../../harness/quotes.ts'
import { bodyOf } from '../model/real.ts'
import { type Edge, hour, type Stage, saidBy, second } from './stage.ts'

export const platformEdges: Readonly<Record<string, Edge>> = {
  async 'key expiry'(stage) {
    const tenant = { accountId: stage.account.accountId, mode: 'test' } as const
    const expiresAt = new Date(stage.start + hour)
    const token = await runAs(
      stage.lane.app.parts,
      { tenant, actor: { type: 'system', id: 'suite' } },
      async (ctx) => issueKey(ctx, { kind: 'secret', name: 'Short', preset: 'full', expiresAt }).token,
    )
    const read = async () => saidBy(await stage.read('/v1/policies', token))
    await stage.at(hour - 1)
    stage.same('a millisecond before', await read(), '200')
    await stage.at(hour)
    stage.same('at its end', await read(), 'unauthorized')
  },

  /** The old secret of a key that was rolled with an overlap works for that time, and then ends. The new one goes on. */
  async 'key overlap'(stage) {
    const tenant = { accountId: stage.account.accountId, mode: 'test' } as const
    const actor = { type: 'system', id: 'suite' } as const
    const { parts } = stage.lane.app
    const old = await runAs(parts, { tenant, actor }, async (ctx) =>
      issueKey(ctx, { kind: 'secret', name: 'Rolled', preset: 'full' }),
    )
    const rolled = await runAs(parts, { tenant, actor }, (ctx) =>
      rollKey(ctx, old.key.id, { overlapMs: 24 * hour }),
    )
    const read = async () =>
      await Promise.all(
        [old, rolled].map(async ({ token }) => saidBy(await stage.read('/v1/policies', token))),
      )
    await stage.at(24 * hour - 1)
    stage.same('a millisecond before', await read(), ['200', '200'])
    await stage.at(24 * hour)
    stage.same('at its end', await read(), ['unauthorized', '200'])
  },

  /** A call without an answer is named after an hour, by the audit and by the status. Its age alone ends nothing. */
  async 'unanswered call'(stage) {
    const bought = await stage.buy(stage.seller.url)
    await stage.work()
    const cart = String((await stage.cartOf(bought)).id)
    const key = `${cart}:1:authorize`
    await stage.lane.sql(`update effects set state = 'unknown', sent_at = $1 where key = $2`, [
      new Date(stage.start),
      key,
    ])
    const { pools, auditKeys } = stage.lane.app.parts
    const named = async () => {
      const { invariants: found } = await runInvariants(
        { pools, auditKeys },
        invariants.filter(({ id }) => id === 'W7'),
      )
      const told = await pools.read(selectUnanswered({}))
      return [...found.map(({ violations }) => violations.includes(key)), told.some((one) => one.key === key)]
    }
    await stage.at(hour)
    stage.same('after an hour', await named(), [false, false])
    await stage.at(hour + 1)
    stage.same('a millisecond later', await named(), [true, true])
    await stage.lane.sql(`update effects set state = 'done' where key = $1`, [key])
  },

  async leases(stage) {
    const bought = await stage.buy(stage.seller.url)
    await stage.work()
    const order = String((await stage.cartOf(bought)).order)
    const waiting = await stage.buy('ok')
    await stage.at(24 * hour)
    await stage.lane.sql('update carts set due_at = $1 where intent_id = $2', [
      stage.lane.clock.now(),
      bought,
    ])
    const quotes = await placeQuote(stage.lane.app, stage.account, {
      shop: await openShop(stage.lane.app, stage.account),
      note: 'Lease',
    })
    await stage.lane.sql('update quotes set due_at = $1 where id = $2', [stage.lane.clock.now(), quotes])
    const rows = { quotes, intents: waiting, carts: String((await stage.cartOf(bought)).id), orders: order }
    for (const [kind, id] of Object.entries(rows)) await leaseEdge(stage, kind, id)
  },

  /** A worker takes due rows, and orders without a waiting purchase, within a minute. After that the audit reports them. */
  async overdue(stage) {
    const { pools, auditKeys } = stage.lane.app.parts
    const isLate = async (invariant: string, id: string) => {
      const report = await runInvariants(
        { pools, auditKeys },
        invariants.filter((one) => one.id === invariant),
      )
      return report.invariants.map(({ violations }) => violations.includes(id))
    }
    const bought = await stage.buy(stage.seller.url)
    await stage.work()
    const order = String((await stage.cartOf(bought)).order)
    const waiting = await stage.buy('ok')
    const quote = await placeQuote(stage.lane.app, stage.account, {
      shop: await openShop(stage.lane.app, stage.account),
      note: 'Late',
    })
    const edges = {
      'W2-overdue': [waiting, 0],
      'W2-quotes': [quote, hour],
      'W2-orders': [order, 24 * hour],
    } as const
    for (const [invariant, [id, due]] of Object.entries(edges)) {
      await stage.at(due + 60 * second)
      stage.same(`${invariant}: after a minute`, await isLate(invariant, id), [false])
      await stage.at(due + 60 * second + 1)
      stage.same(`${invariant}: a millisecond later`, await isLate(invariant, id), [true])
    }
  },

  /** The rows that follow an event are due within a minute. After that the audit reports them. */
  async relay(stage) {
    await stage.work()
    bodyOf(await stage.send('/v1/policies', { name: 'Late' }), [201])
    const { pools, auditKeys } = stage.lane.app.parts
    const late = async () => {
      const report = await runInvariants({ pools, auditKeys }, platformInvariants)
      return report.invariants.filter(({ id, violations }) => id === 'W2' && violations.length > 0).length
    }
    await stage.at(60 * second)
    stage.same(
      'after a minute',
      [await late(), (await verifyAudit(pools, { keys: auditKeys })).unchained.overdue],
      [0, false],
    )
    await stage.at(60 * second + 1)
    stage.same(
      'a millisecond later',
      [await late(), (await verifyAudit(pools, { keys: auditKeys })).unchained.overdue],
      [1, true],
    )
    await stage.work()
    stage.same(
      'once it is relayed',
      [await late(), (await verifyAudit(pools, { keys: auditKeys })).unchained.overdue],
      [0, false],
    )
  },
}

type Claim = (turn: ClaimTurn, running: readonly []) => ReturnType<WorkKind['claim']>

/** A row is with one worker for thirty seconds, to the millisecond. */
export async function leaseEdge(stage: Stage, kind: string, id: string): Promise<void> {
  const work = stage.lane.kinds.find((one) => one.kind === kind)
  if (!work) throw new Error(`there is no work of kind ${kind}`)
  const claim: Claim = work.claim
  const claimed = async () => {
    const { rows } = await stage.lane.app.parts.pools.single(
      claim({ ...turnOf(50), lease_seconds: work.leaseSeconds }, []),
    )
    return rows.some((row) => row.id === id)
  }
  const begun = stage.lane.clock.now().getTime()
  stage.same(`${kind}: claimed`, await claimed(), true)
  await stage.lane.clock.set(new Date(begun + 30 * second - 1))
  stage.same(`${kind}: a millisecond before the lease ends`, await claimed(), false)
  await stage.lane.clock.set(new Date(begun + 30 * second))
  stage.same(`${kind}: when the lease ends`, await claimed(), true)
}
