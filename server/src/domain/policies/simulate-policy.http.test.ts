import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestAccount, type TestApp } from '../../../test/harness/app.ts'
import { statement } from '../../contract/statement.ts'

let app: TestApp
let owner: TestAccount
let profileId: string
beforeAll(async () => {
  // However slow this machine is.
  app = await startTestApp({ limits: { simulationCpu: 60_000 } })
  owner = await app.newAccount()
  profileId = await newProfile(owner)
})
afterAll(() => app.stop())

async function newProfile(account: TestAccount): Promise<string> {
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }
  return (await app.post('/v1/profiles', ada, { key: account.keys.secret_test })).body.id
}

const simulate = (body: object) => app.post('/v1/policies/simulate', body, { key: owner.keys.secret_test })
const intent = (more: object = {}) => ({
  profile_id: profileId,
  currency_code: 'eur',
  expected_amount: 100,
  max_amount: 150,
  merchants: [{ domain: 'shop.example', mcc: '5411' }],
  ...more,
})

test('a hypothetical intent is judged by the policies that apply and by a draft, and nothing is stored', async () => {
  const alone = await simulate({ purchase_intent: intent() })
  expect([alone.status, alone.body.purchase_intent.policy_decision]).toEqual([
    200,
    { result: 'require_approval', evaluated: [] },
  ])
  const key = owner.keys.secret_test
  const policy = {
    name: 'Auto',
    currency: 'EUR',
    approval: { mode: 'above_threshold', auto_approve_up_to: 120 },
  }
  const { body: auto } = await app.post('/v1/policies', policy, { key })
  const { body } = await simulate({ purchase_intent: intent() })
  expect(body).toMatchObject({
    object: 'policy_simulation',
    draft_policy_id: null,
    past: null,
    purchase_intent: { policy_decision: { result: 'allow' }, max_allowed_amount: 120 },
  })
  const drafted = await simulate({ purchase_intent: intent(), policy: { mcc: { block: ['5411'] } } })
  expect(drafted.body.purchase_intent.policy_decision).toMatchObject({
    result: 'deny',
    evaluated: [
      { policy_id: auto.id, rule: 'currency' },
      { policy_id: auto.id, rule: 'approval.auto_approve_up_to', limit: 120, observed: 100 },
      { policy_id: drafted.body.draft_policy_id, rule: 'mcc.block', limit: '5411', observed: '5411' },
    ],
  })
  const elsewhere = { scope: { profile_ids: ['prof_other'] }, mcc: { block: ['5411'] } }
  const outside = await simulate({ purchase_intent: intent(), policy: elsewhere })
  expect(outside.body.purchase_intent.policy_decision.result).toBe('allow')
  expect((await app.get('/v1/policies', { key })).body.data).toEqual([auto])
})

test('it names unknown objects, and takes one question at a time', async () => {
  const foreign = await newProfile(app.stranger)
  for (const [field, value] of [
    ['profile_id', foreign],
    ['api_key_id', 'key_unknown'],
    ['api_key_id', '__proto__'],
    ['policy_id', 'pol_unknown'],
  ] as const) {
    const { status, body } = await simulate({ purchase_intent: intent({ [field]: value }) })
    expect([status, body.detail.code, body.detail.param]).toEqual([
      404,
      'not_found',
      `purchase_intent.${field}`,
    ])
  }
  for (const body of [{}, { purchase_intent: intent(), past: {} }, { past: {} }]) {
    expect((await simulate(body)).status).toBe(422)
  }
})

const insertIntents = statement<
  never,
  { account_id: string; profile_id: string; amounts: string[]; statuses: string[]; spent: string[] }
>(
  '',
  `insert into purchase_intents (account_id, mode, id, profile_id, status, currency, expected_amount, max_allowed_amount, actual_amount,
     fee_allowance, tax_allowance, tolerance_basis_points, on_price_exceed, items, fulfillment, policy_decision, policy_result,
     approval_required, metadata, actor_type, merchants, search, seq, created_at, updated_at, completed_at, buyer)
   select $account_id, 'test', 'pi_' || n.place, $profile_id, n.status, 'EUR', n.amount, n.amount * 2, n.spent, 0, 0, 0, 'fail',
     '[{"url": "https://shop.example/tea", "mcc": "5411", "country": null}]', '{"country": "GB"}', '{}', 'allow', false, '{}', 'system', '{}', '', 1,
     '2026-05-04T10:00:00Z'::timestamptz + n.place * interval '1 hour', now(),
     case when n.status = 'approved' then null else now() end, '{}'
   from unnest($amounts::bigint[], $statuses::text[], $spent::bigint[]) with ordinality as n(amount, status, spent, place)`,
)

test('past intents are replayed oldest first, and each fills the draft’s windows with what it was charged', async () => {
  await app.parts.pools.single(
    insertIntents({
      account_id: owner.accountId,
      profile_id: profileId,
      amounts: ['100', '100', '100', '100', '30'],
      statuses: ['succeeded', 'cancelled', 'approved', 'succeeded', 'succeeded'],
      spent: ['110', '0', '0', '110', '30'],
    }),
  )
  const policy = {
    currency: 'EUR',
    limits: { intervals: [{ interval: 'day', max_amount: 340 }] },
    approval: { mode: 'never' },
  }
  const { status, body } = await simulate({
    policy,
    past: { created_after: '2026-05-04T00:00:00Z', created_before: '2026-05-05T00:00:00Z' },
  })
  expect(status).toBe(200)
  // 110 spent, nothing for the cancelled one, 200 held for the one under way: the fourth finds 30 and the fifth takes it.
  expect(
    body.past.data.map((one: { policy_decision: { result: string } }) => one.policy_decision.result),
  ).toEqual(['allow', 'allow', 'allow', 'deny', 'allow'])
  expect(body.past).toMatchObject({ allow: 4, require_approval: 0, deny: 1 })
  expect(body.past.data[3].policy_decision.evaluated).toContainEqual(
    expect.objectContaining({ rule: 'limits.intervals.day.max_amount', limit: 340, observed: 410 }),
  )
  const since = await simulate({ policy, past: { created_after: '2026-05-05T23:59:00+23:59' } })
  expect(since.status).toBe(200)
  const later = await simulate({ policy, past: { limit: 1 } })
  expect(later.body.past.data).toHaveLength(1)
  const others = await simulate({ policy: { ...policy, scope: { profile_ids: ['prof_other'] } }, past: {} })
  expect(others.body.past.data).toEqual([])
})

test('an agent may ask', async () => {
  const { status } = await app.post(
    '/v1/policies/simulate',
    { purchase_intent: intent() },
    { key: owner.keys.agent_test },
  )
  expect(status).toBe(200)
})

/**
 * An account with a thousand purchases of a hundred shops each, and a draft with two thousand domains: the most that one question can be
 * about.
 */
async function worstQuestion(on: TestApp) {
  const key = (await on.newAccount()).keys.secret_test
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }
  const profile = await on.post('/v1/profiles', ada, { key })
  const items = Array.from({ length: 100 }, (_, at) => ({
    url: `https://www.shop${at}.example/thing`,
    quantity: 1,
    expected_amount: 100,
    expected_currency: 'USD',
  }))
  const { status, body } = await on.post(
    '/v1/purchase_intents',
    { profile_id: profile.body.id, items },
    { key },
  )
  expect(status, JSON.stringify(body)).toBe(201)
  const [{ columns } = { columns: '' }] = await on.sql<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_name = 'purchase_intents' and column_name not in ('id', 'idempotency_key') and is_generated = 'NEVER'`,
  )
  await on.sql(
    `insert into purchase_intents (id, ${columns}) select 'pi_' || lpad(number::text, 26, '0'), ${columns}
     from purchase_intents, generate_series(1, 999) as number where id = $1`,
    [body.id],
  )
  const domains = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => `${name}${at}.example`)
  const merchants = {
    allow: [...domains(900, 'other'), ...domains(100, 'shop')],
    block: domains(1000, 'bad'),
  }
  return () => on.post('/v1/policies/simulate', { policy: { merchants }, past: { limit: 1000 } }, { key })
}

test('the largest simulation gives the event loop back all along', async () => {
  const ask = await worstQuestion(app)
  let longestMs = 0
  let turns = 0
  let isOver = false
  let sinceMs = performance.now()
  const turn = () => {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - sinceMs)
    sinceMs = now
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const beganMs = performance.now()
  const { status, body } = await ask()
  const tookMs = performance.now() - beganMs
  isOver = true
  expect([status, body.past.require_approval]).toEqual([200, 1000])
  expect(turns).toBeGreaterThan(50)
  // In one go it would be most of the time.
  expect(longestMs).toBeLessThan(tookMs / 3)
})

test('a simulation that would compute for longer than it may is busy, and nothing was done', async () => {
  const small = await startTestApp({ limits: { simulationCpu: 1 } })
  try {
    const ask = await worstQuestion(small)
    const { status, headers, body } = await ask()
    expect([status, body.detail.code, headers.get('retry-after')]).toEqual([503, 'busy', '1'])
  } finally {
    await small.stop()
  }
})

test('an account has a number of simulations of past intents at once, and other accounts have their own', async () => {
  const narrow = await startTestApp({ limits: { simulations: 1, simulationCpu: 60_000 } })
  try {
    const [ask, others] = [await worstQuestion(narrow), await worstQuestion(narrow)]
    const answers = await Promise.all([ask(), ask(), others()])
    const [refused] = answers.filter(({ status }) => status !== 200)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429])
    expect(answers[2]?.status).toBe(200)
    expect([refused?.body.detail.scope, refused?.headers.get('retry-after')]).toEqual([
      'account.simulations',
      '1',
    ])
    expect((await ask()).status).toBe(200)
  } finally {
    await narrow.stop()
  }
})
