import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  type Answer,
  type RequestOptions,
  startTestApp,
  type TestApp,
} from '../../../../../test/harness/app.ts'
import { type Buyer, createPurchase, newBuyer } from '../../../../../test/harness/buyers.ts'
import { runningPurchase } from '../../../../../test/harness/hand-worker.ts'
import { Waits } from '../../../../../test/harness/waits.ts'
import { runAs } from '../../../../platform/calls/run-as.ts'
import { topics } from '../../../../platform/hints/hints.ts'
import { createMemoryHints } from '../../../../platform/hints/memory-hints.ts'
import { revokeKey } from '../../../accounts/api-keys/public.ts'

const waits = new Waits()
let app: TestApp
let buyer: Buyer
beforeAll(async () => {
  app = await startTestApp({
    hints: async () => waits.watch(createMemoryHints()),
    wrapPools: waits.wrap,
    limits: { agentIntentWaits: 2, intentWaits: 3 },
  })
  buyer = await newBuyer(app)
})
afterAll(() => app.stop())

let id: string
beforeEach(async () => {
  id = (await createPurchase(app, buyer)).body.id
})

const path = (query = '') => `/v1/purchase_intents/${id}${query}`
const approve = () => app.post(path('/approve'), { approve: true })
const cancel = () => app.post(path('/cancel'))

/** Calls that wait, once they wait. */
async function waiting(
  query: string,
  { count = 1, ...options }: RequestOptions & { count?: number } = {},
): Promise<Promise<Answer>[]> {
  const before = waits.waiting(id)
  const reads = waits.reads
  const answers = Array.from({ length: count }, () => app.get(path(query), options))
  await expect.poll(() => waits.waiting(id)).toBe(before + count)
  // A place is taken by what the first look finds.
  await expect.poll(() => waits.reads).toBeGreaterThanOrEqual(reads + count)
  return answers
}

test('without wait_seconds a read answers at once, with any after_sequence, and says its sequence', async () => {
  for (const query of ['', '?wait_seconds=0', '?after_sequence=2', '?wait_seconds=0&after_sequence=99']) {
    const { status, body } = await app.get(path(query))
    expect([status, body.sequence, body.status]).toEqual([200, 2, 'awaiting_approval'])
  }
})

test('the sequence is that of the last event', async () => {
  const { body } = await approve()
  const events = await app.get(path('/events'))
  expect(body.sequence).toBe(events.body.data.at(-1).sequence)
  expect((await app.get(path())).body.sequence).toBe(body.sequence)
})

test('a client that has not seen the last change is answered at once', async () => {
  for (const seen of [0, 1]) {
    const { body } = await app.get(path(`?wait_seconds=25&after_sequence=${seen}`))
    expect(body.sequence).toBe(2)
  }
})

test('without after_sequence a purchase that needs a person is answered at once, and with it the wait goes on', async () => {
  expect((await app.get(path('?wait_seconds=25'))).body.next_action.type).toBe('approve')
  const [answer] = await waiting('?wait_seconds=25&after_sequence=2')
  await approve()
  expect((await answer)?.body).toMatchObject({ sequence: 3, status: 'approved' })
})

test('without after_sequence a wait ends with the next change after it arrived', async () => {
  await approve()
  const [answer] = await waiting('?wait_seconds=25')
  await cancel()
  expect((await answer)?.body).toMatchObject({ sequence: 4, status: 'cancelled' })
})

test('a purchase that has ended is answered at once, with any after_sequence', async () => {
  await cancel()
  for (const query of [
    '?wait_seconds=25',
    '?wait_seconds=25&after_sequence=3',
    '?wait_seconds=25&after_sequence=99',
  ])
    expect((await app.get(path(query))).body.status).toBe('cancelled')
})

test('a sequence that is yet to come does not sleep through a change', async () => {
  const [answer] = await waiting('?wait_seconds=25&after_sequence=99')
  await approve()
  expect((await answer)?.body.sequence).toBe(3)
})

test('a change between the read and the wait is not missed', async () => {
  const held = waits.pause('intent.read')
  const answer = app.get(path('?wait_seconds=25&after_sequence=2'))
  await held.reached
  await approve()
  held.resume()
  expect((await answer).body).toMatchObject({ sequence: 3, status: 'approved' })
})

test('a wait looks once when it begins and once for each hint, and not in between', async () => {
  const before = waits.reads
  const [answer] = await waiting('?wait_seconds=2&after_sequence=2')
  expect((await answer)?.body.sequence).toBe(2)
  // When it began, and when its time was over.
  expect(waits.reads - before).toBe(2)
  const line = app.lines.findLast(({ operation }) => operation === 'v1_get_purchase_intent')
  expect(line?.waited_ms).toBeGreaterThan(1_900)
  expect(line?.duration_ms).toBeGreaterThanOrEqual(line?.waited_ms ?? Number.POSITIVE_INFINITY)
})

test('when the time is over the wait answers what there is, also when the hints were lost', async () => {
  waits.loseHints(true)
  onTestFinished(() => waits.loseHints(false))
  const [answer] = await waiting('?wait_seconds=1&after_sequence=2')
  await approve()
  expect((await answer)?.body).toMatchObject({ sequence: 3, status: 'approved' })
})

test('a change of a cart ends the wait', async () => {
  const { id: running } = await runningPurchase(app, buyer, {})
  id = running
  const { sequence } = (await app.get(path())).body
  const [answer] = await waiting(`?wait_seconds=25&after_sequence=${sequence}`)
  await cancel()
  expect((await answer)?.body.sequence).toBeGreaterThan(sequence)
})

test('it waits over MCP as it does over REST', async () => {
  const args = { purchase_intent_id: id, wait_seconds: 25, after_sequence: 2 }
  const answer = app.mcp('v1_get_purchase_intent', args)
  await expect.poll(() => waits.waiting(id)).toBe(1)
  await approve()
  expect(await answer).toMatchObject({ status: 200, isError: false, body: { sequence: 3 } })
  const text = await app.mcp('v1_get_purchase_intent', { ...args, wait_seconds: '25' })
  expect([text.status, text.body.detail[0].loc]).toEqual([422, ['query', 'wait_seconds']])
})

test('longer than 25 seconds, a negative wait and a sequence that is none are refused', async () => {
  for (const query of [
    'wait_seconds=26',
    'wait_seconds=-1',
    'wait_seconds=1.5',
    'after_sequence=-1',
    'after_sequence=x',
  ]) {
    const { status, body } = await app.get(path(`?${query}`))
    expect([status, body.detail[0].loc]).toEqual([422, ['query', query.split('=')[0]]])
  }
})

test("a stranger's wait is answered 404 at once", async () => {
  const answer = await app.get(path('?wait_seconds=25'), { key: app.stranger.keys.secret_test })
  expect([answer.status, answer.body.detail.code]).toEqual([404, 'not_found'])
})

test('an agent and an account each have a number of waits; an answer at once needs no place, and a place is given back', async () => {
  const query = '?wait_seconds=25&after_sequence=2'
  const second = await app.newKey(app.account, 'test', 'read_only')
  const answers = await waiting(query, { count: 2 })
  const refused = await app.get(path(query))
  expect([refused.status, refused.body.detail]).toMatchObject([
    429,
    { code: 'rate_limited', scope: 'agent.purchase_intent_waits', limit: 2 },
  ])
  expect(refused.headers.get('retry-after')).toBe('1')
  const tool = await app.mcp('v1_get_purchase_intent', {
    purchase_intent_id: id,
    wait_seconds: 25,
    after_sequence: 2,
  })
  expect([tool.status, tool.isError]).toEqual([429, true])
  answers.push(...(await waiting(query, { key: second.token })))
  const full = await app.get(path(query), { key: second.token })
  expect([full.status, full.body.detail.scope]).toEqual([429, 'account.purchase_intent_waits'])
  expect((await app.get(path('?wait_seconds=25&after_sequence=1'))).status).toBe(200)
  await approve()
  for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200)
  expect(waits.waiting(id)).toBe(0)
  const [again] = await waiting('?wait_seconds=25&after_sequence=3')
  await cancel()
  expect((await again)?.status).toBe(200)
})

test('a caller who goes away frees the place at once, over REST and over MCP', async () => {
  // It ends before the calls that go away would, so they have not waited to their end while it still waits.
  const other = await app.newKey(app.account, 'test', 'read_only')
  const [earlier] = await waiting('?wait_seconds=20&after_sequence=2', { key: other.token })
  let earlierEnded = false
  void earlier?.then(() => {
    earlierEnded = true
  })
  const gone = new AbortController()
  const { reads } = waits
  const headers = { authorization: `Bearer ${app.account.keys.secret_test}` }
  const rest = fetch(`${app.url}${path('?wait_seconds=25&after_sequence=2')}`, {
    headers,
    signal: gone.signal,
  })
  const mcp = fetch(`${app.url}/mcp/v1`, {
    method: 'POST',
    headers: {
      ...headers,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'v1_get_purchase_intent',
        arguments: { purchase_intent_id: id, wait_seconds: 25, after_sequence: 2 },
      },
    }),
    signal: gone.signal,
  })
  await expect.poll(() => [waits.waiting(id), waits.reads - reads]).toEqual([3, 2])
  expect((await app.get(path('?wait_seconds=25&after_sequence=2'))).status).toBe(429)
  gone.abort()
  await Promise.allSettled([rest, mcp])
  await expect.poll(() => waits.waiting(id)).toBeLessThanOrEqual(1)
  await app.get(path())
  expect(earlierEnded).toBe(false)
  const answers = await waiting('?wait_seconds=25&after_sequence=2', { count: 2 })
  await cancel()
  for (const answer of await Promise.all([earlier, ...answers])) expect(answer?.status).toBe(200)
})

test('a key that is revoked while it waits gets nothing', async () => {
  const key = await app.newKey(app.account, 'test', 'read_only')
  const [answer] = await waiting('?wait_seconds=25&after_sequence=2', { key: key.token })
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  await runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, (ctx) => revokeKey(ctx, key.id))
  app.parts.hints.publish(topics.keys)
  await approve()
  const { status, body } = (await answer) ?? {}
  expect([status, body.detail.code]).toEqual([401, 'unauthorized'])
})

test('a stop ends the waits with 200 and what there is', async () => {
  const stopping = await startTestApp({
    hints: async () => waits.watch(createMemoryHints()),
    wrapPools: waits.wrap,
  })
  id = (await createPurchase(stopping, await newBuyer(stopping))).body.id
  const query = { purchase_intent_id: id, wait_seconds: 25, after_sequence: 2 }
  const rest = stopping.get(path('?wait_seconds=25&after_sequence=2'))
  const mcp = stopping.mcp('v1_get_purchase_intent', query)
  await expect.poll(() => waits.waiting(id)).toBe(2)
  await stopping.stop()
  expect((await rest).body).toMatchObject({ id, sequence: 2 })
  expect([(await rest).status, (await mcp).status]).toEqual([200, 200])
})
