import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pour, serve, stopAll } from '../src/platform/egress/local-servers.testing.ts'
import { prokura } from './harness/command-runner.ts'
import { mppSite, profileAt, serveSite } from './harness/registry-sites.ts'
import { callService, makeFolder, runForJson } from './harness/service-calls.ts'
import { type Service, startService } from './harness/up.ts'

let state: string
let service: Service
let remove: () => Promise<void>

beforeAll(async () => {
  ;({ state, remove } = await makeFolder())
  service = await startService({ state, args: ['--port', '0'] })
})
afterAll(async () => {
  await service?.stop('SIGKILL')
  await stopAll()
  await remove()
})

const json = (args: string[]) => runForJson(state, args)
const say = (args: string[]) => prokura([...args, '--state', state])
const inTest = ['--mode', 'test']

describe('registry', () => {
  test('a site that is added is looked at by the worker, and callers find it; one that is removed they do not', async () => {
    const site = await serveSite(mppSite())
    site.documents.set('/.well-known/ucp', profileAt(site.origin))
    const made = await json([
      'registry',
      'add',
      site.origin,
      ...inTest,
      '--name',
      'Weather Shop',
      '--as',
      'Ada',
    ])
    expect(made).toMatchObject({
      object: 'registry_entry',
      mode: 'test',
      origin: site.origin,
      name: 'Weather Shop',
    })
    const read = () => callService(service, { method: 'GET', path: `/v1/registry/${made.id}` })
    await expect.poll(async () => (await read()).status).toBe(200)
    expect((await read()).body).toMatchObject({
      merchant: { name: 'Weather Shop', verified: true },
      protocols: [
        { protocol: 'ucp', status: 'live' },
        { protocol: 'mpp', status: 'live' },
      ],
      payment_provenance: expect.arrayContaining([
        expect.objectContaining({ method: 'tempo', source: 'challenge_402' }),
      ]),
    })
    const listed: { id: string; origin: string }[] = (await json(['registry', 'list', ...inTest])).data
    expect(listed.filter(({ origin }) => !origin.endsWith('.shop.test'))).toMatchObject([{ id: made.id }])
    expect((await json(['registry', 'list'])).data).toEqual([])
    const again = await say(['registry', 'add', site.origin, ...inTest])
    expect([again.code, again.err]).toEqual([
      1,
      `prokura: ${site.origin} is in the registry of test mode already.\n`,
    ])

    expect(await json(['registry', 'remove', site.origin, ...inTest, '--as', 'Ada'])).toEqual({
      id: made.id,
      origin: site.origin,
      removed: true,
    })
    expect((await read()).status).toBe(404)
    expect((await say(['registry', 'remove', site.origin, ...inTest])).code).toBe(1)
    expect(await json(['audit', 'verify'])).toMatchObject({ ok: true })
  })

  test('the hosts that a shop has besides its domain are named with it, and listed', async () => {
    const named = [
      '--host',
      'checkout.tills.example',
      '--host',
      'Pay.Tills.example',
      '--host',
      'pay.tills.example',
    ]
    const add = (site: string, ...more: string[]) => ['registry', 'add', site, ...inTest, ...more]
    const made = await json(add('https://pages.example', '--channel', 'browser', ...named))
    expect(made.hosts).toEqual(['checkout.tills.example', 'pay.tills.example'])
    expect((await say(['registry', 'list', ...inTest])).out).toContain(
      'checkout.tills.example, pay.tills.example',
    )
    for (const wrong of [
      '10.0.0.1',
      'tills.example:8443',
      'http://tills.example',
      'tills.example/pay',
      '*.example',
    ])
      expect((await say(add('https://other.example', '--host', wrong))).code, wrong).not.toBe(0)
    expect((await say(add('https://other.example', '--channel', 'ucp', ...named))).err).toContain(
      'leave out --host',
    )
    await json(['registry', 'remove', 'https://pages.example', ...inTest])
  })

  test('verify looks at once, and says what was found and what is wrong', async () => {
    const site = await serveSite()
    await json(['registry', 'add', site.origin, ...inTest, '--channel', 'ucp'])
    const broken = profileAt(site.origin)
    Object.assign(broken.ucp.capabilities, { 'com.evil.\u001b[31m': [] })
    site.documents.set('/.well-known/ucp', broken)
    await expect
      .poll(async () => (await say(['registry', 'verify', site.origin, ...inTest])).out)
      .toContain('ucp: live, release 2026-08-25, dev.ucp.shopping.checkout')
    const shown = await say(['registry', 'verify', site.origin, ...inTest])
    expect(shown.out).toContain(`${site.origin}/.well-known/ucp: It was read.`)
    expect(shown.out).toContain('The name is not a reversed domain name.')
    expect(shown.out).not.toContain('\u001b')
    expect(await json(['registry', 'verify', site.origin, ...inTest])).toMatchObject({
      protocols: [{ protocol: 'ucp', status: 'live' }],
    })
  })

  test('route says how something can be bought, by what the registry knows of its host', async () => {
    const channels = async (url: string, mode: string[] = inTest) =>
      (await json(['registry', 'route', url, ...mode])).candidates.map(
        ({ channel }: { channel: string }) => channel,
      )
    const site = await serveSite(mppSite())
    site.documents.set('/.well-known/ucp', profileAt(site.origin))
    expect(await channels(`${site.origin}/mug`)).toEqual(['simulated'])
    await json(['registry', 'add', site.origin, ...inTest])
    await json(['registry', 'verify', site.origin, ...inTest])
    expect(await channels(`${site.origin}/mug`)).toEqual(['ucp', 'mpp', 'browser'])
    expect((await say(['registry', 'route', `${site.origin}/mug`, ...inTest])).out).toContain(
      `${site.origin} speaks it`,
    )
    // One mode knows nothing of the other, and a domain nothing of the names below it.
    expect(await channels('https://routed.example/mug', [])).toEqual([])
    await json(['registry', 'add', 'routed.example', '--channel', 'browser'])
    expect(await channels('https://routed.example/mug', [])).toEqual(['browser'])
    expect(await channels('https://www.routed.example/mug', [])).toEqual(['browser'])
    expect(await channels('https://below.routed.example/mug', [])).toEqual([])
    expect(await channels('https://routed.example/mug')).toEqual(['simulated'])
    expect((await say(['registry', 'route', 'https://unknown.example/x'])).out).toContain(
      'knows no way to buy at unknown.example',
    )
  })

  test.each<[string[], string]>([
    [['registry', 'route', 'shop.example'], 'Name what is for sale by its address'],
    [['registry', 'route', 'ftp://shop.example/x'], 'Name what is for sale by its address'],
    [['registry', 'route', 'https://a:b@shop.example/x'], 'Name what is for sale by its address'],
    [['registry', 'add', 'http://shop.example'], 'http://shop.example must use https.'],
    [['registry', 'add', 'http://127.0.0.1:1'], 'http://127.0.0.1:1 must use https.'],
    [['registry', 'add', 'https://127.0.0.1'], 'must not point to a private'],
    [['registry', 'add', '10.0.0.1', ...inTest], 'must not point to a private'],
    [['registry', 'add', 'shop.example/path'], 'must be a domain or an origin, without a path.'],
    [['registry', 'add', 'localhost'], 'localhost must name a public host.'],
    [['registry', 'verify', 'nothing.example'], 'is not in the registry of live mode.'],
  ])('%j is refused in words', async (args, words) => {
    const { code, err } = await say(args)
    expect([code, err.includes(words)]).toEqual([1, true])
  })

  test('a site for the browser alone is never shown', async () => {
    const made = await json(['registry', 'add', 'pages.example', ...inTest, '--channel', 'browser'])
    expect((await callService(service, { method: 'GET', path: `/v1/registry/${made.id}` })).status).toBe(404)
    expect((await say(['registry', 'verify', 'pages.example', ...inTest])).err).toContain(
      'for the browser alone',
    )
  })
})

describe('lint-profile', () => {
  const lint = (...args: string[]) => prokura(['lint-profile', ...args])

  test('a valid profile ends with 0, and an origin stands for its profile', async () => {
    const site = await serveSite()
    site.documents.set('/.well-known/ucp', profileAt(site.origin))
    const { code, out } = await lint(site.origin, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      object: 'profile_check',
      url: `${site.origin}/.well-known/ucp`,
      kind: 'ucp_profile',
      valid: true,
      faults: [],
    })
  })

  test('errors end with 1, each with where, what and how to mend it; older profiles are checked too', async () => {
    const site = await serveSite()
    const older = { '2026-04-08': `${site.origin}/old`, '2026-01-23': `${site.origin}/none` }
    site.documents.set(
      '/.well-known/ucp',
      profileAt(`${site.origin}/`, { more: { supported_versions: older } }),
    )
    site.documents.set('/old', profileAt(site.origin, { version: '2026-01-23' }))
    const { code, out } = await lint(site.origin)
    expect(code).toBe(1)
    expect(out).toContain(`error ${site.origin}/old /ucp/version`)
    expect(out).toContain(`error ${site.origin}/none /`)
    expect(out).toContain('Serve the profile of the version under which supported_versions links to it.')
    expect(out).toContain('2 errors, 0 warnings.')
    expect((await lint(`${site.origin}/.well-known/ucp`, '--role', 'platform', '--json')).code).toBe(1)
  })

  test('a manifest and the OpenAPI document of a paid API are checked as such', async () => {
    const site = await serveSite({ ...mppSite(), '/openapi.json': { openapi: '3.1.0', paths: {} } })
    const manifest = await lint(`${site.origin}/.well-known/mpp.json`, '--json')
    expect([manifest.code, JSON.parse(manifest.out).kind]).toEqual([0, 'mpp_manifest'])
    const api = await lint(`${site.origin}/openapi.json`, '--json')
    expect([api.code, JSON.parse(api.out).kind, JSON.parse(api.out).faults[0].message]).toEqual([
      1,
      'mpp_openapi',
      'No operation is paid.',
    ])
  })

  test.each<[string, () => Promise<string>, string]>([
    [
      'no JSON',
      async () => (await serve((_request, response) => void response.end('<html>'))).origin,
      'It is not JSON',
    ],
    [
      'a redirect',
      async () =>
        (await serve((_request, response) => void response.writeHead(301, { location: '/x' }).end())).origin,
      'a redirect (301)',
    ],
    [
      'a body without an end',
      async () => (await serve((_request, response) => pour(response))).origin,
      'too_large',
    ],
    ['a private address', async () => 'https://10.0.0.1/ucp', 'blocked_address'],
    ['plain http elsewhere', async () => 'http://shop.example/ucp', 'blocked_url'],
  ])('%s is an error in words', async (_what, made, words) => {
    const { code, out } = await lint(await made(), '--json')
    const { valid, faults } = JSON.parse(out)
    expect([code, valid, faults[0].message.includes(words)]).toEqual([1, false, true])
  })

  test('a key that stands twice is a warning: strict readers refuse it', async () => {
    const twice = await serve((_request, response) => {
      response
        .setHeader('content-type', 'application/json')
        .end('{"methods":["stripe/charge"],"methods":["stripe/charge"]}')
    })
    const { code, out } = await lint(`${twice.origin}/mpp.json`)
    expect([code, out.includes('Strict readers refuse it')]).toEqual([0, true])
  })
})
