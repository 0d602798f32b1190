import { afterEach, expect, test } from 'vitest'
import { createEgress, type Egress, type EgressRequest } from '../../platform/egress/egress.ts'
import { EgressFault } from '../../platform/egress/fault.ts'
import { serve, stopAll } from '../../platform/egress/local-servers.testing.ts'
import { createCallerProfiles } from './caller-profiles.ts'

afterEach(stopAll)

/** The world as the egress shows it: profiles at the hosts below `platform.example`, and nothing anywhere else. */
function world() {
  let nowMs = 0
  const fetched: string[] = []
  const isAway = new Set<string>()
  async function request({ url }: EgressRequest): ReturnType<Egress['request']> {
    fetched.push(url)
    const { hostname } = new URL(url)
    if (!hostname.endsWith('platform.example') || isAway.has(url))
      throw new EgressFault({ stage: 'before', code: 'connect' })
    return {
      status: 200,
      headers: { 'cache-control': 'public, max-age=60' },
      body: Buffer.from(JSON.stringify({ ucp: { version: '2026-08-25', capabilities: {} } })),
    } as unknown as Awaited<ReturnType<Egress['request']>> // the rest of an answer is not looked at
  }
  const profiles = createCallerProfiles({ egress: { request }, own: () => null, monotonicMs: () => nowMs })
  return {
    fetched,
    isAway,
    pass: (ms: number) => {
      nowMs += ms
    },
    trust: (url: string) => profiles.trust(url, 'test'),
    /** Null: it was served; otherwise the code of the refusal. */
    async ask(url: string, client: string): Promise<string | null> {
      const found = await profiles.at(url, 'test', { client })
      if (!('kind' in found)) return null
      return found.kind === 'refused' ? found.code : found.kind
    },
  }
}

const known = 'https://known.platform.example/ucp'

test.each([1, 50])(
  'refused addresses that %i clients name stop no platform, known or new',
  async (clients) => {
    const { ask, fetched, pass } = world()
    expect(await ask(known, '203.0.113.1')).toBeNull()
    const codes = new Set<string | null>()
    for (let number = 0; number < 10_000; number++) {
      codes.add(await ask(`https://${number}.refused.example/ucp`, `198.51.100.${number % clients}`))
      if (number % 2_500 !== 0) continue
      expect(await ask(known, '203.0.113.1')).toBeNull()
      expect(
        await ask(`https://new${number}.platform.example/ucp`, `203.0.113.${2 + number / 2_500}`),
      ).toBeNull()
    }
    expect(codes).toEqual(new Set(['profile_unreachable', 'unavailable']))
    expect(fetched.filter((url) => url.includes('refused')).length).toBe(clients === 1 ? 30 : 350)
    expect(fetched.filter((url) => url === known)).toHaveLength(1)
    pass(59_999)
    expect(await ask('https://late.refused.example/ucp', '198.51.100.0')).toBe('unavailable')
  },
)

test('what worked is fetched again, also for an address that has nothing left', async () => {
  const { ask, fetched, isAway, pass } = world()
  expect(await ask(known, '203.0.113.1')).toBeNull()
  pass(60_000)
  for (let number = 0; number < 40; number++) await ask(`https://${number}.refused.example/`, '203.0.113.1')
  expect(await ask(known, '203.0.113.1')).toBeNull()
  expect(fetched.filter((url) => url === known)).toHaveLength(2)
  // What failed when it was fetched last is as new.
  pass(60_000)
  isAway.add(known)
  expect(await ask(known, '203.0.113.2')).toBe('profile_unreachable')
  pass(10_000)
  for (let number = 0; number < 40; number++) await ask(`https://${number}.refused.example/`, '203.0.113.1')
  expect(await ask(known, '203.0.113.1')).toBe('unavailable')
  isAway.delete(known)
  expect(await ask(known, '203.0.113.3')).toBeNull()
})

test('one whose fetches are refused runs out first, and knows when it has a budget again', async () => {
  const { ask, pass } = world()
  const served = async (number: number) => ask(`https://a${number}.platform.example/`, '203.0.113.1')
  for (let number = 0; number < 120; number++) expect(await served(number)).toBeNull()
  expect(await served(120)).toBe('unavailable')
  const refused = async (number: number) => ask(`https://${number}.refused.example/`, '203.0.113.2')
  for (let number = 0; number < 30; number++) expect(await refused(number)).toBe('profile_unreachable')
  expect(await refused(30)).toBe('unavailable')
  pass(60_000)
  expect([await served(120), await refused(30)]).toEqual([null, 'profile_unreachable'])
})

test('many at once count as refused until they are answered', async () => {
  const { ask, fetched } = world()
  await Promise.all(
    Array.from({ length: 500 }, (_, number) => ask(`https://${number}.refused.example/`, '203.0.113.1')),
  )
  expect(fetched).toHaveLength(30)
})

test('an origin is not fetched for those who name many addresses at it, and its own profile still is', async () => {
  const { ask, fetched } = world()
  for (let number = 0; number < 3_000; number++)
    await ask(`https://shop.refused.example/${number}`, `198.51.100.${number % 30}`)
  expect(fetched.length).toBeLessThanOrEqual(20 + 30)
  expect(await ask('https://shop.refused.example/right', '203.0.113.1')).toBe('profile_unreachable')
})

test('profiles that no signature was verified by make room before those that it was, whatever their age', async () => {
  const { ask, fetched, trust, pass } = world()
  await ask(known, '203.0.113.1')
  trust(known)
  for (let minute = 0; minute < 6; minute++) {
    for (let number = 0; number < 250; number++)
      await ask(`https://m${minute}n${number}.platform.example/`, `198.51.${minute}.${number % 50}`)
    pass(60_000)
  }
  fetched.length = 0
  // It is fetched again because its time is over, without a budget: it has kept its place.
  for (let number = 0; number < 40; number++) await ask(`https://${number}.refused.example/`, '203.0.113.1')
  expect(await ask(known, '203.0.113.1')).toBeNull()
  expect(await ask('https://m0n0.platform.example/', '203.0.113.1')).toBe('unavailable')
})

test('nobody learns what listens on this machine: ports of ours, others and none are refused alike, and ours are not reached', async () => {
  const own = await serve((_request, response) => response.end('{"ucp":{"version":"2026-08-25"}}'))
  const others = [
    await serve((_request, response) => response.writeHead(404).end('nothing')),
    await serve((_request, response) => response.writeHead(302, { location: own.origin }).end()),
    await serve((_request, response) => response.end('{"ok":true}')),
    await serve((_request, response) => response.end('x'.repeat(200_000))),
    await serve((request) => request.socket.destroy()),
  ]
  const egress = createEgress({ allowLoopback: () => true, trustedOrigins: [], ownPorts: [own.port] })
  const profiles = createCallerProfiles({ egress, own: () => null })
  const answerTo = (url: string) => profiles.at(url, 'test', { client: '203.0.113.1' })
  const refusal = await answerTo('http://127.0.0.1:1/profile')
  expect(refusal).toMatchObject({ kind: 'refused', code: 'profile_unreachable' })
  const hosts = ['http://127.0.0.1', 'http://localhost', 'http://127.0.0.9', 'https://127.0.0.1']
  for (const host of hosts) expect(await answerTo(`${host}:${own.port}/`)).toEqual(refusal)
  for (const { port, origin } of others) {
    expect(await answerTo(`${origin}/`)).toEqual(refusal)
    // No TLS is spoken there.
    expect(await answerTo(`https://127.0.0.1:${port}/`)).toEqual(refusal)
  }
  expect(own.connections).toBe(0)
  await egress.close()
})
