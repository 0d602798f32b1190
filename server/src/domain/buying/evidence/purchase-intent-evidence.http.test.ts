import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Buyer, newBuyer } from '../../../../test/harness/buyers.ts'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { cups, runningPurchase, tea } from '../../../../test/harness/hand-worker.ts'
import { pageEvidence, pngOf } from '../../../../test/harness/pictures.ts'
import { relayOnce } from '../../../../test/harness/relay-once.ts'
import type { Id } from '../../../core/id.ts'
import { checkBackup, restoreBackup } from '../../../platform/backup/restore-backup.ts'
import { writeBackup } from '../../../platform/backup/write-backup.ts'
import { advanceTestClock, installTestClock } from '../../../platform/clock/test-clock.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { defaultRetention } from '../../../platform/retention/retention.ts'
import { runSweep } from '../../../platform/retention/run-sweep.ts'
import { sweepEvidence } from './evidence.sql.ts'
import { evidenceStages, type PageEvidence } from './port.ts'
import { recordEvidence } from './record-evidence.ts'
import { openPicture } from './seal-picture.ts'
import { shredWithProfile } from './shred-with-profile.ts'

const day = 86_400

let app: TestApp
let buyer: Buyer
beforeAll(async () => {
  app = await startTestApp({ testClock: true })
  await installTestClock(app.databaseUrl)
  buyer = await newBuyer(app)
})
afterAll(() => app.stop())

type Running = Awaited<ReturnType<typeof runningPurchase>>
type Recorded = { cart?: number; attempt?: number; leaseToken?: bigint }

/** As the worker does that holds the cart. */
async function record(purchase: Running, more: Partial<PageEvidence> = {}, as: Recorded = {}) {
  const { cart = 0, attempt = 1, leaseToken = 0n } = as
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  const { parts } = app
  const now = await parts.clock.now()
  return await recordEvidence(
    {
      single: async (statement) => (await parts.pools.single(statement)).rows,
      sealer: parts.sealer(tenant),
      newId: (prefix) => parts.newId(prefix, now.getTime()),
    },
    tenant,
    {
      intentId: purchase.id as Id<'pi'>, // the ids that the API and the worker by hand have made
      cartId: purchase.carts[cart] as Id<'cart'>,
      attempt,
      leaseToken,
    },
    pageEvidence(more),
  )
}

const pathOf = ({ id }: Pick<Running, 'id'>) => `/v1/purchase_intents/${id}/evidence`
const listed = (purchase: Running, query = '') => app.get(`${pathOf(purchase)}${query}`)
const download = (path: string, key = app.account.keys.secret_test) =>
  fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
const described = (path: string, key?: string) =>
  app.get(path, { headers: { accept: 'application/json' }, ...(key ? { key } : {}) })
const sweep = () => runSweep({ ...app.parts, log: silentLog(), retention: defaultRetention }, sweepEvidence)

async function onlyPathOf(purchase: Running): Promise<string> {
  const { body } = await listed(purchase)
  expect(body.total).toBe(1)
  return `${pathOf(purchase)}/${body.data[0].id}`
}

async function codeOf(path: string, key?: string) {
  const { status, body } = await described(path, key)
  return `${status} ${body.detail?.code}`
}

test('a picture is listed with what was read beside it, and downloaded byte for byte, as a file', async () => {
  const purchase = await runningPurchase(app, buyer)
  const bytes = pngOf(String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code)))
  expect(await record(purchase, { picture: bytes, stage: 'payment' }, { attempt: 2 })).toBe('kept')
  const { status, body } = await listed(purchase)
  expect(status).toBe(200)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const [one] = body.data
  expect(one).toEqual({
    id: expect.stringMatching(/^evd_/),
    object: 'purchase_intent_evidence',
    purchase_intent_id: purchase.id,
    cart_id: purchase.carts[0],
    attempt: 2,
    stage: 'payment',
    at: '2026-11-26T12:00:00.000Z',
    url_host: 'classic.shop.test',
    media_type: 'image/png',
    bytes: bytes.length,
    sha256,
    total_text: '$32.40',
    hosts: ['classic.shop.test', 'cdn.shop.test'],
    expires_at: expect.any(String),
  })
  const path = `${pathOf(purchase)}/${one.id}`
  const answer = await download(path)
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `attachment; filename="${one.id}.png"`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  })
  expect((await described(path)).body).toEqual(one)
})

test('pictures of all carts and attempts of a purchase are listed in the order in which they came, page by page', async () => {
  const purchase = await runningPurchase(app, buyer, { items: [tea, cups] })
  const written: string[] = []
  for (const [index, stage] of evidenceStages.entries()) {
    const cart = index % 2
    await record(purchase, { stage }, { cart, attempt: 1 + (index % 3) })
    written.push(`${stage} ${purchase.carts[cart]} ${1 + (index % 3)}`)
  }
  const read: string[] = []
  for (let offset = 0, more = true; more; offset += 3) {
    const { body } = await listed(purchase, `?limit=3&offset=${offset}`)
    expect(body).toMatchObject({ total: evidenceStages.length, limit: 3, offset })
    for (const { stage, cart_id, attempt } of body.data) read.push(`${stage} ${cart_id} ${attempt}`)
    more = body.has_more
  }
  expect(read).toEqual(written)
})

test('a tool lists what REST lists, and no tool has the picture', async () => {
  const purchase = await runningPurchase(app, buyer)
  for (const stage of ['product', 'review', 'confirmation'] as const) await record(purchase, { stage })
  for (const page of [{}, { limit: 2, offset: 1 }]) {
    const query = new URLSearchParams(Object.entries(page).map(([name, value]) => [name, String(value)]))
    const tool = await app.mcp('v1_list_purchase_intent_evidence', {
      purchase_intent_id: purchase.id,
      ...page,
    })
    expect([tool.status, tool.body]).toEqual([200, (await listed(purchase, `?${query}`)).body])
  }
  const evidence_id = (await listed(purchase)).body.data[0].id
  const args = { purchase_intent_id: purchase.id, evidence_id }
  await expect(app.mcp('v1_get_purchase_intent_evidence', args)).rejects.toThrow('There is no tool')
})

test('only a key with every scope reads pictures', async () => {
  const purchase = await runningPurchase(app, buyer)
  await record(purchase)
  const path = await onlyPathOf(purchase)
  const answers: Record<string, string[]> = {}
  for (const preset of ['full', 'read_only', 'buyer_agent', 'merchant_backend', 'discovery'] as const) {
    const { token } = await app.newKey(app.account, 'test', preset)
    const tool = await app.mcp(
      'v1_list_purchase_intent_evidence',
      { purchase_intent_id: purchase.id },
      { key: token },
    )
    answers[preset] = [
      await codeOf(pathOf(purchase), token),
      await codeOf(path, token),
      `${tool.status} ${tool.body.detail?.code}`,
    ]
  }
  const refused = Array.from({ length: 3 }, () => '403 insufficient_scope')
  expect(answers).toEqual({
    full: Array.from({ length: 3 }, () => '200 undefined'),
    read_only: refused,
    buyer_agent: refused,
    merchant_backend: refused,
    discovery: refused,
  })
})

test('nobody finds pictures of others, of another purchase, of the other mode, or of none', async () => {
  const purchase = await runningPurchase(app, buyer)
  const other = await runningPurchase(app, buyer)
  await record(purchase)
  const path = await onlyPathOf(purchase)
  expect((await listed(other)).body).toMatchObject({ data: [], total: 0, has_more: false })
  const elsewhere = path.replace(purchase.id, other.id)
  const nothing = `${pathOf(purchase)}/evd_01jb2w9m4ye6xs3kq8t7v5c0zd`
  for (const unknown of [elsewhere, nothing, pathOf({ id: 'pi_01jb2w9m4ye6xs3kq8t7v5c0zd' })])
    expect(await codeOf(unknown)).toBe('404 not_found')
  const { secret_live } = app.account.keys
  for (const key of [app.stranger.keys.secret_test, secret_live])
    for (const known of [pathOf(purchase), path]) expect(await codeOf(known, key)).toBe('404 not_found')
  expect((await download(path)).status).toBe(200)
})

test('an attempt has at most 40 pictures of at most a mebibyte, and another one has its own', async () => {
  const purchase = await runningPurchase(app, buyer)
  expect(await record(purchase, { picture: pngOf('large', 1_048_576) })).toBe('kept')
  expect(await record(purchase, { picture: pngOf('large', 1_048_577) })).toBe('dropped')
  expect(await record(purchase, { picture: Buffer.from('<html>') })).toBe('dropped')
  expect(await record(purchase, { picture: Buffer.alloc(0) })).toBe('dropped')
  for (let count = 1; count < 40; count++) expect(await record(purchase)).toBe('kept')
  expect(await record(purchase)).toBe('dropped')
  expect(await record(purchase, {}, { attempt: 2 })).toBe('kept')
  const { body } = await listed(purchase, '?limit=200')
  expect([body.total, body.data.length, body.data[0].bytes]).toEqual([41, 41, 1_048_576])
})

test('a worker that holds the cart no more, or that names the cart of another purchase, writes nothing', async () => {
  const purchase = await runningPurchase(app, buyer)
  const other = await runningPurchase(app, buyer)
  expect(await record(purchase, {}, { leaseToken: 1n })).toBe('not_held')
  expect(await record({ id: purchase.id, carts: other.carts })).toBe('not_held')
  await app.sql('update carts set lease_token = 3 where id = $1', [purchase.carts[0]])
  expect(await record(purchase)).toBe('not_held')
  expect((await listed(purchase)).body.total).toBe(0)
  expect(await record(purchase, {}, { leaseToken: 3n })).toBe('kept')
  expect((await listed(purchase)).body.total).toBe(1)
})

test('what a page made up is no host and no total, and a long number is never shown', async () => {
  const purchase = await runningPurchase(app, buyer)
  const numbers = ['4242 4242 4242 4242', '4242424242424242', `Total ${'9'.repeat(80)}`, '', null, '\0']
  for (const totalText of numbers) await record(purchase, { totalText })
  await record(purchase, { totalText: ' 1.234,56 €\0 ' })
  const long = `${'a'.repeat(254)}.test`
  await record(purchase, {
    urlHost: 'Shop.TEST:8443',
    hosts: ['[::1]:80', 'a.test', 'A.test', 'x\r\ny', '<b>', long],
  })
  const { data } = (await listed(purchase)).body
  expect(data.map(({ total_text }: { total_text: string | null }) => total_text)).toEqual([
    ...numbers.map(() => null),
    '1.234,56 €',
    '$32.40',
  ])
  expect(data.at(-1)).toMatchObject({ url_host: 'shop.test:8443', hosts: ['[::1]:80', 'a.test'] })
})

test('nobody reads a picture in the database, and one that is copied into another row does not open there', async () => {
  const purchase = await runningPurchase(app, buyer)
  await record(purchase, { picture: pngOf('the secret of the kettle') })
  await record(purchase, { picture: pngOf('another page') })
  const rows = await app.sql<{ row: string }>(
    `select encode(sealed, 'escape') as row from purchase_evidence where intent_id = $1`,
    [purchase.id],
  )
  expect(rows).toHaveLength(2)
  expect(rows.filter(({ row }) => /kettle|PNG|iVBORw|a2V0dGxl/.test(row))).toEqual([])
  await app.sql(
    `update purchase_evidence e set sealed = o.sealed from purchase_evidence o
     where e.intent_id = $1 and o.intent_id = e.intent_id and o.id <> e.id`,
    [purchase.id],
  )
  const bugs = app.bugs.length
  for (const { id } of (await listed(purchase)).body.data)
    expect((await download(`${pathOf(purchase)}/${id}`)).status).toBe(500)
  expect(app.bugs.splice(bugs)).toHaveLength(2)
})

test('archiving a profile hides the pictures of its purchases at once, deletes them, and lets none follow', async () => {
  const own = await newBuyer(app)
  const first = await runningPurchase(app, own)
  const second = await runningPurchase(app, own)
  const others = await runningPurchase(app, buyer)
  for (const purchase of [first, second, others]) await record(purchase, { totalText: '$77.77' })
  const path = await onlyPathOf(first)
  expect((await app.post(`/v1/profiles/${own.profileId}/archive`)).status).toBe(200)
  expect(await codeOf(path)).toBe('410 evidence_gone')
  expect((await listed(second)).body).toMatchObject({ data: [], total: 0, has_more: false })
  expect(await record(second)).toBe('not_held')
  await relayOnce(app, [shredWithProfile])
  const left = await app.sql<{ intent_id: string; is_left: boolean; text: string }>(
    `select intent_id, sealed is not null as is_left, concat(total_text, array_to_string(hosts, '')) as text
     from purchase_evidence where intent_id = any($1) order by created_at`,
    [[first.id, second.id, others.id]],
  )
  expect(left).toEqual([
    { intent_id: first.id, is_left: false, text: '' },
    { intent_id: second.id, is_left: false, text: '' },
    { intent_id: others.id, is_left: true, text: '$77.77classic.shop.testcdn.shop.test' },
  ])
  expect(await codeOf(path)).toBe('410 evidence_gone')
  expect((await listed(others)).body.total).toBe(1)
})

test('after 30 days a picture is gone for good, before it was deleted and after', async () => {
  const purchase = await runningPurchase(app, buyer)
  await sweep()
  const before = Date.now()
  await record(purchase)
  const path = await onlyPathOf(purchase)
  const [{ expires_at }] = (await listed(purchase)).body.data
  expect(Date.parse(expires_at)).toBeGreaterThanOrEqual(before + 30 * day * 1000)
  await advanceTestClock(app.databaseUrl, 30 * day - 60)
  expect((await download(path)).status).toBe(200)
  expect((await sweep()).rows).toBe(0)
  await advanceTestClock(app.databaseUrl, 120)
  const later = await runningPurchase(app, buyer)
  for (let count = 0; count < 3; count++) await record(later)
  expect(await codeOf(path)).toBe('410 evidence_gone')
  expect((await listed(purchase)).body).toMatchObject({ data: [], total: 0, has_more: false })
  expect((await sweep()).rows).toBeGreaterThan(0)
  expect(await codeOf(path)).toBe('410 evidence_gone')
  expect((await sweep()).rows).toBe(0)
  expect((await listed(later)).body.total).toBe(3)
})

test('more pictures than a batch holds are all swept', async () => {
  const purchase = await runningPurchase(app, buyer)
  for (let attempt = 1; attempt <= 2; attempt++)
    for (let count = 0; count < 25; count++) await record(purchase, {}, { attempt })
  await advanceTestClock(app.databaseUrl, 30 * day + 60)
  expect((await sweep()).rows).toBeGreaterThanOrEqual(50)
  expect(await app.sql('select from purchase_evidence where sealed is not null')).toEqual([])
})

test('a restored backup has the pictures, and opens them', async () => {
  const purchase = await runningPurchase(app, buyer)
  await record(purchase, { picture: pngOf('a page of a shop') })
  const folder = await mkdtemp(join(tmpdir(), 'evidence-'))
  const target = await createTestDatabase({ empty: true })
  onTestFinished(async () => {
    await rm(folder, { recursive: true })
    await target.drop()
  })
  const onProgress = () => undefined
  const source = join(folder, 'backup')
  await writeBackup({ url: app.databaseUrl, target: source, encryptionKeys: null, onProgress })
  const manifest = await checkBackup(source, onProgress)
  await restoreBackup({ url: target.url, source, manifest, onProgress, verify: async () => undefined })
  const client = new Client({ connectionString: target.url })
  await client.connect()
  const select = 'select id, sealed from purchase_evidence where intent_id = $1'
  const { rows } = await client.query<{ id: string; sealed: Buffer }>(select, [purchase.id])
  await client.end()
  const sealer = app.parts.sealer({ accountId: app.account.accountId, mode: 'test' })
  expect(rows.map(({ id, sealed }) => openPicture(sealer, sealed, id))).toEqual([pngOf('a page of a shop')])
})
