import { afterEach, expect, test } from 'vitest'
import { patientMs } from '../../../test/gate/pace.ts'
import { startTestApp, type TestApp, type TestAppOptions } from '../../../test/harness/app.ts'
import { countSlow, endSlow, slowOperations } from '../../../test/harness/slow-calls.ts'
import { operations } from '../../composition.ts'
import { callerTimes } from '../database/pool.ts'

let app: TestApp
afterEach(() => app.stop())

const profile = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'US' }
/** Slow calls end when the test ends them. */
const longMs = patientMs(30_000)
const patient = { ...callerTimes, short: longMs, long: longMs, bulk: longMs, write: longMs }

async function start(options: TestAppOptions = {}): Promise<void> {
  app = await startTestApp({
    operations: [...operations, ...Object.values(slowOperations)],
    checkReplies: false,
    ...options,
  })
}

/** Calls of one tenant that are not answered before `end`. */
function callSlowly(path: string, times: number) {
  const answered: number[] = []
  const calls = Array.from({ length: times }, async () => {
    const answer = await app.post(path)
    answered.push(answer.status)
    return answer
  })
  return {
    answered,
    /** Cancels them as long as there are any. */
    async end() {
      let isOver = false
      const all = Promise.all(calls).finally(() => {
        isOver = true
      })
      await expect.poll(async () => (isOver ? 'over' : endSlow(app))).toBe('over')
      return all
    },
  }
}

test('four slow calculations of one tenant do not keep others from authenticating, reading, listing and writing', async () => {
  await start({ serving: { times: patient } })
  // In turns of their own, as calls of a turn share a connection where connections are shared.
  const first = callSlowly('/v1/things/long', 1)
  await expect.poll(() => countSlow(app)).toBe(1)
  const second = callSlowly('/v1/things/long', 1)
  await expect.poll(() => countSlow(app)).toBe(2)
  const slow = [first, second, callSlowly('/v1/things/long', 2)]

  const { token: key } = await app.newKey(app.stranger, 'test', 'full')
  const made = await app.post('/v1/profiles', profile, { key })
  const read = await app.get(`/v1/profiles/${made.body.id}`, { key })
  const listed = await app.get('/v1/profiles', { key })
  const listedByTool = await app.mcp('v1_list_profiles', {}, { key })
  const own = await app.get('/v1/profiles/prof_none')
  expect([made.status, read.status, listed.body.total, listedByTool.body.total, own.status]).toEqual([
    201, 200, 1, 1, 404,
  ])
  expect(slow.flatMap(({ answered }) => answered)).toEqual([])
  await Promise.all(slow.map(({ end }) => end()))
})

test('keys are still accepted while reads, transactions and lists are all stuck, and health says that calls get no answer', async () => {
  await start({ serving: { times: patient } })
  const slow = [callSlowly('/v1/things/short', 1)]
  await expect.poll(() => countSlow(app)).toBe(1)
  // In a turn of its own, so that it takes the other connection.
  slow.push(callSlowly('/v1/things/short', 1))
  await expect.poll(() => countSlow(app)).toBe(2)

  const unknown = await app.get('/v1/profiles', { key: 'pr_sk_test_nobodyknowsthiskeyatall' })
  const health = await Promise.all(
    ['/livez', '/healthz', '/readyz'].map((path) => app.get(path, { key: null })),
  )
  expect([unknown.status, ...health.map(({ status }) => status)]).toEqual([401, 200, 503, 503])
  expect(slow.map(({ answered }) => answered)).toEqual([[], []])
  await Promise.all(slow.map(({ end }) => end()))
  await expect.poll(async () => (await app.get('/healthz', { key: null })).status).toBe(200)
})

test('health is no matter of one tenant and its share', async () => {
  await start({ serving: { times: patient }, limits: { reads: 2 } })
  const slow = callSlowly('/v1/things/long', 6)
  await expect.poll(() => countSlow(app)).toBe(2)
  const health = await Promise.all(['/healthz', '/readyz'].map((path) => app.get(path, { key: null })))
  expect(health.map(({ status }) => status)).toEqual([200, 200])
  await slow.end()
})

test('a tenant holds no more than its share in each mode, and what it asks for beyond waits and is refused', async () => {
  await start({ serving: { times: patient, waits: { long: 100, bulk: 100 } }, limits: { reads: 2 } })
  const slow = callSlowly('/v1/things/long', 5)
  await expect.poll(() => slow.answered).toEqual([429, 429, 429])
  const live = await app.get('/v1/profiles', { key: app.account.keys.secret_live })
  expect(live.status).toBe(200)
  const answers = await slow.end()
  const codes = answers.map(({ status, body, headers }) => [
    status,
    body.detail.code,
    headers.get('retry-after'),
  ])
  expect(codes.sort()).toEqual([
    ...Array(3).fill([429, 'rate_limited', '1']),
    ...Array(2).fill([503, 'busy', '1']),
  ])
})

test.each([
  ['reads by ids', '/v1/things/short'],
  ['calculations', '/v1/things/long'],
  ['deep pages', '/v1/things/long?offset=10001'],
  ['exports', '/v1/things/bulk'],
  ['reads of a transaction', '/v1/things/write'],
])(
  'a statement of %s that runs out of time is refused as busy, and its connection serves the next',
  async (_what, path) => {
    const kind = path.includes('offset') ? 'bulk' : (path.split('/')[3] ?? '')
    const soon = { ...patient, [kind]: patientMs(500) }
    await start({
      serving: { longReaders: 2, bulkReaders: 2, times: soon },
      limits: { reads: 1, bulk_reads: 1, writes: 1 },
    })
    for (let call = 0; call < 3; call++) {
      const answer = await app.post(path)
      expect([answer.status, answer.body.detail.code, answer.headers.get('retry-after')]).toEqual([
        503,
        'busy',
        '1',
      ])
    }
    const named = path.split(/[/?]/)[3]
    const offset = path.includes('offset') ? { offset: 10_001 } : {}
    const tool = await app.mcp(`v1_calculate_${named}_thing`, offset)
    expect([tool.isError, tool.status, tool.body.detail.code, tool.meta.retry_after]).toEqual([
      true,
      503,
      'busy',
      1,
    ])
    expect((await app.post('/v1/profiles', profile)).status).toBe(201)
    expect((await app.get('/v1/profiles?offset=10001')).status).toBe(200)
    expect((await app.get('/v1/profiles')).body.total).toBe(1)
  },
)

test('transactions of one tenant leave connections for those of others', async () => {
  await start({ serving: { times: patient }, limits: { writes: 7 } })
  const slow = callSlowly('/v1/things/write', 12)
  await expect.poll(() => countSlow(app)).toBe(7)
  const made = await app.post('/v1/profiles', profile, { key: app.stranger.keys.secret_test })
  expect([made.status, slow.answered]).toEqual([201, []])
  await slow.end()
})

test('deep pages are read apart from other lists', async () => {
  await start({ serving: { times: patient }, limits: { bulk_reads: 1 } })
  const slow = callSlowly('/v1/things/long?offset=10001', 3)
  await expect.poll(() => countSlow(app)).toBeGreaterThan(0)
  const first = await app.get('/v1/profiles')
  const deep = await app.get('/v1/profiles?offset=20000', { key: app.stranger.keys.secret_test })
  expect([first.status, deep.status, slow.answered, await countSlow(app)]).toEqual([200, 200, [], 1])
  await slow.end()
})
