import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testCardNumbers } from '../../src/contract/test-card-numbers.ts'
import { installTestClock } from '../../src/platform/clock/test-clock.ts'
import { grantVault } from '../../src/platform/database/vault-role.ts'
import type { Answer } from '../harness/app.ts'
import { type CardSession, openCardSession } from '../harness/card-sessions.ts'
import { startVaultWorld, type VaultWorld } from '../harness/vault.ts'

let world: VaultWorld
beforeAll(async () => {
  world = await startVaultWorld()
})
afterAll(() => world?.stop())

const card = {
  number: testCardNumbers.visa_auto_approved,
  exp_month: 1,
  exp_year: 2030,
  cardholder_name: 'Ada Lovelace',
  cvc: '111',
}
const realNumber = '4111111111111111'
let addresses = 0

type Sent = {
  session?: CardSession | null
  origin?: string | null
  address?: string
  headers?: Record<string, string>
  method?: string
}

/** As a frame of ours sends it, from an address of its own. */
async function send(
  path: string,
  body: unknown,
  { session, origin, address, headers, method }: Sent = {},
): Promise<Pick<Answer, 'status' | 'headers' | 'body'>> {
  addresses += 1
  const answer = await fetch(`${world.publicUrl}${path}`, {
    method: method ?? 'POST',
    headers: {
      ...(session ? { authorization: `Bearer ${session.token}` } : {}),
      ...(origin === null ? {} : { origin: origin ?? world.pages }),
      'content-type': 'application/json',
      'x-forwarded-for': address ?? `10.0.${addresses >> 8}.${addresses & 255}`,
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) }
}

const enter = async (change: object = {}, sent: Sent = {}) =>
  send(
    '/cards',
    { ...card, ...change },
    'session' in sent ? sent : { ...sent, session: await openCardSession(world) },
  )

const tenantOf = ({ accountId, mode }: CardSession) => ({ accountId, mode })

test('a card that is left at the door is a record, and nothing but its brand and last digits comes back', async () => {
  const session = await openCardSession(world)
  const { status, body, headers } = await enter({}, { session })
  expect([status, body]).toEqual([
    201,
    {
      vault_token_id: expect.stringMatching(/^pr_vt_test_[0-9A-Za-z]{33}$/),
      temporary_cvc_token_id: expect.stringMatching(/^pr_cvc_test_[0-9A-Za-z]{33}$/),
      card_brand: 'visa',
      card_last4: '4242',
    },
  ])
  expect(headers.get('cache-control')).toBe('no-store')
  expect(await world.client.describe(tenantOf(session), body.vault_token_id)).toEqual({
    kind: 'record',
    record: {
      id: body.vault_token_id,
      brand: 'visa',
      last4: '4242',
      expMonth: 1,
      expYear: 2030,
      testCard: 'visa_auto_approved',
    },
  })
  const again = await enter({ cvc: null, cardholder_name: null }, { session })
  expect(again.body).toMatchObject({ temporary_cvc_token_id: null, card_last4: '4242' })
  expect(again.body.vault_token_id).not.toBe(body.vault_token_id)
})

test.each([
  ['no number', { number: 4242 }, 'number', 'not the number of a card'],
  ['a wrong number', { number: '4242424242424241' }, 'number', 'not the number of a card'],
  ['spaces in it', { number: '4242 4242 4242 4242' }, 'number', 'not the number of a card'],
  ['a brand that nobody takes', { number: '6304000000000000' }, 'number', 'brand are not taken'],
  [
    'the number of a real card',
    { number: realNumber },
    'number',
    'Test mode takes the numbers of test cards',
  ],
  ['no month', { exp_month: 13 }, 'exp_month', 'expired'],
  ['half a month', { exp_month: 1.5 }, 'exp_month', 'expired'],
  ['a year as text', { exp_year: '2030' }, 'exp_month', 'expired'],
  ['a year that is over', { exp_year: 2020 }, 'exp_month', 'expired'],
  ['no name', { cardholder_name: '' }, 'cardholder_name', 'no name on a card'],
  ['a name that is none', { cardholder_name: 7 }, 'cardholder_name', 'no name on a card'],
  ['a short code', { cvc: '11' }, 'cvc', 'has three digits'],
  ['a code as a number', { cvc: 111 }, 'cvc', 'has three digits'],
  ['a code of three digits', { number: testCardNumbers.amex_ineligible }, 'cvc', 'has four digits'],
])('%s is refused by the field, in a sentence without the value', async (_, change, param, words) => {
  const { status, body, headers } = await enter(change)
  expect([status, body.detail]).toEqual([
    422,
    { code: 'card_refused', param, message: expect.stringContaining(words), retryable: false },
  ])
  expect(headers.get('access-control-allow-origin')).toBe(world.pages)
  for (const value of Object.values(change))
    expect(body.detail.message.split(' ')).not.toContain(String(value))
})

test('live mode takes real cards, and the number of no test card', async () => {
  const session = await openCardSession(world, { mode: 'live' })
  const taken = await enter({ number: realNumber }, { session })
  expect(taken.body).toMatchObject({
    vault_token_id: expect.stringMatching(/^pr_vt_live_/),
    card_last4: '1111',
  })
  expect(await world.client.describe(tenantOf(session), taken.body.vault_token_id)).toMatchObject({
    record: { testCard: null },
  })
  for (const number of Object.values(testCardNumbers)) {
    const cvc = number.length === 15 ? '1111' : '111'
    const another = await openCardSession(world, { mode: 'live' })
    const { status, body } = await enter({ number, cvc }, { session: another })
    expect([status, body.detail.param]).toEqual([422, 'number'])
  }
})

test.each([
  ['another field', '/cards', { ...card, pin: '1234' }, {}, [400, 'bad_request']],
  ['a field less', '/cards', { number: card.number }, {}, [400, 'bad_request']],
  ['a name twice', '/cards', '{"cvc":"1","cvc":"2"}', {}, [400, 'bad_request']],
  ['no object', '/cards', '[]', {}, [400, 'bad_request']],
  ['half a document', '/cards', '{"number":', {}, [400, 'bad_request']],
  ['another brand', '/cvcs', { cvc: '111', card_brand: 'mir' }, {}, [400, 'bad_request']],
  ['no code', '/cvcs', { cvc: 'abc', card_brand: null }, {}, [422, 'card_refused']],
  ['the code of another brand', '/cvcs', { cvc: '111', card_brand: 'amex' }, {}, [422, 'card_refused']],
  ['more than a card', '/cards', { ...card, number: '4'.repeat(9_000) }, {}, [413, 'payload_too_large']],
  [
    'no JSON',
    '/cards',
    'number=1',
    { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    [415, 'unsupported_media_type'],
  ],
  ['another method', '/cards', undefined, { method: 'DELETE' }, [405, 'method_not_allowed']],
  ['another path', '/cards/', card, {}, [404, 'not_found']],
  ['a private path', '/describe', {}, {}, [404, 'not_found']],
])('%s is refused, and stays out of every answer', async (_, path, body, sent, said) => {
  const session = await openCardSession(world)
  const answer = await send(path, body, { session, ...sent })
  expect([answer.status, answer.body.detail.code]).toEqual(said)
  expect(answer.body.detail.message).not.toMatch(/\d{9,}|1234/)
})

test('nobody leaves a card without a session, after its end or without the right to', async () => {
  const stranger = { ...(await openCardSession(world)), token: `pr_es_test_${'x'.repeat(33)}` }
  for (const session of [null, stranger, { ...stranger, token: 'pr_sk_test_x' }]) {
    const { status, body } = await enter({}, { session })
    expect([status, body.detail.code]).toEqual([410, 'session_expired'])
  }
  const approver = await openCardSession(world, { may: ['read', 'approve'] })
  const refused = await enter({}, { session: approver })
  expect([refused.status, refused.body.detail.code]).toEqual([403, 'client_secret_required'])
  // Who approves types the code of a card that is there.
  expect((await send('/cvcs', { cvc: '111', card_brand: 'visa' }, { session: approver })).status).toBe(201)
})

test.each([
  [
    'expires',
    (session: CardSession) =>
      `update element_sessions set expires_at = now() where key_id = '${session.keyId}'`,
  ],
  ['is ended', (session: CardSession) => `delete from element_sessions where key_id = '${session.keyId}'`],
  [
    'loses its key',
    (session: CardSession) => `update api_keys set revoked_at = now() where id = '${session.keyId}'`,
  ],
])('a session that %s is refused within a second', async (_, change) => {
  const session = await openCardSession(world)
  // Not even a card: so nothing is counted.
  const look = async () => (await send('/cards', {}, { session })).status
  expect(await look()).toBe(400)
  await world.sql(change(session))
  const endedAt = performance.now()
  let askedAt = endedAt
  // What was asked more than a second after the end was refused, however long the answer took.
  while ((await look()) === 400) {
    expect(askedAt - endedAt).toBeLessThan(1_000)
    askedAt = performance.now()
  }
})

test('pages of another origin get nothing, and may read nothing', async () => {
  const other = { origin: 'https://elements.example' }
  for (const sent of [other, { ...other, method: 'OPTIONS' }, { origin: 'null' }]) {
    const isPreflight = 'method' in sent
    const session = await openCardSession(world)
    const answer = await send('/cards', isPreflight ? undefined : card, { session, ...sent })
    expect([answer.status, answer.body.detail.code]).toEqual([403, 'origin_not_allowed'])
    expect(answer.headers.get('access-control-allow-origin')).toBe(world.pages)
    expect(answer.headers.get('access-control-allow-headers')).toBeNull()
  }
  const asked = await send('/cards', undefined, { method: 'OPTIONS' })
  expect([asked.status, Object.fromEntries(asked.headers)]).toEqual([
    204,
    expect.objectContaining({
      'access-control-allow-origin': world.pages,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Authorization, Content-Type',
    }),
  ])
  expect(asked.headers.get('access-control-allow-credentials')).toBeNull()
  expect(asked.headers.get('set-cookie')).toBeNull()
})

test('the keys for tickets are for everybody', async () => {
  const { status, body } = await send('/sealing_keys', undefined, { method: 'GET' })
  const { key, publicKey } = (await world.client.sealingKey()) ?? {}
  expect([status, body]).toEqual([200, { keys: [{ key, public_key: publicKey }] }])
})

describe('security codes', () => {
  const take = (session: CardSession, token: string, profile = session.profileId, purchase = 'pi_1') =>
    world.client.takeCode({ tenant: tenantOf(session), token, profile, purchase })

  test('a code is taken for one purchase, which is told the same again', async () => {
    const session = await openCardSession(world)
    const token = (await enter({}, { session })).body.temporary_cvc_token_id
    const told = { kind: 'taken', digits: 3, isOfTestCards: true }
    expect(await take(session, token)).toEqual(told)
    expect(await take(session, token, session.profileId, 'pi_2')).toEqual({ kind: 'other_purchase' })
    expect(await take(session, token)).toEqual(told)
  })

  test('of fifty purchases that take it at once one has it', async () => {
    const session = await openCardSession(world)
    const { body } = await enter({}, { session })
    const all = Array.from({ length: 50 }, (_, at) =>
      take(session, body.temporary_cvc_token_id, session.profileId, `pi_${at}`),
    )
    expect((await Promise.all(all)).filter(({ kind }) => kind === 'taken')).toHaveLength(1)
  })

  test('another profile, mode or account does not find it', async () => {
    const session = await openCardSession(world)
    const { body } = await enter({}, { session })
    const token = body.temporary_cvc_token_id
    const others = [
      take(session, token, 'prof_other'),
      take({ ...session, mode: 'live' }, token),
      take({ ...session, accountId: `acct_${'0'.repeat(25)}2` }, token),
    ]
    expect(new Set((await Promise.all(others)).map(({ kind }) => kind))).toEqual(new Set(['none']))
    expect((await take(session, token)).kind).toBe('taken')
  })

  test('it is lost with the process, and the card is not', async () => {
    const session = await openCardSession(world)
    const { body } = await enter({}, { session })
    await world.restart()
    expect(await take(session, body.temporary_cvc_token_id)).toEqual({ kind: 'none' })
    expect((await world.client.describe(tenantOf(session), body.vault_token_id)).kind).toBe('record')
  })
})

describe('limits', () => {
  const atOnce = (count: number, one: (at: number) => Promise<{ status: number }>) =>
    Promise.all(Array.from({ length: count }, (_, at) => one(at)))
  const openSessions = async (count: number, given: Parameters<typeof openCardSession>[1] = {}) => {
    const sessions: CardSession[] = []
    while (sessions.length < count) sessions.push(await openCardSession(world, given))
    return sessions
  }
  const taken = (answers: readonly { status: number }[]) =>
    answers.filter(({ status }) => status === 201).length

  test('a profile has five cards and codes in an hour, also of fifty at once', async () => {
    const session = await openCardSession(world)
    const answers = await atOnce(50, (at) =>
      at % 2 === 0 ? enter({}, { session }) : send('/cvcs', { cvc: '111', card_brand: null }, { session }),
    )
    expect(taken(answers)).toBe(5)
    const { status, body, headers } = await enter({}, { session })
    const seconds = Number(headers.get('retry-after'))
    expect(status).toBe(429)
    expect(body.detail).toEqual({
      code: 'rate_limited',
      message: expect.any(String),
      param: null,
      retryable: true,
      limit: 5,
      window_seconds: 3600,
      retry_after_seconds: seconds,
      scope: 'profile.cards',
    })
    expect(seconds).toBeGreaterThan(3_000)
    // Another session of the profile has no more.
    const again = await openCardSession(world, { profileId: session.profileId })
    expect((await enter({}, { session: again })).status).toBe(429)
    // Who has only copied a key keeps nobody from paying.
    const vouched = await openCardSession(world, { profileId: session.profileId, isVouched: true })
    expect((await enter({}, { session: vouched })).status).toBe(201)
    await world.sql(
      `update card_vault.rate_counters set taken = array(select t - interval '1 hour' from unnest(taken) t) where subject like '%' || $1`,
      [session.profileId],
    )
    expect((await enter({}, { session })).status).toBe(201)
  })

  test('an address has twenty, in the same account and mode', async () => {
    const address = '192.0.2.1'
    const sessions = await openSessions(50)
    const answers = await Promise.all(sessions.map((session) => enter({}, { address, session })))
    expect(taken(answers)).toBe(20)
    const live = await openCardSession(world, { mode: 'live' })
    expect((await enter({ number: realNumber }, { address, session: live })).status).toBe(201)
  })

  test('a key has two hundred', async () => {
    const sessions = await openSessions(50, { keyId: 'key_of_many' })
    const each = sessions.map((session) => atOnce(5, () => enter({}, { session })))
    expect(taken((await Promise.all(each)).flat())).toBe(200)
  })
})

test('no number and no code is in a log or in a row', async () => {
  const canaries = { number: testCardNumbers.visa_otp_passkey, cvc: '739', cardholder_name: 'Grace Canary' }
  const session = await openCardSession(world)
  const { body } = await enter(canaries, { session })
  expect(body.card_last4).toBe('1109')
  await enter({ ...canaries, exp_year: 2001 }, { session })
  await enter({ ...canaries, number: `${canaries.number}1` }, { session })
  await send('/cards', `{"number":"${canaries.number}"`, { session })
  const tables = await world.sql<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'vault', 'card_vault') and table_type = 'BASE TABLE'`,
  )
  expect(tables.length).toBeGreaterThan(50)
  for (const { name } of tables) {
    const found = await world.sql(`select 1 from ${name} t where t::text ~ $1`, [
      `${canaries.number}|${canaries.cardholder_name}|"${canaries.cvc}"`,
    ])
    expect(found, name).toEqual([])
  }
  const log = await world.log()
  expect(log).not.toMatch(
    new RegExp(`${canaries.number}|${canaries.cardholder_name}|"${canaries.cvc}"|${session.token}`),
  )
  const lines = log.split('\n').filter((line) => line.includes('public door'))
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
    level: 'info',
    role: 'vault',
    time: expect.any(String),
    route: '/cards',
    status: 400,
    ms: expect.any(Number),
    msg: 'vault: a request at the public door',
  })
})

test('who holds connections open does not keep it from its end', async () => {
  const { hostname, port } = new URL(world.publicUrl)
  const held = [
    '',
    'POST /cards HTTP/1.1\r\n',
    'POST /cards HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n',
  ].map((begun) => {
    const socket = connect(Number(port), hostname, () => socket.write(begun))
    return socket.on('error', () => undefined)
  })
  await Promise.all(held.map((socket) => once(socket, 'connect')))
  expect(await world.end('SIGTERM')).toBe(0)
  await world.restart()
})

test('under a test clock, sessions end by it', async () => {
  await installTestClock(world.databaseUrl)
  await grantVault(world.databaseUrl, world.roles.vault)
  const session = await openCardSession(world)
  expect((await enter({}, { session })).status).toBe(201)
  await world.sql(`update test_clock set ahead = interval '16 minutes'`)
  await expect.poll(async () => (await send('/cards', {}, { session })).status).toBe(410)
})
