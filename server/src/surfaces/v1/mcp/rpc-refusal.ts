import { meaningOf, type Refusal, ValidationProblem } from '../../../contract/problem.ts'
import type { ProblemCatalog } from '../../../contract/problem-codes.ts'
import type { Dialect, WireAnswer } from '../../http/dialect.ts'
import { v1Dialect } from '../dialect.ts'
import { rpcCodes } from './rpc-error.ts'

/**
 * What refuses a whole request, in the words of the protocol: a JSON-RPC error that answers no message in particular. Its `data` is the
 * body that REST would have sent, its status REST's.
 */
export function rpcRefusal(problems: ProblemCatalog): Dialect {
  const v1 = v1Dialect(problems)
  return (refusal, requestId) => {
    const rest = v1.refusal(refusal, requestId)
    const { code: name, status, body: data } = rest
    const message = JSON.stringify(messageOf(refusal, problems))
    const error = `{"code":${codes[name ?? ''] ?? rpcCodes.serverError},"message":${message},"data":${data}}`
    const said = { ...rest, body: `{"jsonrpc":"2.0","id":null,"error":${error}}` }
    return status === 401 ? withChallenge(said) : said
  }
}

const codes: Readonly<Record<string, number>> = {
  validation_error: rpcCodes.parseError,
  bad_request: rpcCodes.invalidRequest,
  internal_error: rpcCodes.internalError,
}

/**
 * Names no metadata of an authorization server, since there is none: clients that find nothing but a 401 look for one, and show their
 * user a sign-in that cannot work instead of these words.
 */
function withChallenge(refused: WireAnswer): WireAnswer {
  const why = 'The API key is unknown, revoked or expired. There is no sign-in: configure a valid key.'
  const challenge = `Bearer realm="Prokura API key", error="invalid_token", error_description="${why}"`
  return { ...refused, headers: { ...refused.headers, 'www-authenticate': challenge } }
}

/** The sentence for a person. Of several faults the first: only JSON that cannot be read comes here as a list. */
function messageOf(refusal: Refusal, problems: ProblemCatalog): string {
  return refusal instanceof ValidationProblem
    ? (refusal.issues[0]?.msg ?? refusal.message)
    : meaningOf(refusal, problems).message
}
