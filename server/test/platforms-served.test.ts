import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tenthInGate } from './gate/tenth-in-gate.ts'
import { startTestApp, type TestApp } from './harness/app.ts'
import { askBusiness, startUcpPlatform, type UcpPlatform } from './harness/ucp-platform.ts'

const requests = tenthInGate(10_000)
const tenth = requests / 10
const atOnce = 32
const shops = { test: '/ucp/test/m/rose', live: '/ucp/m/lily' } as const

let app: TestApp
/** Where the refused addresses lead: it counts from outside how often the product came, and has no profile. */
let witness: { origin: string; asked(): number; stop(): void }
const platforms: UcpPlatform[] = []
beforeAll(async () => {
  const limits = { discoveryAnonymousMinute: 100_000, discoveryAnonymousHour: 100_000 }
  app = await startTestApp({ limits, trustedProxies: ['127.0.0.1'] })
  await app.post('/v1/merchant', { slug: 'rose', domain: 'rose.example', name: 'Rose' })
  await app.post('/v1/merchant', { slug: 'lily', name: 'Lily' }, { key: app.account.keys.secret_live })
  await app.sql(
    `update merchants set domain = 'lily.example', domain_verified_at = now() where slug = 'lily'`,
  )
  await app.sql(
    `insert into webhook_destinations (account_id, mode, id, name, audience, responds_to_quotes, event_types, endpoint_url, status,
       confirmed_at, seq, created_at, updated_at)
     values ($1, 'live', 'dest_lily', 'Shop', 'merchant', false, '{order.requested,order.confirmed,order.rejected}',
       'https://lily.example', 'enabled', now(), 1, now(), now())`,
    [app.account.accountId],
  )
  witness = await startWitness()
})
afterAll(async () => {
  witness?.stop()
  await Promise.all(platforms.map((platform) => platform.stop()))
  await app?.stop()
})

async function startWitness() {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const stop = () => void server.close().closeAllConnections()
  return { origin: `http://127.0.0.1:${port}`, asked: () => asked, stop }
}

async function start(): Promise<UcpPlatform> {
  const platform = await startUcpPlatform()
  platforms.push(platform)
  return platform
}

type Caller = { profileUrl: string; from: string; mode: keyof typeof shops }

async function search({ profileUrl, from, mode }: Caller): Promise<number> {
  const answer = await fetch(`${app.url}${shops[mode]}/catalog/search`, {
    method: 'POST',
    headers: {
      'ucp-agent': `profile="${profileUrl}"`,
      'content-type': 'application/json',
      'x-forwarded-for': from,
    },
    body: '{"query":"tea"}',
  })
  await answer.arrayBuffer()
  return answer.status
}

/** Requests of strangers whose profiles nobody can read, in both modes; `before` is awaited before each. */
async function flood(clients: number, name: string, before: (sent: number) => void): Promise<Set<number>> {
  const statuses = new Set<number>()
  let sent = 0
  async function send(): Promise<void> {
    while (sent < requests) {
      const number = sent++
      before(number)
      const from = `198.51.${clients}.${number % clients}`
      const path = `${name}/${number}`
      const stranger: Caller =
        number % 3 === 0
          ? { mode: 'live', profileUrl: `https://${number}.${name}.invalid/ucp`, from }
          : { mode: 'test', profileUrl: `${witness.origin}/${path}`, from }
      statuses.add(await search(stranger))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, send))
  return statuses
}

test.each([1, 50])(
  'platforms are served while thousands of requests of strangers with refused profiles come from %i addresses',
  async (clients) => {
    const known = await start()
    const own = `${app.parts.settings.publicUrl}/.well-known/ucp`
    const ask = async (platform: UcpPlatform, from: string) =>
      (
        await askBusiness(app, platform, `${shops.test}/catalog/search`, {
          body: { query: 'tea' },
          headers: { 'x-forwarded-for': from },
          signed: platform === known,
        })
      ).status
    expect(await ask(known, `203.0.${clients}.1`)).toBe(200)
    const beganMs = performance.now()
    const askedBefore = witness.asked()
    const served: Promise<number>[] = []
    const late = await Promise.all(Array.from({ length: 10 }, start))
    const statuses = await flood(clients, `flood${clients}`, (sent) => {
      if (sent % (requests / 100) === 0) {
        served.push(ask(known, `203.0.${clients}.1`))
        served.push(search({ mode: 'live', profileUrl: own, from: `203.0.${clients}.2` }))
      }
      const newcomer = sent % tenth === tenth / 2 ? late[Math.floor(sent / tenth)] : undefined
      if (newcomer) served.push(ask(newcomer, `203.0.${clients}.${10 + Math.floor(sent / tenth)}`))
    })
    const answers = await Promise.all(served)
    expect(answers).toHaveLength(2 * 100 + 10)
    expect(answers.filter((status) => status !== 200)).toEqual([])
    expect([known, ...late].map((platform) => platform.fetched())).toEqual(Array(11).fill(1))
    expect([...statuses].sort()).toEqual([424, 503])
    // In each minute: each address its budget, and all of them together theirs.
    const minutes = 1 + Math.ceil((performance.now() - beganMs) / 60_000)
    const fetched = witness.asked() - askedBefore
    expect(fetched).toBeGreaterThan(0)
    expect(fetched).toBeLessThanOrEqual(minutes * Math.min(clients * 30, 20 + clients))
    // A stranger's address that has nothing left may still come with a profile that works.
    expect(await search({ mode: 'test', profileUrl: known.profileUrl, from: `198.51.${clients}.0` })).toBe(
      200,
    )
  },
)
