import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  mppSite,
  profileAt,
  type RegistryWorld,
  serveSite,
  start,
  startRegistry,
} from '../../../../test/harness/registry-sites.ts'
import { pour, serve } from '../../../platform/egress/local-servers.testing.ts'
import type { EntryRow } from './entry-row.ts'
import { ucpCatalogsIn } from './ucp-catalogs.ts'

let world: RegistryWorld
beforeAll(async () => {
  world = await startRegistry()
})
afterAll(() => world.stop())
beforeEach(async () => {
  await world.app.sql('delete from registry_entries')
  await world.clock.set(start)
})

const hourMs = 3_600_000
const statuses = (row: EntryRow | null) => row?.found.map(({ protocol, status }) => `${protocol} ${status}`)
const problems = (row: EntryRow) => row.evidence.map(({ problem }) => problem)
const eventsOf = async ({ id }: EntryRow) =>
  (
    await world.app.sql<{ type: string }>(
      'select type from events where aggregate_id = $1 order by sequence',
      [id],
    )
  ).map(({ type }) => type)
const catalogs = () => {
  const { pools } = world.app.parts
  const reads = { rows: pools.read, maybe: async () => null }
  return ucpCatalogsIn(reads as never, 'test')
}

test('a UCP business is found with its endpoints and capabilities, how it is paid, and the evidence', async () => {
  const site = await serveSite()
  site.documents.set('/.well-known/ucp', profileAt(site.origin))
  const row = await world.looked(site.origin)
  expect(row).toMatchObject({
    rank: 0,
    speaks: ['ucp'],
    payment_methods: ['card', 'google_pay'],
    payment_instruments: ['card', 'wallet'],
    item_types: ['product'],
    failures: 0,
    due_at: new Date(start.getTime() + 24 * hourMs),
    found: [
      {
        protocol: 'ucp',
        status: 'live',
        version: '2026-08-25',
        endpoints: [
          { transport: 'profile', url: `${site.origin}/.well-known/ucp` },
          { transport: 'rest', url: `${site.origin}/ucp` },
        ],
        last_checked_at: start.toISOString(),
      },
    ],
  })
  const [profile, ...others] = row.evidence
  expect(profile).toMatchObject({ http_status: 200, problem: null, faults: [], at: start.toISOString() })
  expect(profile?.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(others.map(({ http_status }) => http_status)).toEqual([404, 404, 404])
  expect(await eventsOf(row)).toEqual(['registry_entry.added', 'registry_entry.changed'])
  expect(await catalogs()).toEqual([
    {
      id: row.id,
      merchant: { name: row.host, slug: null, domain: row.host, country: null, verified: true },
      categories: ['product'],
      hasCheckout: true,
      endpoint: `${site.origin}/ucp`,
      transport: 'rest',
      version: '2026-08-25',
    },
  ])
})

test('a profile of a release that nobody here speaks is followed to the newest older one, which must have its version', async () => {
  const site = await serveSite()
  const older = { '2026-01-23': `${site.origin}/a`, '2026-04-08': `${site.origin}/b` }
  site.documents.set(
    '/.well-known/ucp',
    profileAt(site.origin, { version: '2027-01-01', more: { supported_versions: older } }),
  )
  site.documents.set('/b', profileAt(`${site.origin}/old`, { version: '2026-04-08' }))
  expect((await world.looked(site.origin)).found[0]).toMatchObject({
    version: '2026-04-08',
    endpoints: [{}, { url: `${site.origin}/old/ucp` }],
  })
  site.documents.set('/b', profileAt(`${site.origin}/old`, { version: '2026-01-23' }))
  await world.clock.advance(24 * hourMs)
  await world.worker.runOnce()
  expect((await world.entry(site.origin))?.found[0]).toMatchObject({ status: 'live', version: '2027-01-01' })
})

test('an MPP site is found by its documents; what it asks for when it is called counts more, and nothing is paid', async () => {
  const site = await serveSite(mppSite())
  const row = await world.looked(site.origin)
  expect(row).toMatchObject({
    site_name: 'Weather',
    speaks: ['mpp'],
    mpp_categories: ['data'],
    item_types: ['api'],
    payment_methods: ['stripe', 'tempo'],
    payment_instruments: ['shared_payment_token', 'stablecoin'],
  })
  expect(row.found[0]?.payment_provenance.map(({ method, source }) => [method, source])).toEqual([
    ['stripe', 'merchant_profile'],
    ['tempo', 'challenge_402'],
  ])
  expect(site.asked.filter((path) => path === '/now')).toHaveLength(1)
})

test('an ordinary API, and a site of pages, speak nothing and are no faults', async () => {
  const page = await serve(
    (_request, response) => void response.setHeader('content-type', 'text/html').end('<html>'),
  )
  const api = await serveSite({ '/openapi.json': { openapi: '3.1.0', paths: { '/a': { get: {} } } } })
  for (const { origin } of [page, api])
    expect(await world.looked(origin)).toMatchObject({ found: [], rank: 2 })
  const asked = await world.looked((await serveSite()).origin, { channel: 'ucp' })
  expect(statuses(asked)).toEqual(['ucp unreachable'])
})

test('an entry for one channel is looked at for that alone, and one for the browser never', async () => {
  const site = await serveSite(mppSite())
  site.documents.set('/.well-known/ucp', profileAt(site.origin))
  expect(statuses(await world.looked(site.origin, { channel: 'mpp' }))).toEqual(['mpp live'])
  expect(site.asked).not.toContain('/.well-known/ucp')
  const shop = await serveSite()
  expect(await world.looked(shop.origin, { channel: 'browser' })).toMatchObject({
    due_at: null,
    looked_at: null,
  })
  expect(shop.asked).toEqual([])
})

describe('hostile sites', () => {
  const listing = (
    body: string | Buffer,
    headers: Record<string, string> = { 'content-type': 'application/json' },
    status = 200,
  ) => serve((_request, response) => void response.writeHead(status, headers).end(body))

  test.each<[string, () => Promise<{ origin: string }>, string]>([
    ['invalid JSON', () => listing('{"ucp":'), 'It is not JSON.'],
    ['JSON of another kind', () => listing('[]'), 'It is not a profile.'],
    [
      'a redirect',
      () => listing('', { location: 'http://169.254.169.254/' }, 302),
      'It answers with a redirect (302), which nobody follows.',
    ],
    ['text that is not UTF-8', () => listing(Buffer.from([0x22, 0xff, 0x22])), 'It is not JSON.'],
    [
      'a compressed bomb',
      () =>
        listing(gzipSync(Buffer.alloc(50_000_000)), {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        }),
      'It is compressed, which was not asked for.',
    ],
    ['a body without an end', () => serve((_request, response) => pour(response)), 'It is too large.'],
    [
      'a size that it announces',
      () => listing('', { 'content-type': 'application/json', 'content-length': '999999999' }),
      'It is too large.',
    ],
    [
      'a connection that it closes',
      () => serve((request) => request.socket.destroy()),
      'It closed the connection.',
    ],
    ['an error', () => listing('', {}, 503), 'It answers with status 503.'],
    [
      'endpoints of private addresses',
      () => listing(JSON.stringify(profileAt('http://10.0.0.1'))),
      'It names no service that can be used.',
    ],
  ])('%s', async (_what, made, problem) => {
    const { origin } = await made()
    const row = await world.looked(origin, { channel: 'ucp' })
    expect(problems(row)).toEqual([problem])
    expect(row).toMatchObject({ rank: 2, speaks: [], payment_methods: [] })
    expect(await catalogs()).toEqual([])
  })

  test('a site that never answers costs its own time and nobody else', async () => {
    const slow = await serve(() => undefined)
    const good = await serveSite()
    good.documents.set('/.well-known/ucp', profileAt(good.origin))
    await world.add(slow.origin, { channel: 'ucp' })
    const row = await world.looked(good.origin, { channel: 'ucp' })
    expect(statuses(row)).toEqual(['ucp live'])
    expect(problems((await world.entry(slow.origin)) as EntryRow)).toEqual([
      'It did not answer within 5 seconds.',
    ])
  })

  test('a site that turns out to be a private address is not called', async () => {
    await world.app.sql('select 1')
    const row = await world.looked('https://10.1.2.3', { channel: 'ucp' })
    expect(problems(row)).toEqual(['Its address is not a public one.'])
  })

  test('a profile with a control character in its texts is stored without them', async () => {
    const site = await serveSite()
    const profile = profileAt(site.origin)
    Object.assign(profile.ucp.capabilities, { 'x\u0000y': [], 'com.evil\u001b': 7 })
    site.documents.set('/.well-known/ucp', profile)
    const row = await world.looked(site.origin, { channel: 'ucp' })
    expect(statuses(row)).toEqual(['ucp live'])
    expect(row.evidence[0]?.faults).toHaveLength(2)
  })
})

describe('the schedule', () => {
  /** A look at each moment when the entry is due, and what it found. */
  async function looksOf(origin: string, count: number): Promise<[hours: number, statuses: string][]> {
    const seen: [number, string][] = []
    for (let look = 0; look < count; look++) {
      const before = await world.entry(origin)
      if (!before?.due_at) throw new Error('nothing is due')
      const at = before.due_at.getTime()
      await world.clock.set(new Date(at - 1))
      expect(await world.worker.runOnce()).toBe(0)
      const began = before.looked_at?.getTime() ?? start.getTime()
      await world.clock.set(new Date(at))
      expect(await world.worker.runOnce()).toBe(1)
      seen.push([(at - began) / hourMs, statuses(await world.entry(origin))?.join() ?? ''])
    }
    return seen
  }

  test('a live site is looked at every day; one that fails is degraded, looked at after one, two, four hours …, and unreachable after seven', async () => {
    const site = await serveSite()
    const profile = profileAt(site.origin)
    site.documents.set('/.well-known/ucp', profile)
    const row = await world.looked(site.origin)
    site.documents.set('/.well-known/ucp', undefined)
    expect(await looksOf(site.origin, 8)).toEqual([
      [24, 'ucp degraded'],
      [1, 'ucp degraded'],
      [2, 'ucp degraded'],
      [4, 'ucp degraded'],
      [8, 'ucp degraded'],
      [16, 'ucp degraded'],
      [24, 'ucp unreachable'],
      [24, 'ucp unreachable'],
    ])
    expect(await world.entry(site.origin)).toMatchObject({ speaks: [], rank: 2 })
    site.documents.set('/.well-known/ucp', profile)
    expect(await looksOf(site.origin, 2)).toEqual([
      [24, 'ucp live'],
      [24, 'ucp live'],
    ])
    expect((await eventsOf(row)).length).toBe(5)
  })

  test('a look never raises what fails: what was invalid stays so', async () => {
    const site = await serveSite({ '/.well-known/ucp': { ucp: {} } })
    expect(statuses(await world.looked(site.origin, { channel: 'ucp' }))).toEqual(['ucp invalid'])
    site.documents.set('/.well-known/ucp', undefined)
    expect(await looksOf(site.origin, 1)).toEqual([[1, 'ucp invalid']])
    expect((await world.entry(site.origin))?.speaks).toEqual([])
  })

  test('two workers never look at one site at once', async () => {
    let open = 0
    let most = 0
    const site = await serve(async (_request, response) => {
      most = Math.max(most, ++open)
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      response.writeHead(404).end()
    })
    for (let hour = 0; hour < 5; hour++) {
      if (hour === 0) await world.add(site.origin, { channel: 'ucp' })
      else await world.clock.advance(24 * hourMs)
      const workers = [world.newWorker(), world.newWorker(), world.newWorker()]
      const ran = await Promise.all(workers.map((worker) => worker.runOnce()))
      expect(ran.reduce((sum, steps) => sum + steps, 0)).toBe(1)
    }
    expect(most).toBe(1)
  })

  test('an entry that is removed while it is looked at stays removed', async () => {
    const reached = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const site = await serve(async (_request, response) => {
      reached.resolve()
      await go.promise
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(profileAt('https://a.example')))
    })
    const row = await world.add(site.origin, { channel: 'ucp' })
    const run = world.worker.runOnce()
    await reached.promise
    expect(await world.remove(row)).toBe(true)
    go.resolve()
    await run
    expect(await world.entry(site.origin)).toBeNull()
    expect(await eventsOf(row)).toEqual(['registry_entry.added', 'registry_entry.removed'])
    expect(await world.remove(row)).toBe(false)
  })
})

test('one origin has one entry in a mode, also if two operators add it at once', async () => {
  const added = await Promise.allSettled([
    world.add('https://twice.example'),
    world.add('https://twice.example'),
  ])
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await world.add('https://twice.example', { mode: 'live', channel: 'browser' })
})
