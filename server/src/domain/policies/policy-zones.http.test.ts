import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { newBuyer, purchaseOf } from '../../../test/harness/buyers.ts'
import { runAs } from '../../platform/calls/run-as.ts'
import { setAccountTimezone } from '../accounts/api-keys/public.ts'
import { followTimezone } from './public.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const daily = {
  name: 'Daily',
  currency: 'EUR',
  limits: { intervals: [{ interval: 'day', max_amount: 100_000 }] },
  approval: { mode: 'never' },
}

async function newPolicy(fields: object = {}, key?: string) {
  const { status, body } = await app.post('/v1/policies', { ...daily, ...fields }, key ? { key } : {})
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

/** The time on the clocks of a zone. */
function clockIn(zone: string, moment: string): string {
  return new Intl.DateTimeFormat('sv', { timeZone: zone, timeStyle: 'short' }).format(new Date(moment))
}

test.each(['Asia/Kathmandu', 'America/Los_Angeles', 'Australia/Lord_Howe'])(
  'a day of a policy in %s begins and ends at midnight there',
  async (timezone) => {
    const { timezone: own, usage } = await newPolicy({ timezone })
    expect(own).toBe(timezone)
    expect(usage).toMatchObject([{ interval: 'day', timezone, spent: 0, remaining: 100_000 }])
    const [{ window_start: start, window_ends_at: end }] = usage
    expect([clockIn(timezone, start), clockIn(timezone, end)]).toEqual(['00:00', '00:00'])
    expect([start <= new Date().toISOString(), new Date().toISOString() < end]).toEqual([true, true])
  },
)

test('a name is known in any case and as a tool, an unknown one is refused, and without one the days are of UTC', async () => {
  expect((await newPolicy({ timezone: 'asia/kathmandu' })).timezone).toBe('Asia/Kathmandu')
  const tool = await app.mcp('v1_create_policy', { ...daily, timezone: 'Europe/Berlin' })
  expect(tool).toMatchObject({ status: 201, body: { timezone: 'Europe/Berlin' } })
  for (const timezone of ['Mars/Olympus', '+05:45', 'IST', '', 7]) {
    const { status, body } = await app.post('/v1/policies', { ...daily, timezone })
    expect([timezone, status, body.detail[0].loc]).toEqual([timezone, 422, ['body', 'timezone']])
  }
  const plain = await newPolicy({
    limits: { intervals: [{ interval: 'all_time', max_amount: 5 }, ...daily.limits.intervals] },
  })
  expect(plain).toMatchObject({
    timezone: null,
    usage: [
      { window_ends_at: null },
      { timezone: 'UTC', window_start: expect.stringMatching(/T00:00:00.000Z$/) },
    ],
  })
})

test('a change of the zone is a new version, and neither ends the running window nor forgets what was spent', async () => {
  const account = await app.newAccount()
  const key = account.keys.secret_test
  const buyer = await newBuyer(app, { key })
  const policy = await newPolicy({}, key)
  const bought = await app.post('/v1/purchase_intents', purchaseOf(buyer), { key })
  expect(bought.body.status).toBe('queued')
  const read = async () => (await app.get(`/v1/policies/${policy.id}`, { key })).body
  const before = await read()
  expect(before.usage[0].reserved).toBeGreaterThan(0)
  for (const [index, timezone] of ['Pacific/Kiritimati', 'Etc/GMT+12', null].entries()) {
    const { body } = await app.post(`/v1/policies/${policy.id}`, { timezone }, { key })
    expect(body).toMatchObject({ timezone, version: 2 + index })
    const { usage } = await read()
    expect(usage).toEqual([{ ...before.usage[0], timezone: timezone ?? 'UTC' }])
  }
})

test('policies that name no zone follow the account’s with a new version, and those that name one do not', async () => {
  const account = await app.newAccount()
  const [key, live] = [account.keys.secret_test, account.keys.secret_live]
  const [follows, own] = [await newPolicy({}, key), await newPolicy({ timezone: 'Asia/Tokyo' }, key)]
  const archived = await newPolicy({}, key)
  await app.post(`/v1/policies/${archived.id}/archive`, undefined, { key })
  const liveOne = await newPolicy({}, live)
  const zone = 'America/New_York'
  const actor = { type: 'system', id: 'operator:Jane' } as const
  const acting = (mode: 'test' | 'live') => ({ tenant: { accountId: account.accountId, mode }, actor })
  const set = () =>
    runAs(app.parts, acting('test'), async (ctx) => {
      await setAccountTimezone(ctx, zone)
      return followTimezone(ctx, zone)
    })
  expect(await set()).toEqual([follows.id, archived.id])
  expect(await runAs(app.parts, acting('live'), (ctx) => followTimezone(ctx, zone))).toEqual([liveOne.id])
  // Again, it changes nothing.
  expect(await set()).toEqual([])
  const read = async (id: string, as = key) => (await app.get(`/v1/policies/${id}`, { key: as })).body
  for (const each of [await read(follows.id), await read(archived.id), await read(liveOne.id, live)]) {
    expect(each).toMatchObject({ timezone: null, version: 2, usage: [{ timezone: 'America/New_York' }] })
    // The day that was begun in UTC ends there.
    expect(each.usage[0].window_ends_at).toBe(follows.usage[0].window_ends_at)
  }
  expect(await read(own.id)).toEqual(own)
  const later = await newPolicy({}, key)
  expect(later).toMatchObject({ timezone: null, usage: [{ timezone: 'America/New_York' }] })
  expect(clockIn('America/New_York', later.usage[0].window_ends_at)).toBe('00:00')
  const moved = await app.post(`/v1/policies/${own.id}`, { timezone: null }, { key })
  expect(moved.body.usage[0]).toMatchObject({
    timezone: 'America/New_York',
    window_ends_at: own.usage[0].window_ends_at,
  })
  const events = await app.sql<{ type: string; actor_id: string }>(
    `select type, actor_id from events where account_id = $1 and type in ('account.timezone_set', 'policy.updated')
     and actor_id = 'operator:Jane' order by type`,
    [account.accountId],
  )
  expect(events.map(({ type }) => type)).toEqual([
    'account.timezone_set',
    'policy.updated',
    'policy.updated',
    'policy.updated',
  ])
})

test('a simulation over the past counts by days of the draft’s zone', async () => {
  const account = await app.newAccount()
  const key = account.keys.secret_test
  const buyer = await newBuyer(app, { key })
  const times = ['2026-03-08T07:30:00Z', '2026-03-08T08:30:00Z', '2026-03-09T06:30:00Z']
  for (const created of times) {
    const { body } = await app.post('/v1/purchase_intents', purchaseOf(buyer), { key })
    await app.sql(
      `update purchase_intents set created_at = $2, status = 'approved', buyer = '{}' where id = $1`,
      [body.id, created],
    )
  }
  const draft = { currency: 'EUR', limits: { intervals: [{ interval: 'day', max_count: 1 }] } }
  const decided = async (timezone: string) => {
    const policy = { ...draft, timezone }
    const { body } = await app.post('/v1/policies/simulate', { policy, past: {} }, { key })
    return body.past.data.map(
      ({ policy_decision }: { policy_decision: { result: string } }) => policy_decision.result,
    )
  }
  const asks = 'require_approval'
  // Two are of the 8th of March in UTC; in Los Angeles the day of the clock change has the last two.
  expect(await decided('UTC')).toEqual([asks, 'deny', asks])
  expect(await decided('America/Los_Angeles')).toEqual([asks, asks, 'deny'])
})
