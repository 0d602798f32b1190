import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { Agent, request } from 'node:https'
import { listen, readBody } from '../src/json-server.ts'
import type { StrangersFacts } from '../src/strangers/strangers-server.ts'
import { checkSignature, signatureHeaders } from '../src/strangers/ucp/signature.ts'
import type { Json } from './run-sandbox.ts'

type Told = { signed: boolean | 'invalid'; headers: Record<string, string | undefined>; body: Json }

export type UcpReply = { status: number; body: Json; signed: boolean | 'invalid' }

type Asked = {
  host?: string
  release?: string
  /** Nothing said: a new one with each request that changes something. */
  key?: string
  signs?: boolean | 'wrongly'
  /** Headers instead of those that are usual. */
  headers?: Record<string, string>
}

const releases = ['2026-08-25', '2026-04-08', '2026-01-23', '2026-01-11']
const usual = ['checkout', 'order', 'fulfillment', 'discount', 'cart', 'catalog.search', 'catalog.lookup']

/** A platform that buys: it has profiles and an address for messages on this machine, and signs what it sends. */
export async function openUcpPlatform(
  { addresses, authority }: Pick<StrangersFacts, 'addresses' | 'authority'>,
  names: readonly string[] = usual,
) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const stranger = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'ES256' }]
  const told: Told[] = []
  let refusesNext = 0
  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host}`)
    const body = await readBody(incoming)
    if (url.pathname !== '/hook') {
      const release = releases.find((one) => url.pathname.endsWith(one)) ?? releases[0]
      response.end(JSON.stringify(profileOf(String(release), `${url.origin}/hook`)))
      return
    }
    if (refusesNext > 0) {
      refusesNext -= 1
      response.writeHead(503).end()
      return
    }
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    )
    const message = { kind: 'request', method: 'POST', url, headers, body } as const
    told.push({ signed: checkSignature(message, shopKeys), headers, body: JSON.parse(body.toString()) })
    response.end('{"ucp": {"version": "2026-08-25"}}')
  })
  const origin = `http://127.0.0.1:${await listen(server, 0)}`
  const agent = new Agent({ keepAlive: false, ca: authority.certificate })
  let shopKeys: unknown[] = []

  function profileOf(release: string, webhookUrl: string) {
    const entries = names.map((name): [string, object[]] => [
      `dev.ucp.shopping.${name}`,
      [{ version: release, ...(name === 'order' ? { config: { webhook_url: webhookUrl } } : {}) }],
    ])
    const list = entries.flatMap(([name, [entry]]) => [{ name, ...entry }])
    return {
      ucp: {
        version: release,
        services: {},
        capabilities: release === '2026-01-11' ? list : Object.fromEntries(entries),
        payment_handlers: {},
      },
      keys,
      signing_keys: keys,
    }
  }

  async function ask(method: string, path: string, body?: object, asked: Asked = {}): Promise<UcpReply> {
    const { host = 'ucp.shop.test', release = '2026-08-25', signs = true } = asked
    const url = new URL(path.startsWith('/.') ? path : `/ucp/${release}${path}`, `https://${host}`)
    const content = Buffer.from(body === undefined ? '' : JSON.stringify(body))
    const isChange = method !== 'GET' && !path.startsWith('/catalog')
    const headers: Record<string, string> = {
      'ucp-agent': `profile="${profileUrl(release)}"`,
      ...(content.length > 0 ? { 'content-type': 'application/json' } : {}),
      ...(isChange ? { 'idempotency-key': asked.key ?? randomUUID() } : {}),
      ...asked.headers,
    }
    const message = { kind: 'request', method, url, headers, body: content } as const
    const key = { kid: 'one', privateKey: signs === 'wrongly' ? stranger : privateKey }
    const signature = signs === false ? {} : signatureHeaders(message, key)
    const answer = await exchange(method, url, { ...headers, ...signature }, content)
    const response = {
      kind: 'response',
      status: answer.status,
      headers: answer.headers,
      body: answer.content,
    } as const
    return {
      status: answer.status,
      body: JSON.parse(answer.content.toString()),
      signed: checkSignature(response, shopKeys),
    }
  }

  function exchange(method: string, url: URL, headers: Record<string, string>, content: Buffer) {
    const [address, port] = (addresses[url.hostname] ?? '').split(':')
    type Came = { status: number; headers: Record<string, string>; content: Buffer }
    return new Promise<Came>((resolve, reject) => {
      const call = request(
        {
          agent,
          host: address,
          port,
          servername: url.hostname,
          path: url.pathname + url.search,
          method,
          headers: { host: url.hostname, ...headers, 'content-length': content.length },
        },
        async (response) => {
          const chunks: Buffer[] = []
          for await (const chunk of response) chunks.push(chunk)
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
            ),
            content: Buffer.concat(chunks),
          })
        },
      )
      call.on('error', reject)
      call.end(content)
    })
  }

  const profileUrl = (release: string) => `${origin}/profiles/${release}`
  const profile = (await ask('GET', '/.well-known/ucp')).body
  shopKeys = Array.isArray(profile.keys) ? profile.keys : []
  return {
    origin,
    told,
    profile,
    profileUrl,
    ask,
    /** Turns the next messages away. */
    refuse: (messages: number) => {
      refusesNext = messages
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

export const ucpBuyer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }

export const ucpAddress = {
  street_address: '12 Analytical Way',
  address_locality: 'Springfield',
  address_region: 'IL',
  postal_code: '62704',
  address_country: 'US',
}
