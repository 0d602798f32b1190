import { isObject } from '../../fields.ts'
import type { Desk } from '../shop/desk.ts'
import { bytes, type Reply, type Visit, type WebRoute } from '../web/site.ts'
import { type Api, apis } from './apis.ts'
import { challengesFor, testify } from './ask-payment.ts'
import {
  bodyDigest,
  type Challenge,
  credentialIn,
  decoded,
  encoded,
  ownChallenge,
  receiptOf,
  scopeOf,
  secretOf,
  termsOf,
} from './challenge.ts'
import { forecastOf } from './forecast.ts'
import { methods, takePayment } from './take-payment.ts'

type Id = string | number | null

const credentialName = 'org.paymentauth/credential'
const tool = 'forecast'
const scope = `tool:${tool}`
const api: Api = apis[tool] ?? { about: '' }

/** The forecast as a tool: what it costs comes as an error, and the credential with the call. */
export function toolsRoute(desk: Desk): WebRoute {
  return { method: 'POST', path: '/mcp', handle: (visit) => answerMessage(desk, visit) }
}

async function answerMessage(desk: Desk, visit: Visit): Promise<Reply> {
  const message = messageIn(visit)
  if (message === undefined) return said(null, { error: { code: -32700, message: 'Parse error' } })
  const { id, method, params } = message
  switch (method) {
    case 'initialize':
      return said(id, {
        result: {
          protocolVersion: '2025-06-18',
          capabilities: {
            tools: {},
            experimental: { payment: { methods: { processor: { intents: ['charge'] } } } },
          },
          serverInfo: { name: desk.host, version: '1.0.0' },
        },
      })
    case 'notifications/initialized':
      return bytes(202, '')
    case 'tools/list':
      return said(id, { result: { tools: [listed] } })
    case 'tools/call':
      return params.name === tool
        ? callTool(desk, id, params)
        : said(id, { error: { code: -32602, message: 'There is no such tool' } })
    default:
      return said(id, { error: { code: -32601, message: 'There is no such method' } })
  }
}

async function callTool(desk: Desk, id: Id, params: Record<string, unknown>): Promise<Reply> {
  const meta = isObject(params._meta) ? params._meta : {}
  const given = meta[credentialName]
  // What is asked for is bound as a body is.
  const digest = bodyDigest(Buffer.from(encoded(params.arguments ?? {})))
  if (given === undefined) return askFor(desk, id, { digest, code: -32042, reason: 'Payment required' })
  const credential = credentialIn(given)
  if (credential === undefined) return said(id, { error: { code: -32602, message: 'Malformed credential' } })
  const { challenge, payload } = credential
  const request = isObject(challenge.request) ? encoded(challenge.request) : challenge.request
  const own = ownChallenge(secretOf(desk.memory), { payload, challenge: { ...challenge, digest, request } })
  const token = payload[methods.processor]
  const isGood = own !== undefined && scopeOf(own) === scope && Date.now() <= Date.parse(own.expires)
  if (!isGood || own.method !== 'processor' || typeof token !== 'string')
    return askFor(desk, id, { digest, code: -32043, reason: 'invalid-challenge' })
  const payment = await takePayment(desk, {
    api: tool,
    challenge: own,
    method: own.method,
    token,
    asksMore: 0,
  })
  if (payment.kind !== 'paid')
    return askFor(desk, id, { digest, code: -32043, reason: 'verification-failed' })
  testify(desk, scope, payment.isRepeated ? 'repeated' : 'paid', { cart: own.id, ...termsOf(own) })
  const forecast = forecastOf(params.arguments)
  return said(id, {
    result: {
      content: [{ type: 'text', text: JSON.stringify(forecast) }],
      structuredContent: forecast,
      _meta: { 'org.paymentauth/receipt': receiptOf(own, payment.reference) },
    },
  })
}

function askFor(
  desk: Desk,
  id: Id,
  { digest, code, reason }: { digest: string; code: number; reason: string },
): Reply {
  const challenges = challengesFor(desk, scope, { api, scope, digest })
  testify(desk, scope, reason)
  const failure = code === -32042 ? {} : { failure: { reason } }
  const data = { httpStatus: 402, challenges: challenges.map(native), ...failure }
  return said(id, { error: { code, message: reason, data } })
}

/** Over JSON the request of a challenge is JSON itself. The digest of the arguments stays with the shop, which knows them. */
function native({ request, digest: _, ...challenge }: Challenge): object {
  return { ...challenge, request: decoded(request) }
}

function said(id: Id, outcome: object): Reply {
  return bytes(200, JSON.stringify({ jsonrpc: '2.0', id, ...outcome }), {
    'content-type': 'application/json',
  })
}

function messageIn({ raw }: Visit) {
  let body: unknown
  try {
    body = JSON.parse(raw.toString('utf8'))
  } catch {
    return undefined
  }
  if (!isObject(body) || typeof body.method !== 'string') return undefined
  const { id, method, params } = body
  const known: Id = typeof id === 'string' || typeof id === 'number' ? id : null
  return { id: known, method, params: isObject(params) ? params : {} }
}

const listed = {
  name: tool,
  description: api.about,
  inputSchema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
}
