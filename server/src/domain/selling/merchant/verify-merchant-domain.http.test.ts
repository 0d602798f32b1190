import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestAccount, type TestApp } from '../../../../test/harness/app.ts'
import { type Deliverer, startDeliverer } from '../../../../test/harness/deliveries.ts'
import { createEgress } from '../../../platform/egress/egress.ts'
import { readyRecords } from '../../readiness/merchant-readiness/read-readiness.ts'
import { createDomainWork } from './work.ts'

let app: TestApp
let deliverer: Deliverer
let files: Server
/** What DNS and the domains' files say, by domain. */
const records = new Map<string, string[]>()
const served = new Map<string, { status: number; body: string; location?: string }>()
/** A look has read the proof, and reports it when this is over. */
let looking: Promise<void> | null = null
let seller: TestAccount
let key: string
let domain: string
let domains = 0

beforeAll(async () => {
  files = createServer((request, response) => {
    const { status, body, location } = served.get(request.url?.slice(1) ?? '') ?? { status: 404, body: '' }
    response.writeHead(status, location === undefined ? {} : { location }).end(body)
  })
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  const { port } = files.address() as AddressInfo
  app = await startTestApp()
  const egress = createEgress({ allowLoopback: (mode) => mode === 'test', trustedOrigins: [] })
  const work = createDomainWork({
    egress,
    records: readyRecords,
    resolveText: async (name) => {
      const found = records.get(name)
      await looking
      if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      return found
    },
    fileUrlOf: (name) => `http://127.0.0.1:${port}/${name}`,
  })
  deliverer = startDeliverer(app, egress, [work])
  deliverer.worker.start()
})
afterAll(async () => {
  await deliverer.stop()
  files.close()
  await app.stop()
})
beforeEach(async () => {
  seller = await app.newAccount('Seller')
  key = seller.keys.secret_test
  domain = `shop${++domains}.example`
  await app.post('/v1/merchant', { slug: `shop-${domains}`, domain }, { key })
})

const path = '/v1/merchant/verify_domain'
const verify = (as = key) => app.post(path, undefined, { key: as })

async function proof(as = key): Promise<string> {
  const { requirements } = (await app.get('/v1/merchant', { key: as })).body
  const { fix } = requirements.find(({ code }: { code: string }) => code === 'domain_verification')
  return /prokura-verification=[0-9a-f]+/.exec(fix)?.[0] ?? 'nothing'
}

async function eventsOf(): Promise<string[]> {
  const rows = await app.sql<{ type: string }>(
    'select type from events where aggregate_id = $1 order by sequence',
    [`merchant/${seller.accountId}`],
  )
  return rows.map(({ type }) => type)
}

/** As if the proof of the domain had been due for its daily look. */
async function lookAgain(): Promise<void> {
  await app.sql(`update domain_verifications set due_at = prokura_now() where account_id = $1`, [
    seller.accountId,
  ])
  await expect
    .poll(() =>
      app.sql('select 1 from domain_verifications where account_id = $1 and due_at <= prokura_now()', [
        seller.accountId,
      ]),
    )
    .toEqual([])
}

test('a DNS record at the domain verifies it', async () => {
  records.set(domain, ['v=spf1 -all', await proof()])
  const { status, body } = await verify()
  expect(status).toBe(200)
  expect(body.verifications).toMatchObject([
    { kind: 'domain', status: 'passed', stale: false, detail: 'The DNS TXT record was found.' },
  ])
  expect(body.requirements).toContainEqual(
    expect.objectContaining({ code: 'domain_verification', state: 'satisfied' }),
  )
  expect((await app.get('/v1/merchant', { key })).body).toEqual(body)
  expect(await eventsOf()).toEqual([
    'merchant.updated',
    'merchant.domain_verification_requested',
    'merchant.domain_verified',
  ])
})

test('a file at the domain verifies it, also with other lines', async () => {
  served.set(domain, { status: 200, body: `# proofs\n${await proof()}\r\n` })
  expect((await verify()).body.verifications).toMatchObject([
    { kind: 'domain', status: 'passed', detail: 'The file was found.' },
  ])
})

test('without the proof the answer shows the values in both places', async () => {
  const { status, body } = await verify()
  expect(status).toBe(200)
  expect(body.verifications).toMatchObject([
    { kind: 'domain', status: 'failed', stale: false, detail: 'DNS: no TXT record. File: HTTP 404.' },
  ])
  expect(body.verifications[0].checked_at).not.toBeNull()
  expect(
    await app.sql('select 1 from domain_verifications where account_id = $1 and due_at is not null', [
      seller.accountId,
    ]),
  ).toEqual([])
})

test("another merchant's proof, a redirect to the proof and a proof of before prove nothing", async () => {
  const other = await app.newAccount('Other')
  await app.post('/v1/merchant', { domain }, { key: other.keys.secret_test })
  records.set(domain, [await proof(other.keys.secret_test)])
  served.set(`${domain}/real`, { status: 200, body: await proof() })
  served.set(domain, { status: 302, body: '', location: `/${domain}/real` })
  expect((await verify()).body.verifications[0]).toMatchObject({
    status: 'failed',
    detail: 'DNS: no TXT record holds the proof. File: HTTP 302, and redirects are not followed.',
  })
  const before = await proof()
  await app.post('/v1/merchant', { domain: `other-${domain}` }, { key })
  await app.post('/v1/merchant', { domain }, { key })
  served.set(domain, { status: 200, body: before })
  expect((await verify()).body.verifications[0].status).toBe('failed')
})

test('when two merchants prove one domain, one has it, and the other is refused with the reason', async () => {
  const other = await app.newAccount('Other')
  const theirs = other.keys.secret_test
  await app.post('/v1/merchant', { domain }, { key: theirs })
  records.set(domain, [await proof(), await proof(theirs)])
  const answers = await Promise.all([verify(), verify(theirs)])
  const said = answers.map(({ status, body }) =>
    status === 200 ? body.verifications[0].detail : body.detail.code,
  )
  // A merchant that asks after the other one has it is refused at once.
  expect(['domain_in_use', 'Another merchant has proved this domain.']).toContain(
    said.find((one) => one !== 'The DNS TXT record was found.'),
  )
  expect(said.filter((one) => one === 'The DNS TXT record was found.')).toHaveLength(1)
  const loser = said[0] === 'The DNS TXT record was found.' ? theirs : key
  const refused = await verify(loser)
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'domain_in_use'])
})

test('without a domain there is nothing to prove', async () => {
  const { keys } = await app.newAccount('Nobody')
  const refused = await verify(keys.secret_test)
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'domain_missing'])
  await app.post('/v1/merchant', { domain: null }, { key })
  expect((await verify()).body.detail.code).toBe('domain_missing')
})

test('a proof that goes missing makes the verification stale, drops nothing, and heals', async () => {
  records.set(domain, [await proof()])
  await verify()
  const text = records.get(domain) ?? []
  records.delete(domain)
  await lookAgain()
  const { body } = await app.get('/v1/merchant', { key })
  expect(body.verifications).toMatchObject([{ kind: 'domain', status: 'failed', stale: true }])
  const due = body.requirements.find(({ code }: { code: string }) => code === 'domain_verification')
  expect(due).toMatchObject({ state: 'stale' })
  expect(due.message).toContain('counts as unverified from')
  const holders = () =>
    app.sql('select 1 from merchants where account_id = $1 and domain_verified_at is not null', [
      seller.accountId,
    ])
  expect(await holders()).toHaveLength(1)
  await lookAgain()
  records.set(domain, text)
  await lookAgain()
  expect((await app.get('/v1/merchant', { key })).body.verifications).toMatchObject([
    { status: 'passed', stale: false },
  ])
  expect((await eventsOf()).slice(3)).toEqual([
    'merchant.domain_verification_missing',
    'merchant.domain_verification_found',
  ])
})

test('after seven days without its proof a domain counts as unverified, and the merchant has to verify it again', async () => {
  records.set(domain, [await proof()])
  await verify()
  records.delete(domain)
  await app.sql(
    `update domain_verifications set failing_since = prokura_now() - interval '7 days' where account_id = $1`,
    [seller.accountId],
  )
  await lookAgain()
  const { body } = await app.get('/v1/merchant', { key })
  expect(body.verifications).toMatchObject([{ kind: 'domain', status: 'failed', stale: false }])
  expect(body.requirements).toContainEqual(
    expect.objectContaining({ code: 'domain_verification', state: 'currently_due' }),
  )
  expect(await eventsOf()).toContain('merchant.domain_verification_lapsed')
  records.set(domain, [await proof()])
  expect((await verify()).body.verifications).toMatchObject([{ status: 'passed', stale: false }])
})

test('a look at a domain that the merchant has left says nothing about the new one', async () => {
  records.set(domain, [await proof()])
  await verify()
  await app.post('/v1/merchant', { domain: `new-${domain}` }, { key })
  await lookAgain()
  expect((await app.get('/v1/merchant', { key })).body.verifications).toMatchObject([
    { kind: 'domain', status: 'pending', checked_at: null },
  ])
})

test('an idempotency key starts one look, over REST and MCP, and answers the merchant as it is', async () => {
  records.set(domain, [await proof()])
  const given = { key, headers: { 'idempotency-key': 'verify-1' } }
  const first = await app.post(path, undefined, given)
  const again = await app.post(path, undefined, given)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.body).toEqual(first.body)
  const tool = await app.mcp('v1_verify_merchant_domain', { idempotency_key: 'verify-1' }, { key })
  expect([tool.status, tool.body]).toEqual([200, first.body])
  const requested = (await eventsOf()).filter((type) => type.endsWith('_requested'))
  expect(requested).toHaveLength(1)
})

test('the result of a look from before the last request does not count', async () => {
  const held = Promise.withResolvers<void>()
  looking = held.promise
  const first = verify()
  const isClaimed = 'select 1 from domain_verifications where account_id = $1 and lease_until is not null'
  await expect.poll(() => app.sql(isClaimed, [seller.accountId])).toHaveLength(1)
  records.set(domain, [await proof()])
  looking = null
  expect((await verify()).body.verifications).toMatchObject([{ status: 'passed' }])
  held.resolve()
  expect((await first).body.verifications).toMatchObject([{ status: 'passed' }])
  expect((await eventsOf()).filter((type) => type.includes('failed'))).toEqual([])
})

test('needs a key with the right scope', async () => {
  expect((await app.post(path, undefined, { key: null })).status).toBe(401)
  const reader = await app.newKey(seller, 'test', 'read_only')
  const refused = await verify(reader.token)
  expect([refused.status, refused.body.detail.code]).toEqual([403, 'insufficient_scope'])
})
