import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { type Refusal, ValidationProblem } from '../../../contract/problem.ts'
import type { Said } from '../../http/dialect.ts'
import { v1Refusal } from '../dialect.ts'

/**
 * What refuses a whole request, in the words of the protocol: a JSON-RPC error that answers no message in particular. Its `data` is the
 * body that REST would have sent, its status REST's.
 */
export function rpcRefusal(refusal: Refusal, requestId: string): Said {
  const rest = v1Refusal(refusal, requestId)
  const { code: name, status, body: data } = rest
  const error = `{"code":${codes[name ?? ''] ?? serverError},"message":${JSON.stringify(messageOf(refusal))},"data":${data}}`
  const said = { ...rest, body: `{"jsonrpc":"2.0","id":null,"error":${error}}` }
  return status === 401 ? withChallenge(said) : said
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
function withChallenge(refused: Said): Said {
  const why = 'The API key is unknown, revoked or expired. There is no sign-in: configure a valid key.'
  const challenge = `Bearer realm="Prokura API key", error="invalid_token", error_description="${why}"`
  return { ...refused, headers: { ...refused.headers, 'www-authenticate': challenge } }
}

/** The sentence for a person. Of several faults the first: only JSON that cannot be read comes here as a list. */
function messageOf(refusal: Refusal): string {
  return refusal instanceof ValidationProblem ? (refusal.issues[0]?.msg ?? refusal.message) : refusal.message
}
