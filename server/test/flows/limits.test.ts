import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Limits } from '../../src/contract/limits.ts'
import { type Answer, startTestApp, type TestAccount, type TestApp } from '../harness/app.ts'
import { createPurchase, newBuyer } from '../harness/buyers.ts'
import { newDestination, newEventDestination, type Receiver, startReceiver } from '../harness/deliveries.ts'
import { askQuote, openQuotingShop } from '../harness/quotes.ts'

const limits: Partial<Limits> = {
  streams: 2,
  quoteWaits: 2,
  imports: 1,
  importsTogether: 2,
  requests: 3,
  importsPerHour: 3,
  destinationTests: 2,
  accountTests: 3,
  destinationRecoveries: 2,
  accountRecoveries: 3,
  integrationChecks: 2,
  onboardingLinks: 2,
}

let app: TestApp
let receiver: Receiver
beforeAll(async () => {
  app = await startTestApp({ limits })
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.stop()
  await app.stop()
})

type Refusal = { scope: string; limit: number; windowSeconds: number }

/** Over REST: the contract's body and headers. */
function expectRefused(answer: Answer, { scope, limit, windowSeconds }: Refusal): void {
  expect([answer.status, answer.body.detail.code, answer.body.detail.scope]).toEqual([
    429,
    'rate_limited',
    scope,
  ])
  const seconds = Number(answer.headers.get('retry-after'))
  expect(answer.body.detail).toMatchObject({
    limit,
    window_seconds: windowSeconds,
    retry_after_seconds: seconds,
    retryable: true,
  })
  expect(answer.headers.get('x-ratelimit-limit')).toBe(String(limit))
  expect(answer.headers.get('x-ratelimit-window')).toBe(String(windowSeconds))
  expect(seconds).toBeGreaterThanOrEqual(1)
  expect(seconds).toBeLessThanOrEqual(windowSeconds)
}

const hour = 3600

test('an account has a number of streams for all its keys together, and gets a place back when one ends', async () => {
  const buyer = await newBuyer(app)
  const { body } = await createPurchase(app, buyer)
  const second = await app.newKey(app.account, 'test', 'full')
  const open = (key: string, id = body.id) => openStream(id, key)
  const key = app.account.keys.secret_test
  const first = await open(key)
  expect([first.status, (await open(second.token)).status]).toEqual([200, 200])
  for (const one of [key, second.token]) {
    expect((await open(one)).status).toBe(429)
    const refused = await app.get(`/v1/purchase_intents/${body.id}/events`, {
      key: one,
      headers: { accept: 'text/event-stream' },
    })
    expectRefused(refused, { scope: 'account.streams', limit: 2, windowSeconds: 1 })
  }
  expect((await app.get(`/v1/purchase_intents/${body.id}/events`)).status).toBe(200)
  const others = { key: app.stranger.keys.secret_test }
  const theirs = await createPurchase(app, await newBuyer(app, others), {}, others)
  expect((await open(others.key, theirs.body.id)).status).toBe(200)
  await first.close()
  await expect.poll(async () => (await open(key)).status).toBe(200)
})

async function openStream(id: string, key: string) {
  const gone = new AbortController()
  const response = await fetch(`${app.url}/v1/purchase_intents/${id}/events`, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    signal: gone.signal,
  })
  const reading = response.text().catch(() => undefined)
  const close = async () => {
    gone.abort()
    await reading
  }
  onTestFinished(close)
  return { status: response.status, close }
}

test('an account has a number of waits for quotes; a repeat waits in a place of its own, and an answer at once needs none', async () => {
  const shop = await openQuotingShop(app, receiver)
  const asked = { catalog_item_id: shop.itemId }
  const ours = await app.newAccount('Asks')
  const key = ours.keys.secret_test
  const waiting = [1, 2].map((number) => askQuote(app, asked, { key, idempotencyKey: `waits-${number}` }))
  await expect.poll(async () => (await quotesOf(ours)).length).toBe(2)
  const quoteWaits = { scope: 'account.quote_waits', limit: 2, windowSeconds: 1 }
  expectRefused(await askQuote(app, asked, { key }), quoteWaits)
  expectRefused(await askQuote(app, asked, { key, idempotencyKey: 'waits-1' }), quoteWaits)
  const tool = await app.mcp('v1_create_quote', { ...asked, idempotency_key: 'by-tool' }, { key })
  expect([tool.status, tool.isError]).toEqual([429, true])
  expect(await quotesOf(ours)).toHaveLength(2)
  // Another account's wait ends as it would alone.
  const others = askQuote(app, asked, { key: app.stranger.keys.secret_test })
  await expect.poll(async () => (await quotesOf(app.stranger)).length).toBe(1)
  for (const account of [ours, app.stranger])
    for (const { id } of await quotesOf(account))
      await app.post(`/v1/quotes/${id}/cancel`, undefined, { key: account.keys.secret_test })
  for (const answer of await Promise.all([...waiting, others])) expect(answer.body.status).toBe('cancelled')
  const again = await askQuote(app, asked, { key, idempotencyKey: 'waits-1' })
  expect([again.status, again.body.status]).toEqual([201, 'cancelled'])
})

async function quotesOf({ keys }: TestAccount): Promise<{ id: string }[]> {
  return (await app.get('/v1/quotes', { key: keys.secret_test })).body.data
}

test('a slow sender holds a place of its own account only, and no connection of the database', async () => {
  const slow = await app.newAccount('Slow')
  const upload = await beginUpload(slow, 600 * 1024)
  await upload.send(300 * 1024)
  await expect.poll(async () => (await app.sql('select from catalog_import_uploads')).length).toBe(1)
  const idle = await app.sql(
    `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  )
  expect(idle).toEqual([])
  const file = Buffer.alloc(100 * 1024, 0x20)
  expectRefused(await sendFile(slow, file), { scope: 'account.imports', limit: 1, windowSeconds: 1 })
  expect((await sendFile(slow, '{"handle":"small"}')).status).toBe(201)
  expect((await sendFile(app.stranger, file)).status).toBe(201)
  // A second account fills the process: that is nobody's limit, and is told so.
  const second = await beginUpload(await app.newAccount('Slow too'), 600 * 1024)
  await second.send(300 * 1024)
  await expect.poll(async () => (await app.sql('select from catalog_import_uploads')).length).toBe(2)
  const busy = await sendFile(app.stranger, file)
  expect([busy.status, busy.body.detail.code, busy.headers.get('retry-after')]).toEqual([503, 'busy', '1'])
  await second.breakOff()
  await expect.poll(async () => (await app.sql('select from catalog_import_uploads')).length).toBe(1)
  await upload.send(300 * 1024)
  expect(await upload.status()).toBe(201)
  expect(await app.sql('select from catalog_import_uploads')).toEqual([])
  const [stored] = await app.sql<{ bytes: number; pieces: number }>(
    `select sum(octet_length(content))::int as bytes, count(*)::int as pieces from catalog_import_pieces where account_id = $1 and position > 0
     or import_id in (select import_id from catalog_import_pieces where account_id = $1 and position > 0)`,
    [slow.accountId],
  )
  expect(stored).toEqual({ bytes: 600 * 1024, pieces: 3 })
})

function sendFile(account: TestAccount, file: string | Uint8Array): Promise<Answer> {
  return app.post('/v1/merchant/catalog_items/import', undefined, {
    key: account.keys.secret_test,
    raw: file,
    headers: { 'content-type': 'application/x-ndjson' },
  })
}

async function beginUpload(account: TestAccount, bytes: number) {
  const { hostname, port } = new URL(app.url)
  const socket: Socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const answered = once(socket, 'data').then(([data]) => Number(String(data).slice(9, 12)))
  answered.catch(() => undefined)
  socket.write(
    [
      'POST /v1/merchant/catalog_items/import HTTP/1.1',
      `Host: ${hostname}:${port}`,
      `Authorization: Bearer ${account.keys.secret_test}`,
      'Content-Type: application/x-ndjson',
      `Content-Length: ${bytes}`,
      '',
      '',
    ].join('\r\n'),
  )
  onTestFinished(() => void socket.destroy())
  return {
    send: (count: number) =>
      new Promise<void>((resolve) => void socket.write(Buffer.alloc(count, 0x0a), () => resolve())),
    status: () => answered,
    async breakOff() {
      socket.destroy()
    },
  }
}

test('an account has a number of new imports in an hour, and a repeat of one beyond it is refused as well', async () => {
  const many = await app.newAccount('Many')
  const file = '{"handle":"one"}'
  for (let time = 0; time < 3; time++) expect((await sendFile(many, file)).status).toBe(201)
  expectRefused(await sendFile(many, file), {
    scope: 'account.imports_per_hour',
    limit: 3,
    windowSeconds: hour,
  })
  const tool = await app.mcp(
    'v1_create_merchant_catalog_import',
    { body: file },
    { key: many.keys.secret_test },
  )
  expect([tool.status, tool.isError]).toEqual([429, true])
  expect((await sendFile(app.stranger, file)).status).toBe(201)
})

test('an import that broke off an hour ago is swept, with its pieces', async () => {
  const account = await app.newAccount('Swept')
  const upload = [account.accountId, 'imp_gone']
  await app.sql(
    `insert into catalog_import_uploads (account_id, mode, import_id, begun_at) values ($1, 'test', $2, now() - interval '61 minutes')`,
    upload,
  )
  await app.sql(
    `insert into catalog_import_pieces (account_id, mode, import_id, position, content) values ($1, 'test', $2, 0, 'x')`,
    upload,
  )
  expect((await sendFile(account, '{"handle":"later"}')).status).toBe(201)
  expect(await app.sql(`select from catalog_import_pieces where import_id = 'imp_gone'`)).toEqual([])
  expect(await app.sql(`select from catalog_import_uploads where import_id = 'imp_gone'`)).toEqual([])
})

const sides = [
  ['merchant', newDestination, '/v1/merchant/destinations', 'v1_recover_merchant_destination'],
  ['buyer', newEventDestination, '/v1/event_destinations', 'v1_recover_event_destination'],
] as const

test.each(sides)(
  'the %s side recovers a destination so often in an hour, and all of them',
  async (...side) => {
    const [, make, path, tool] = side
    const account = await app.newAccount('Recovers')
    const key = account.keys.secret_test
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => make(app, receiver.url, {}, key)))
    const since = '2026-01-01T00:00:00Z'
    const recover = (id: string, headers = {}) =>
      app.post(`${path}/${id}/recover`, { since }, { key, headers })
    const repeated = { 'idempotency-key': 'recover' }
    expect((await recover(one.id, repeated)).status).toBe(200)
    expect((await recover(one.id, repeated)).status).toBe(200)
    expect((await recover(one.id)).status).toBe(200)
    expectRefused(await recover(one.id), {
      scope: 'destination.recoveries',
      limit: 2,
      windowSeconds: hour,
    })
    // What was answered before the limit is answered beyond it.
    const replayed = await recover(one.id, repeated)
    expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect((await recover(two.id)).status).toBe(200)
    expectRefused(await recover(three.id), {
      scope: 'account.destination_recoveries',
      limit: 3,
      windowSeconds: hour,
    })
    const id = side[0] === 'merchant' ? { destination_id: three.id } : { event_destination_id: three.id }
    const byTool = await app.mcp(tool, { ...id, since }, { key })
    expect([byTool.status, byTool.isError]).toEqual([429, true])
    const theirs = app.stranger.keys.secret_test
    const other = await make(app, receiver.url, {}, theirs)
    expect((await app.post(`${path}/${other.id}/recover`, { since }, { key: theirs })).status).toBe(200)
  },
)

test('an account has a number of new onboarding links in an hour', async () => {
  const account = await app.newAccount('Onboards')
  const create = (key: string) =>
    app.post('/v1/onboarding_links', { use_case: { type: 'account_onboarding' } }, { key })
  const { secret_test: key } = account.keys
  for (let time = 0; time < 2; time++) expect((await create(key)).status).toBe(201)
  expectRefused(await create(key), { scope: 'account.onboarding_links', limit: 2, windowSeconds: hour })
  expect((await create(app.stranger.keys.secret_test)).status).toBe(201)
})

test('an account has a number of requests under way, and other accounts are answered meanwhile', async () => {
  const account = await app.newAccount('Busy')
  const uploads = []
  for (let number = 0; number < 3; number++) {
    const upload = await beginUpload(account, 100)
    await upload.send(10)
    uploads.push(upload)
  }
  // Each has been counted, and goes on.
  await expect
    .poll(() =>
      app.sql('select cardinality(taken) as begun from rate_counters where subject = $1', [
        `${account.accountId} test`,
      ]),
    )
    .toEqual([{ begun: 3 }])
  const ask = (key: string) => app.get('/v1/profiles', { key })
  expectRefused(await ask(account.keys.secret_test), {
    scope: 'account.requests',
    limit: 3,
    windowSeconds: 1,
  })
  expect((await ask(account.keys.secret_live)).status).toBe(200)
  expect((await ask(app.stranger.keys.secret_test)).status).toBe(200)
  for (const upload of uploads) await upload.breakOff()
  await expect.poll(async () => (await ask(account.keys.secret_test)).status).toBe(200)
})
