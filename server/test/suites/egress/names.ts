import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEgress, type Egress, type EgressRequest } from '../../../src/platform/egress/egress.ts'
import { EgressFault } from '../../../src/platform/egress/fault.ts'
import { resolveForeignName } from '../../../src/platform/egress/resolve.ts'
import type { Tally } from '../suite.ts'
import type { Canary } from './canary.ts'
import { type Lie, startHostileDns } from './hostile-dns.ts'

/** A global address by its form, but without a route: a connection to it goes nowhere. */
const nowhere = 0x3ffe_0000_0000_0000_0000_0000_0000_0001n
const mapped = 0xffff_7f00_0001n

type Case = { name: string; lie: Lie; expected: readonly string[] }

const blocked = ['blocked_address']

/** Names with hostile DNS. Each is called three times, so that answers may change in between. */
const cases: readonly Case[] = [
  { name: 'loopback.attacker.example', lie: { a: [['127.0.0.1']] }, expected: blocked },
  { name: 'zero.attacker.example', lie: { a: [['0.0.0.0']] }, expected: blocked },
  { name: 'metadata.attacker.example', lie: { a: [['169.254.169.254']] }, expected: blocked },
  { name: 'private.attacker.example', lie: { a: [['10.0.0.1']] }, expected: blocked },
  { name: 'shared.attacker.example', lie: { a: [['100.64.0.1']] }, expected: blocked },
  { name: 'benchmark.attacker.example', lie: { a: [['198.18.0.1']] }, expected: blocked },
  { name: 'multicast.attacker.example', lie: { a: [['224.0.0.1']] }, expected: blocked },
  { name: 'v6loopback.attacker.example', lie: { aaaa: [[1n]] }, expected: blocked },
  { name: 'v6zero.attacker.example', lie: { aaaa: [[0n]] }, expected: blocked },
  { name: 'mapped.attacker.example', lie: { aaaa: [[mapped]] }, expected: blocked },
  { name: 'compatible.attacker.example', lie: { aaaa: [[0x7f00_0001n]] }, expected: blocked },
  {
    name: 'nat64.attacker.example',
    lie: { aaaa: [[(0x64_ff9bn << 96n) | 0x7f00_0001n]] },
    expected: blocked,
  },
  {
    name: 'sixtofour.attacker.example',
    lie: { aaaa: [[(0x2002_7f00_0001n << 80n) | 1n]] },
    expected: blocked,
  },
  { name: 'teredo.attacker.example', lie: { aaaa: [[(0x2001_0000n << 96n) | 1n]] }, expected: blocked },
  { name: 'local.attacker.example', lie: { aaaa: [[(0xfd00n << 112n) | 1n]] }, expected: blocked },
  { name: 'link.attacker.example', lie: { aaaa: [[(0xfe80n << 112n) | 1n]] }, expected: blocked },
  { name: 'alias.attacker.example', lie: { cname: 'localhost', a: [['127.0.0.1']] }, expected: blocked },
  { name: 'alias2.attacker.example', lie: { cname: 'db.internal', a: [['127.0.0.2']] }, expected: blocked },
  { name: 'both.attacker.example', lie: { a: [['127.0.0.1']], aaaa: [[nowhere]] }, expected: blocked },
  { name: 'mixed.attacker.example', lie: { aaaa: [[nowhere, 1n]] }, expected: blocked },
  {
    name: 'rebinding.attacker.example',
    lie: { aaaa: [[nowhere], []], a: [[], ['127.0.0.1']] },
    expected: ['connect', 'timeout', 'blocked_address'],
  },
  {
    name: 'flapping.attacker.example',
    lie: { aaaa: [[1n], [nowhere], [1n]] },
    expected: ['connect', 'timeout', 'blocked_address'],
  },
  { name: 'silent.attacker.example', lie: { silent: true }, expected: ['dns', 'timeout'] },
  { name: 'nothing.attacker.example', lie: {}, expected: ['dns'] },
  { name: 'localhost', lie: { aaaa: [[nowhere]] }, expected: ['blocked_address'] },
  { name: 'shop.localhost', lie: { aaaa: [[nowhere]] }, expected: ['blocked_address'] },
]

/** The names of a hostile zone that lead inside, for deliveries to them. */
export const hostileNames = cases.flatMap(({ name, expected }) =>
  expected === blocked && name.endsWith('.attacker.example') ? [name] : [],
)

const zone = Object.fromEntries(cases.map(({ name, lie }) => [name, lie]))

/** An egress of production with a hostile name server. */
export async function openHostileEgress(): Promise<{
  egress: Egress
  asked(): number
  stop(): Promise<void>
}> {
  const dns = await startHostileDns(zone)
  const egress = createEgress({
    allowLoopback: () => false,
    trustedOrigins: [],
    connectTimeoutMs: 300,
    lookup: (name) => resolveForeignName(name, [dns.server]),
  })
  return {
    egress,
    asked: dns.asked,
    async stop() {
      await egress.close()
      await dns.stop()
    },
  }
}

export async function checkNames(canary: Canary, tally: Tally): Promise<void> {
  const { egress, asked, stop } = await openHostileEgress()
  try {
    await Promise.all(
      cases.map(async ({ name, expected }) => {
        for (const port of ['', ...canary.ports.slice(-2).map((one) => `:${one}`)]) {
          const outcome = await outcomeOf(egress, { url: `https://${name}${port}/hooks` })
          if (expected.includes(outcome)) tally.pass()
          else tally.fail(`name ${name} ended with ${outcome}, not ${expected.join(' or ')}`)
        }
      }),
    )
    if (asked() === 0) tally.fail('name server was never asked')
    tally.figure('questions to the hostile DNS', asked())
  } finally {
    await stop()
  }
}

/** A peer of our own configuration that redirects us to the canary: the redirect is its answer, and we do not follow it. */
export async function checkRedirects(canary: Canary, tally: Tally): Promise<void> {
  const [port = 0] = canary.ports
  const places = [
    `http://127.0.0.1:${port}/`,
    `https://localhost:${port}/`,
    `//127.1:${port}/`,
    'http://[::1]/',
  ]
  const statuses = [300, 301, 302, 303, 307, 308]
  const server = createServer((request, response) => {
    const [, status = '302', place = '0'] = (request.url ?? '').split('/')
    const location = places[Number(place)] ?? ''
    response.writeHead(Number(status), { location, refresh: `0; url=${location}` }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  const egress = createEgress({ allowLoopback: (mode) => mode === 'test', trustedOrigins: [origin] })
  try {
    for (const [place] of places.entries()) {
      for (const status of statuses) {
        for (const peer of [true, false]) {
          const outcome = await outcomeOf(egress, { url: `${origin}/${status}/${place}`, peer, mode: 'test' })
          if (outcome === String(status)) tally.pass()
          else tally.fail(`redirect ${status} to ${places[place]} ended with ${outcome}`)
        }
      }
    }
  } finally {
    await egress.close()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}

/** The status of an answer, or the code of the error. */
export async function outcomeOf(
  egress: Egress,
  request: Partial<EgressRequest> & { url: string },
): Promise<string> {
  try {
    const { status } = await egress.request({
      method: 'POST',
      headers: {},
      body: '{}',
      mode: 'live',
      timeoutMs: 4000,
      maxResponseBytes: 1000,
      ...request,
    })
    return String(status)
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    return error.code
  }
}
