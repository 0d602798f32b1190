import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProgram } from '../src/cli/program.ts'
import { isInTime } from './gate/pace.ts'
import { prokura } from './harness/command-runner.ts'
import { type Service, serviceEnvironment, startService } from './harness/up.ts'

/** The whole product while the database takes no delivery: what operators see, and what becomes of a purchase. */
let folder: string
let state: string
let service: Service
let database: Client

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prokura-failing-'))
  state = join(folder, 'state')
  service = await startService({ state, args: ['--port', '0', '--test-clock'] })
  database = new Client({ connectionString: service.ready.database_url })
  await database.connect()
})

afterAll(async () => {
  await database?.end()
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** What starts something, changes something, or needs a file or a key of its own. All others only look. */
const notLooking = new Set([
  'up',
  'reset',
  'demo',
  'buy',
  'api',
  'worker',
  'vault serve',
  'browser',
  'sandbox',
  'migrate',
  'backup',
  'restore',
  'accounts create',
  'registry route',
  'accounts rename',
  'accounts timezone',
  'keys create',
  'keys revoke',
  'keys roll',
  'keys update',
  'keys join',
  'people invite',
  'people sign-in-link',
  'people role',
  'people suspend',
  'people reactivate',
  'merchants confirm',
  'merchants payout',
  'merchants release',
  'rail allow',
  'rail reconcile',
  'registry add',
  'registry verify',
  'registry remove',
  'signing-keys rotate',
  'signing-keys remove',
  'lint-profile',
  'catalog import',
  'catalog export',
  'vault add-key',
  'events unpark',
  'clock advance',
  'openapi',
])

test('a late event reaches its merchant once the database takes it: named meanwhile, parked after hours, and bought in the end', async () => {
  await database.query(`alter table deliveries add constraint planted check (event_type = 'never') not valid`)
  const intentId = await buy()
  const behind = () => json(['status']).then(({ relay }) => relay.behind)
  await expect.poll(behind).toHaveLength(1)
  const [failing] = await behind()
  expect(failing).toMatchObject({
    follower: 'deliveries',
    event_type: 'order.requested',
    aggregate_id: expect.stringMatching(/^ord_/),
    last_error: expect.stringContaining('planted'),
  })
  expect((await json(['events', 'parked'])).data).toEqual([])
  expect((await say(['events', 'parked'])).out).toBe('No event is parked.\n')
  expect((await json(['events', 'parked', '--all'])).data).toMatchObject([{ event_id: failing.event_id }])
  // The others go on.
  const verified = () => json(['audit', 'verify'])
  await expect.poll(verified).toMatchObject({ ok: true, unchained: { events: 0 } })
  const report = await prokura(['audit', '--state', state, '--json'])
  expect(violated(report.out).filter((id) => id !== 'W2-followers')).toEqual([])

  await json(['clock', 'advance', '7h'])
  const parked = () => json(['events', 'parked']).then(({ data }) => data)
  await expect.poll(parked).toHaveLength(1)
  expect((await parked())[0]).toMatchObject({ state: 'parked', event_id: failing.event_id })
  const { out } = await say(['status'])
  expect(out).toContain('A follower of events fails: deliveries is behind with 1 parked')
  expect(out).toContain(failing.aggregate_id)
  expect(violated((await prokura(['audit', '--state', state, '--json'])).out)).toContain('W2-followers')
  expect(await logged('is parked')).toContain(failing.aggregate_id)

  await call('POST', '/v1/controls/freeze', { target: { type: 'account' } })
  await everyLookWorks()
  await call('POST', '/v1/controls/unfreeze', { target: { type: 'account' } })

  const unknown = await prokura(['events', 'unpark', 'evt_nobody', '--state', state])
  expect([unknown.code, unknown.err]).toEqual([
    1,
    expect.stringContaining('No such event is parked or failing: evt_nobody.'),
  ])
  const neither = await prokura(['events', 'unpark', '--state', state])
  expect([neither.code, neither.err]).toEqual([1, expect.stringContaining('Name the events')])
  const again = await say(['events', 'unpark', failing.event_id, '--as', 'Jane Roe'])
  // The order's next event waits behind it.
  expect(again.out).toContain('2 events are retried now.')
  await expect.poll(async () => (await parked())[0]?.tries).toBeGreaterThan((await behind())[0]?.tries - 1)
  const { rows } = await database.query(
    `select actor_type, actor_id from events where type = 'events.unparked'`,
  )
  expect(rows).toEqual([{ actor_type: 'system', actor_id: 'operator:Jane Roe' }])

  await database.query('alter table deliveries drop constraint planted')
  // By itself: nobody asks for it.
  await json(['clock', 'advance', '1h'])
  const status = async () => (await call('GET', `/v1/purchase_intents/${intentId}`)).status
  await expect.poll(status).toBe('succeeded')
  await expect.poll(behind).toEqual([])
  expect((await say(['events', 'parked', '--all'])).out).toBe('No event is parked, failing or waiting.\n')
  expect(await json(['events', 'unpark', '--all'])).toEqual({ tried: 0, event_ids: [] })
  expect(await json(['audit'])).toMatchObject({ ok: true })
  expect(await logged('has been followed')).toContain(failing.aggregate_id)
})

test('the audit finds an event without its delivery', async () => {
  // Of what comes within a second of a subscription nobody can say that it was owed.
  await database.query(
    "update destination_subscriptions set subscribed_from = subscribed_from - interval '1 s'",
  )
  const { rows } = await database.query(
    `select event_id, destination_id from deliveries where event_type = 'order.requested' limit 1`,
  )
  await database.query('begin')
  const copy = await database.query('delete from deliveries where event_id = $1 returning *', [
    rows[0].event_id,
  ])
  await database.query('commit')
  try {
    const { invariants } = JSON.parse((await prokura(['audit', '--state', state, '--json'])).out)
    const { violations } = invariants.find(({ id }: { id: string }) => id === 'E3')
    expect(violations).toEqual([`${rows[0].event_id} to ${rows[0].destination_id}`])
  } finally {
    const columns = copy.fields.map(({ name }) => name)
    const values = columns.map((name) => copy.rows[0][name])
    const places = columns.map((_, at) => `$${at + 1}`)
    await database.query(`insert into deliveries (${columns}) values (${places})`, values)
  }
})

test.each([
  ['a database that is not there', '/nowhere', 'There is no database "nowhere"'],
  ['a database without our schema', '/template1', 'Run "prokura migrate"'],
  ['a server that is not there', 'postgres://127.0.0.1:1/prokura', 'Nothing listens at 127.0.0.1:1'],
])('every command that reads reports %s in words, at once', async (_, where, words) => {
  const url = new URL(service.ready.database_url)
  url.pathname = where
  const env = {
    ...serviceEnvironment(),
    DATABASE_URL: where.startsWith('/') ? url.href : where,
    PROKURA_KEYS_FILE: join(state, 'vault.keys'),
  }
  for (const args of [
    ['status'],
    ['events', 'parked'],
    ['events', 'unpark', '--all'],
    ['audit'],
    ['keys', 'list'],
  ]) {
    const startedMs = performance.now()
    const { code, out, err } = await prokura(args, env)
    expect({ args, code, out }).toEqual({ args, code: 1, out: '' })
    expect(err).toContain(words)
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(isInTime(performance.now() - startedMs, 10_000)).toBe(true)
  }
})

/** Families of commands that ask the API, of something that they have to be told. */
const asksApi = /^(purchases|orders|cards|profiles|shop) /

/** Every command that only looks, as text and as JSON, with something parked and everything frozen. */
async function everyLookWorks(): Promise<void> {
  const commands = leavesBelow(await createProgram(), []).filter(
    ({ name }) => !notLooking.has(name) && !asksApi.test(name),
  )
  expect(commands.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['status', 'events parked', 'audit', 'audit verify', 'keys list']),
  )
  for (const { name, command } of commands) {
    const takes = (flag: string) => command.options.some(({ long }) => long === flag)
    const args = [...name.split(' '), ...(takes('--state') ? ['--state', state] : [])]
    for (const form of takes('--json') ? [[], ['--json']] : [[]]) {
      const { out, err, code } = await prokura([...args, ...form])
      // What the audit is to say now is that something is parked, and of live mode that it has no rail here.
      expect({ name, code }).toEqual({ name, code: name === 'audit' || name === 'rail check' ? 1 : 0 })
      expect(err).not.toMatch(/^\s+at /m)
      if (form.length > 0) expect(() => JSON.parse(out), name).not.toThrow()
      else expect(out, name).not.toBe('')
    }
  }
}

function leavesBelow(command: Command, above: readonly string[]): { name: string; command: Command }[] {
  return command.commands.flatMap((one) => {
    const path = [...above, one.name()]
    const isItself = one.commands.length === 0 || one.name() === 'audit'
    return [...(isItself ? [{ name: path.join(' '), command: one }] : []), ...leavesBelow(one, path)]
  })
}

async function buy(): Promise<string> {
  const profile = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'US' }
  const buyer = await call('POST', '/v1/profiles', profile)
  const enrolled = { agentic_credentials_enrollment_requested: true, agentic_terms_acknowledged: true }
  const card = { kind: 'existing', vault_token_id: 'visa_auto_approved', ...enrolled }
  await call('POST', `/v1/profiles/${buyer.id}/payment_methods`, { type: 'card', card })
  const { item_url: url, item_price } = service.ready.sandbox
  const intent = await call('POST', '/v1/purchase_intents', {
    profile_id: buyer.id,
    items: [{ url, quantity: 1, expected_amount: item_price, expected_currency: 'USD' }],
    preferences: { fulfillment: { method: 'pickup' } },
  })
  await call('POST', `/v1/purchase_intents/${intent.id}/approve`, { approve: true })
  return intent.id
}

/** The lines of the worker's log that say so. */
async function logged(words: string): Promise<string> {
  const text = await readFile(join(state, 'logs/worker.log'), 'utf8')
  return text
    .split('\n')
    .filter((line) => line.includes(words))
    .join('\n')
}

function violated(out: string): string[] {
  const { invariants } = JSON.parse(out)
  return invariants.flatMap((one: { id: string; violations: string[] }) =>
    one.violations.length > 0 ? [one.id] : [],
  )
}

// biome-ignore lint/suspicious/noExplicitAny: answers that other tests hold to their schemas
type Answer = any

async function say(args: readonly string[]) {
  const said = await prokura([...args, '--state', state])
  expect({ code: said.code, err: said.err }).toEqual({ code: 0, err: '' })
  return said
}

async function json(args: readonly string[]): Promise<Answer> {
  return JSON.parse((await say([...args, '--json'])).out)
}

async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${service.ready.base_url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.ready.keys.secret_test}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  expect(response.status, path).toBeLessThan(300)
  return response.json()
}
