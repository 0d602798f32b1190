import type { Tenant } from '../../../src/contract/context.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { meaningOf, Problem } from '../../../src/contract/problem.ts'
import type { ProblemCatalog } from '../../../src/contract/problem-codes.ts'
import type { Scope } from '../../../src/contract/scopes.ts'
import type { Id } from '../../../src/core/id.ts'
import type { Dispatch } from '../../../src/platform/calls/dispatch.ts'
import type { Principal } from '../../../src/platform/calls/principal.ts'
import { parseJson } from '../../../src/schema/strict-json.ts'
import type { Dialect, WireAnswer } from '../../../src/surfaces/http/dialect.ts'
import type { Exchange } from '../../../src/surfaces/http/exchange.ts'
import type { Http, Surface } from '../../../src/surfaces/http/surface.ts'

/** Who may come in, by the word that opens the door. */
export type Members = Map<string, { tenant: Tenant; agent: Id<'agent'>; scopes: readonly Scope[] }>

/**
 * A surface as somebody new writes it: its callers are members of a club, known by a word in a header, and its errors are those of
 * RFC 9457. It knows nothing of API keys and nothing of `/v1`.
 */
export function toySurface(members: Members, problems: ProblemCatalog): Surface {
  const dialect = toyDialect(problems)
  return {
    name: 'toy',
    mount(http, { operations, dispatch, onBug }) {
      for (const operation of operations)
        http.route({
          methods: [operation.method],
          path: `/toy${operation.path.replace('/v1', '')}`,
          dialect,
          async serve(exchange) {
            const principal = memberOf(exchange, members)
            http.edge.prove(exchange)
            const body = await bodyOf(http, exchange, principal)
            await answer(http, exchange, { principal, operation, body, dispatch, dialect, onBug })
          },
        })
    },
  }
}

function memberOf({ request }: Exchange, members: Members): Principal {
  const word = request.headers['toy-word']
  const member = typeof word === 'string' ? members.get(word) : undefined
  if (!member) throw new Problem('unauthorized', { message: 'Who are you?' })
  const { tenant, agent, scopes } = member
  const principal: Principal = {
    kind: 'key',
    tenant,
    actor: { type: 'api_key', id: agent },
    keyId: `key_${word}`,
    profileId: null,
    scopes: new Set(scopes),
    renew: () => principal,
  }
  return principal
}

function bodyOf({ edge }: Http, exchange: Exchange, { tenant }: Principal): Promise<Uint8Array> {
  return new Promise((read, refused) => edge.readBody(exchange, tenant.accountId, { read, refused }))
}

type Asked = {
  principal: Principal
  operation: Operation
  body: Uint8Array
  dispatch: Dispatch
  dialect: Dialect
  onBug: (error: unknown) => void
}

async function answer(http: Http, exchange: Exchange, asked: Asked): Promise<void> {
  const { principal, operation, body, dispatch, dialect } = asked
  const parsed = body.length === 0 ? null : parseJson(body)
  const outcome = await dispatch(principal, operation, {
    path: exchange.path,
    query: exchange.query,
    headers: { 'idempotency-key': exchange.request.headers['toy-once'] },
    body: parsed?.ok ? parsed.value : undefined,
    bodyError: parsed && !parsed.ok ? parsed.error : null,
    rawBody: body,
    coerce: true,
    requestId: exchange.id,
    signal: () => new AbortController().signal,
    address: exchange.client,
    acceptsStream: false,
    accepts: null,
  })
  switch (outcome.kind) {
    case 'answered': {
      const { status, headers, isReplayed } = outcome
      const said = `{"yours":${outcome.body},"again":${isReplayed}}`
      return http.edge.write(exchange, { status, headers, body: said })
    }
    case 'refused':
      return http.edge.write(exchange, dialect(outcome.refusal, outcome.requestId))
    default:
      throw new Error(`the toy has no words for a ${outcome.kind}`)
  }
}

/** As RFC 9457 has it. */
function toyDialect(problems: ProblemCatalog): Dialect {
  return (refusal, requestId): WireAnswer => {
    const { status, message } = refusal instanceof Problem ? meaningOf(refusal, problems) : refused
    const code = refusal instanceof Problem ? refusal.code : 'invalid'
    const faults =
      refusal instanceof Problem ? {} : { faults: refusal.issues.map(({ loc }) => loc.join('.')) }
    return {
      status,
      code,
      headers: { 'content-type': 'application/problem+json' },
      body: JSON.stringify({ type: `toy:${code}`, status, title: message, instance: requestId, ...faults }),
    }
  }
}

const refused = { status: 422, message: 'The request does not match its schema.' }
