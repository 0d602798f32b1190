import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { signMessage } from '../../src/protocols/ucp/sign-message.ts'
import { writeUcpAgent } from '../../src/protocols/ucp/ucp-agent.ts'
import type { TestApp } from './app.ts'

/** A message of a business. */
type Told = {
  url: string
  headers: Record<string, string>
  raw: Buffer
  body: Record<string, unknown>
}

/** A platform elsewhere: its profile on this machine, and its key. */
export type UcpPlatform = {
  /** Of its newest profile; `/{version}` of the others. */
  profileUrl: string
  key: KeyObject
  kid: string
  /** How often the profile was fetched. */
  fetched(): number
  /** Answers instead of the profile. */
  answer(instead: ((request: IncomingMessage, response: ServerResponse) => void) | null): void
  /** What was sent to its webhook address, oldest first. */
  told: Told[]
  /** The statuses of the next answers there; after these, 200. */
  webhookAnswers: number[]
  /** Publishes another key under this name from now on. */
  rotate(kid: string): void
  stop(): Promise<void>
}

const shopping = ['catalog.search', 'catalog.lookup', 'cart', 'checkout', 'order'].map(
  (name) => `dev.ucp.shopping.${name}`,
)
const extensions = ['fulfillment', 'discount'].map((name) => `dev.ucp.shopping.${name}`)

export async function startUcpPlatform(capabilities: readonly string[] = [...shopping, ...extensions]) {
  let { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let instead: Parameters<UcpPlatform['answer']>[0] = null
  let fetches = 0
  const server = createServer((request, response) => {
    if (request.method === 'POST') return void hear(request, response)
    fetches += 1
    if (instead) return instead(request, response)
    const version = /\/(\d{4}-\d{2}-\d{2})$/.exec(request.url ?? '')?.[1] ?? '2026-08-25'
    const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: platform.kid, use: 'sig', alg: 'ES256' }]
    const body = {
      ucp: {
        version,
        services: {},
        capabilities: Object.fromEntries(
          capabilities.map((name) => [
            name,
            [
              {
                version,
                ...(extensions.includes(name) ? { extends: 'dev.ucp.shopping.checkout' } : {}),
                ...configOf(name),
              },
            ],
          ]),
        ),
        payment_handlers: {},
      },
      ...(version === '2026-08-25' ? { keys } : { signing_keys: keys }),
    }
    response.setHeader('content-type', 'application/json')
    response.setHeader('cache-control', 'public, max-age=300')
    response.end(JSON.stringify(body))
  })
  const configOf = (name: string) =>
    name === 'dev.ucp.shopping.order'
      ? { config: { webhook_url: platform.profileUrl.replace('/.well-known/ucp', '/webhooks/orders') } }
      : {}
  async function hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = Buffer.concat(await request.toArray())
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const url = `http://${request.headers.host}${request.url}`
    platform.told.push({ url, headers, raw, body: JSON.parse(raw.toString()) })
    response.statusCode = platform.webhookAnswers.shift() ?? 200
    response.end('{"ucp":{"version":"2026-08-25","status":"success"}}')
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  const port = typeof at === 'object' && at ? at.port : 0
  const platform: UcpPlatform = {
    profileUrl: `http://127.0.0.1:${port}/.well-known/ucp`,
    key: privateKey,
    kid: 'platform-1',
    fetched: () => fetches,
    told: [],
    webhookAnswers: [],
    answer(given) {
      instead = given
    },
    rotate(kid) {
      ;({ publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' }))
      platform.key = privateKey
      platform.kid = kid
    },
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  return platform
}

type Sent = {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  raw?: string
  signed?: boolean
  /** When it was signed, if not now. */
  signedAt?: Date
  /** The release whose profile is named. */
  release?: string
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
type UcpAnswer = { status: number; headers: Headers; body: any }

/** Sends a request of the platform to a business at `path`, such as `/ucp/test/m/rose/catalog/search`. */
export async function askBusiness(
  app: { url: string; parts?: Pick<TestApp['parts'], 'settings'> },
  platform: UcpPlatform,
  path: string,
  { method = 'POST', headers = {}, body, raw, signed = false, signedAt, release }: Sent = {},
): Promise<UcpAnswer> {
  const sent = raw ?? (body === undefined ? '' : JSON.stringify(body))
  const profileUrl = release === undefined ? platform.profileUrl : `${platform.profileUrl}/${release}`
  const own: Record<string, string> = {
    'ucp-agent': writeUcpAgent(profileUrl),
    ...(sent === '' ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
  const message = {
    kind: 'request',
    method,
    url: `${app.parts?.settings.publicUrl ?? app.url}${path}`,
    headers: own,
    body: Buffer.from(sent),
  } as const
  const signature = signed ? signMessage(message, platform, { now: signedAt ?? new Date() }) : {}
  const answer = await fetch(`${app.url}${path}`, {
    method,
    headers: { ...own, ...signature },
    ...(sent === '' ? {} : { body: sent }),
    redirect: 'manual',
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) }
}
