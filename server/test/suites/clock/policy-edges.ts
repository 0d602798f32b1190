import { memberOf } from '../client.ts'
import { bodyOf } from '../model/real.ts'
import { type Edge, type Stage, saidBy } from './stage.ts'

/**
 * The last moments of windows, all in UTC: a night on which Europe's clocks jump and one on which America's do, the end of a week, of
 * a February with a leap day, and of a year.
 */
const ends: readonly { interval: string; end: string }[] = [
  { interval: 'day', end: '2026-03-29T00:00:00.000Z' },
  { interval: 'day', end: '2026-03-30T00:00:00.000Z' },
  { interval: 'day', end: '2026-11-01T00:00:00.000Z' },
  { interval: 'day', end: '2026-11-02T00:00:00.000Z' },
  { interval: 'week', end: '2026-03-30T00:00:00.000Z' },
  { interval: 'week', end: '2027-01-04T00:00:00.000Z' },
  { interval: 'month', end: '2028-03-01T00:00:00.000Z' },
  { interval: 'month', end: '2026-11-01T00:00:00.000Z' },
  { interval: 'year', end: '2027-01-01T00:00:00.000Z' },
]

export const policyEdges: Readonly<Record<string, Edge>> = {
  async windows(stage) {
    for (const { interval, end } of ends) await windowEdge(stage, interval, end)
    const policy = await write(stage, {
      currency: 'EUR',
      limits: { intervals: [{ interval: 'all_time', max_amount: 1500 }] },
    })
    await stage.buy('ok')
    await stage.lane.clock.set(new Date('2041-01-01T00:00:00.000Z'))
    stage.same('all time never ends', await stage.statusOf(await stage.create('ok')), 'declined')
    await archive(stage, policy)
  },

  async 'intents per day'(stage) {
    const midnight = Date.parse('2026-03-29T00:00:00.000Z')
    await stage.lane.clock.set(new Date(midnight - 2))
    const policy = await write(stage, { limits: { max_intents_per_day: 1 } })
    stage.same('the first', await stage.statusOf(await stage.create('ok')), 'awaiting_approval')
    await stage.lane.clock.set(new Date(midnight - 1))
    stage.same('the second of the day', await stage.statusOf(await stage.create('ok')), 'declined')
    await stage.lane.clock.set(new Date(midnight))
    stage.same(
      'the first of the next day',
      await stage.statusOf(await stage.create('ok')),
      'awaiting_approval',
    )
    await archive(stage, policy)
  },

  async validity(stage) {
    const [from, until] = [Date.parse('2026-06-01T08:00:00.000Z'), Date.parse('2026-06-08T08:00:00.000Z')]
    const policy = await write(stage, {
      currency: 'EUR',
      limits: { per_transaction_max: 5000 },
      approval: { mode: 'never' },
      valid_from: new Date(from).toISOString(),
      valid_until: new Date(until).toISOString(),
    })
    const moments: [string, number, string, string][] = [
      ['before it begins', from - 1, 'awaiting_approval', 'declined'],
      ['when it begins', from, 'queued', 'queued'],
      ['before it ends', until - 1, 'queued', 'queued'],
      ['when it ends', until, 'awaiting_approval', 'declined'],
    ]
    for (const [what, at, unnamed, named] of moments) {
      await stage.lane.clock.set(new Date(at))
      stage.same(what, await stage.statusOf(await stage.create('ok')), unnamed)
      const by = await stage.create('ok', { policy_id: policy })
      stage.same(`${what}, by its name`, await stage.statusOf(by), named)
    }
    await archive(stage, policy)
  },
}

/** A purchase of 10.00 may cost 14.70 in all: with fulfillment, tax and a rise of its price. */
async function windowEdge(stage: Stage, interval: string, end: string): Promise<void> {
  const at = Date.parse(end)
  await stage.lane.clock.set(new Date(at - 3_600_000))
  const limits = { intervals: [{ interval, max_amount: 1500 }] }
  const policy = await write(stage, { currency: 'EUR', limits })
  const waiting = await stage.create('ok')
  await stage.buy('ok')
  await stage.lane.clock.set(new Date(at - 1))
  const what = `${interval} until ${end}`
  stage.same(
    `${what}: approved in its last moment`,
    saidBy(await stage.approve(waiting)),
    'policy_limit_exceeded',
  )
  stage.same(`${what}: made in its last moment`, await stage.statusOf(await stage.create('ok')), 'declined')
  stage.same(`${what}: used`, await usedOf(stage, policy), 1470)
  await stage.lane.clock.set(new Date(at))
  stage.same(`${what}: used of the next`, await usedOf(stage, policy), 0)
  stage.same(`${what}: made in the next`, await stage.statusOf(await stage.create('ok')), 'awaiting_approval')
  stage.same(`${what}: approved in the next`, saidBy(await stage.approve(waiting)), '200')
  await archive(stage, policy)
}

async function usedOf(stage: Stage, policy: string): Promise<unknown> {
  const { usage } = bodyOf(await stage.read(`/v1/policies/${policy}`), [200])
  return memberOf(Array.isArray(usage) ? usage[0] : null, 'reserved')
}

async function write(stage: Stage, terms: object): Promise<string> {
  return String(bodyOf(await stage.send('/v1/policies', { name: 'Edge', ...terms }), [201]).id)
}

async function archive(stage: Stage, policy: string): Promise<void> {
  bodyOf(await stage.send(`/v1/policies/${policy}/archive`), [200])
}
