import { parseJson } from '../../schema/strict-json.ts'
import { cleanText, isObject, type JsonObject, member } from '../foreign-document.ts'
import type { Challenge } from './challenge.ts'
import { readEncoded } from './charge-request.ts'

/** The members by which the protocol carries payments in messages of tools. */
export const credentialMember = 'org.paymentauth/credential'
export const receiptMember = 'org.paymentauth/receipt'

/** Codes of errors: a payment is needed; one was sent and did not do. */
export const paymentRequired = -32042
export const paymentFailed = -32043

/** A call of a tool, which may be paid; null: it is something else. */
export function readToolCall(body: Uint8Array | null): JsonObject | null {
  const parsed = body === null ? null : parseJson(body)
  const call = parsed?.ok && isObject(parsed.value) ? parsed.value : null
  const isCall = call?.jsonrpc === '2.0' && call.method === 'tools/call' && isObject(call.params)
  return isCall ? call : null
}

/** The same call with an answer to a challenge: the same bytes for the same challenge and payload. */
export function payToolCall(
  call: JsonObject,
  { request, ...challenge }: Challenge,
  payload: Readonly<Record<string, string>>,
): Buffer {
  const params = isObject(call.params) ? call.params : {}
  const meta = isObject(params._meta) ? params._meta : {}
  const native = { ...challenge, request: readEncoded(request, challengeMax) }
  const paid = { ...meta, [credentialMember]: { challenge: native, payload } }
  return Buffer.from(JSON.stringify({ ...call, params: { ...params, _meta: paid } }))
}

const challengeMax = 16_384
const challengesMax = 20

/** The challenges of an error, whose requests are JSON. What cannot be read is left out. */
export function readToolChallenges(error: JsonObject): Challenge[] {
  const data = member(error, 'data')
  const challenges = isObject(data) ? member(data, 'challenges') : undefined
  const listed: unknown[] = Array.isArray(challenges) ? challenges.slice(0, challengesMax) : []
  return listed.flatMap((one) => (isObject(one) ? challengeOf(one) : []))
}

function challengeOf(one: JsonObject): Challenge[] {
  const text = (name: string) => cleanText(member(one, name), challengeMax)
  const [id, realm, method, intent] = ['id', 'realm', 'method', 'intent'].map(text)
  const request = member(one, 'request')
  if (!id || !realm || !method || !intent || !isObject(request)) return []
  const said = ['expires', 'digest', 'description', 'opaque'].flatMap((name) => {
    const value = text(name)
    return value === null ? [] : [[name, value] as const]
  })
  const encoded = Buffer.from(JSON.stringify(request)).toString('base64url')
  return [{ id, realm, method, intent, request: encoded, ...Object.fromEntries(said) }]
}
