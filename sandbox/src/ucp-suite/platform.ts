import { createHash, generateKeyPairSync } from 'node:crypto'
import { BadRequest, type Fields, isObject } from '../fields.ts'
import { signatureHeaders } from '../strangers/ucp/signature.ts'
import { exchange } from './exchange.ts'
import { refusalIn } from './refusals.ts'

/** The release that is spoken with the service: the one after the suite's, and the nearest to it. */
export const spokenRelease = '2026-01-23'

type Sent = { body?: object; key?: string | undefined }

/** The platforms that buy at the shop, as the service sees them. */
export type Platforms = {
  /** What the service finds at the address of a platform's profile. */
  profileOf(platform: string): object
  /** One signed call of the shop, as the platform of `caller`. Throws what is refused. */
  ask(caller: string, method: string, path: string, sent?: Sent): Promise<Fields>
}

/**
 * Each caller of the suite is a platform of its own at the service, so that the service keeps them apart. `ownUrl`: where the service
 * finds their profiles.
 */
export async function openPlatforms({
  url,
  slug,
  ownUrl,
}: {
  url: string
  slug: string
  ownUrl: () => string
}): Promise<Platforms> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
  // RFC 7638: the name of a key follows from the key.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  const endpoint = await endpointOf(`${url}/ucp/test/m/${slug}`)
  const addressOf = (platform: string) => `${ownUrl()}/platforms/${platform}`
  // A caller may be named by anything. With another key it is at another address: the service keeps profiles for minutes.
  const nameOf = (caller: string) =>
    createHash('sha256').update(`${kid} ${caller}`).digest('hex').slice(0, 32)
  return {
    profileOf: (platform) => ({
      ucp: {
        version: spokenRelease,
        services: {},
        payment_handlers: {},
        capabilities: capabilitiesOf(`${addressOf(platform)}/orders`),
      },
      signing_keys: [{ kid, kty, crv, x, y, use: 'sig', alg: 'ES256' }],
    }),
    async ask(caller, method, path, { body, key } = {}) {
      const target = new URL(`${endpoint}${path}`)
      const headers = {
        'ucp-agent': `profile="${addressOf(nameOf(caller))}"`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      }
      const content = Buffer.from(body ? JSON.stringify(body) : '')
      const signed = signatureHeaders(
        { kind: 'request', method, url: target, headers, body: content },
        { kid, privateKey },
      )
      const { status, text } = await exchange(target.href, {
        method,
        headers: { ...headers, ...signed },
        ...(body ? { body } : {}),
      })
      const said: unknown = JSON.parse(text)
      if (!isObject(said)) throw new Error(`${method} ${path} was answered with no object`)
      if (status >= 400) throw refusalIn(status, said)
      return said
    },
  }
}

function capabilitiesOf(webhookUrl: string) {
  const version = spokenRelease
  const extension = [{ version, extends: 'dev.ucp.shopping.checkout' }]
  return {
    'dev.ucp.shopping.checkout': [{ version }],
    'dev.ucp.shopping.fulfillment': extension,
    'dev.ucp.shopping.discount': extension,
    'dev.ucp.shopping.order': [{ version, config: { webhook_url: webhookUrl } }],
  }
}

/** Where the shop serves its operations, as its own profile says. */
async function endpointOf(shop: string): Promise<string> {
  const address = `${shop}/.well-known/ucp/${spokenRelease}`
  const { status, text } = await exchange(address, { method: 'GET' })
  if (status !== 200) throw new BadRequest(`The shop has no profile at ${address}: it answered ${status}.`)
  const { ucp }: { ucp: { services: Record<string, { transport: string; endpoint: string }[]> } } =
    JSON.parse(text)
  const rest = ucp.services['dev.ucp.shopping']?.find(({ transport }) => transport === 'rest')
  if (!rest) throw new BadRequest(`The shop at ${shop} does not speak UCP over REST.`)
  return rest.endpoint
}
