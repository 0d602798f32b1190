import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Sent } from '../../../platform/calls/refusal.ts'
import { isObject } from '../../../schema/schema-node.ts'

/**
 * What refuses a whole request, in the words of the protocol: a JSON-RPC error that answers no message in particular. Its `data` is the
 * body that REST would have sent, its status REST's.
 */
export function rpcRefusal(refused: Sent): Sent {
  const data: unknown = JSON.parse(refused.body)
  const error = { code: codes[refused.code ?? ''] ?? serverError, message: messageOf(data), data }
  const sent = { ...refused, body: JSON.stringify({ jsonrpc: '2.0', id: null, error }) }
  return refused.status === 401 ? withChallenge(sent) : sent
}

/** JSON-RPC leaves these to servers. */
const serverError = -32_000

const codes: Readonly<Record<string, number>> = {
  validation_error: ProtocolErrorCode.ParseError,
  bad_request: ProtocolErrorCode.InvalidRequest,
  internal_error: ProtocolErrorCode.InternalError,
}

/**
 * Names no metadata of an authorization server, since there is none: clients that find nothing but a 401 look for one, and show their
 * user a sign-in that cannot work instead of these words.
 */
function withChallenge(refused: Sent): Sent {
  const why = 'The API key is unknown, revoked or expired. There is no sign-in: configure a valid key.'
  const challenge = `Bearer realm="Prokura API key", error="invalid_token", error_description="${why}"`
  return { ...refused, headers: { ...refused.headers, 'www-authenticate': challenge } }
}

/** The sentence for a person. Of several faults the first: only JSON that cannot be read comes here as a list. */
function messageOf(body: unknown): string {
  const detail = isObject(body) ? body.detail : undefined
  const said: unknown = Array.isArray(detail) ? detail[0] : detail
  if (!isObject(said)) return 'The request was refused.'
  return String(said.message ?? said.msg)
}
