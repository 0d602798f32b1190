import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
let key: string
let accountId: string
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  const merchant = await app.newAccount('Merchant')
  key = merchant.keys.secret_test
  accountId = merchant.accountId
})

const path = '/v1/merchant/destinations'
const wish = { name: 'Backend', webhook: { endpoint_url: 'https://backend.example/hooks' } }
const create = (responds: boolean) => app.post(path, { ...wish, responds_to_quotes: responds }, { key })
const change = (id: string, body: object) => app.post(`${path}/${id}`, body, { key })
const verb = (id: string, name: string) => app.post(`${path}/${id}/${name}`, undefined, { key })

async function several(count: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => create(false)))
  return made.map(({ body }) => body.id)
}

/** Who is the designated responder, as every reader would have it. */
async function responders(): Promise<string[]> {
  const { body } = await app.get(`${path}?limit=200`, { key })
  return body.data
    .filter(
      (one: { responds_to_quotes: boolean; status: string }) =>
        one.responds_to_quotes && one.status !== 'archived',
    )
    .map(({ id }: { id: string }) => id)
}

/** Done, or refused for the one reason there is; nothing else, however many come at once. */
function tallyOf(answers: readonly Answer[]): { done: number; refused: number } {
  const said = answers.map(({ status, body }) => (status < 300 ? 'done' : `${status} ${body.detail.code}`))
  expect(new Set(said.filter((one) => one !== 'done'))).toEqual(
    said.every((one) => one === 'done') ? new Set() : new Set(['409 responder_conflict']),
  )
  const done = said.filter((one) => one === 'done').length
  return { done, refused: said.length - done }
}

test('when a hundred destinations are made responder at once, by creation or by change, one becomes it', async () => {
  const ids = await several(50)
  const answers = await Promise.all([
    ...Array.from({ length: 50 }, () => create(true)),
    ...ids.map((id) => change(id, { responds_to_quotes: true })),
  ])
  expect(tallyOf(answers)).toEqual({ done: 1, refused: 99 })
  const winner = answers.find(({ status }) => status < 300)?.body.id
  expect(await responders()).toEqual([winner])
  const rows = await app.parts.pools.read<{ subscribed: number }>({
    name: '',
    text: `select count(*)::int as subscribed from destination_subscriptions
      where account_id = $1 and event_type = 'quote.requested' and subscribed_until is null`,
    values: [accountId],
  })
  expect(rows).toEqual([{ subscribed: 1 }])
})

test('a hundred toggles of four destinations leave at most one responder, and never two on the way', async () => {
  const ids = await several(4)
  const seen: number[] = []
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const answer = await change(ids[index % 4] ?? '', { responds_to_quotes: index % 3 !== 0 })
      if (index % 10 === 0) seen.push((await responders()).length)
      return answer
    }),
  )
  tallyOf(answers)
  expect(Math.max(...seen)).toBeLessThanOrEqual(1)
  expect((await responders()).length).toBeLessThanOrEqual(1)
})

test('archiving frees the designation for one of the requests at that moment; disabling and enabling keep it', async () => {
  const first = (await create(true)).body.id
  const ids = await several(20)
  await verb(first, 'disable')
  expect((await change(ids[0] ?? '', { responds_to_quotes: true })).body.detail.code).toBe(
    'responder_conflict',
  )
  expect((await verb(first, 'enable')).body).toMatchObject({ status: 'enabled', responds_to_quotes: true })
  const [archived, ...answers] = await Promise.all([
    verb(first, 'archive'),
    ...ids.map((id) => change(id, { responds_to_quotes: true })),
  ])
  expect(archived.body.status).toBe('archived')
  const { done } = tallyOf(answers)
  expect(done).toBeLessThanOrEqual(1)
  expect(await responders()).toHaveLength(done)
  // Those who came before it was free may ask again.
  if (done === 0) expect((await change(ids[0] ?? '', { responds_to_quotes: true })).status).toBe(200)
  expect(await responders()).toHaveLength(1)
})

test('of twenty rotations at once one is made, and the others are refused with a time to wait', async () => {
  const [id = ''] = await several(1)
  const answers = await Promise.all(Array.from({ length: 20 }, () => verb(id, 'rotate_secret')))
  const codes = answers.map(({ status, body }) => (status < 300 ? 'done' : body.detail.code))
  expect(codes.filter((code) => code === 'done')).toHaveLength(1)
  expect(codes.filter((code) => code === 'rotation_in_progress')).toHaveLength(19)
})

test('toggles, enabling, disabling and rotations in any order end without a deadlock', async () => {
  const ids = await several(6)
  const verbs = ['enable', 'disable', 'rotate_secret'] as const
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, index) => {
      const id = ids[index % 6] ?? ''
      return index % 2 === 0
        ? change(id, { responds_to_quotes: index % 4 === 0 })
        : verb(id, verbs[index % 3] ?? 'enable')
    }),
  )
  const codes = new Set(
    answers.map(({ status, body }) => (status < 300 ? 'done' : `${status} ${body.detail.code}`)),
  )
  codes.delete('done')
  codes.delete('409 responder_conflict')
  codes.delete('409 rotation_in_progress')
  expect([...codes]).toEqual([])
  expect((await responders()).length).toBeLessThanOrEqual(1)
})
