import type { Settings } from '../../contract/context.ts'
import type { Limits } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { callerSignalOnUse } from '../../platform/calls/caller-signal.ts'
import type { Call } from '../../platform/calls/dispatch.ts'
import type { Answered, Refused } from '../../platform/calls/outcome.ts'
import type { ElementDoor } from '../../platform/doors/element-door.ts'
import type { KeyDoor } from '../../platform/doors/key-door.ts'
import { parseJson } from '../../schema/strict-json.ts'
import { countedAddress } from '../http/client-address.ts'
import type { Dialect, WireAnswer } from '../http/dialect.ts'
import type { Exchange } from '../http/exchange.ts'
import { readRawBody } from '../http/read-raw-body.ts'
import { lineOf } from '../http/request-line.ts'
import type { Http, Surface, SurfaceContext } from '../http/surface.ts'
import { createElementCallers, type ElementCallers } from './element-callers.ts'
import type { ElementsHost } from './elements-host.ts'
import { mountFrames } from './frames.ts'

type ElementsOptions = {
  dialect: { readonly refusal: Dialect; readonly answer: (outcome: Answered | Refused) => WireAnswer }
  keyDoor: KeyDoor
  elementDoor: ElementDoor
  host: ElementsHost
  /** That of the page on which the payment processor takes cards. */
  cardsHost: ElementsHost
  cards: Settings['cards'] | null
  /** Where frames leave card numbers. */
  vaultUrl: string | null
  now: () => Date | Promise<Date>
  limits: Pick<Limits, 'keyGuesses'>
}

/** What components call: what begins them, and the operations that a session opens for the profile it is of. */
export function elementsSurface(options: ElementsOptions): Surface {
  const callers = createElementCallers(options)
  return {
    name: 'elements',
    mount(http, context) {
      mountFrames(http, { ...options, ...context })
      for (const operation of context.operations)
        http.route({
          methods: [operation.method],
          path: elementPath(operation),
          dialect: options.dialect.refusal,
          // The loader asks in a page of the integrator, and the frame in one of ours.
          ...(operation.headers === undefined ? {} : { isForPages: true as const }),
          serve: (exchange) => serve(operation, exchange, http, { ...options, ...context, callers }),
        })
    },
  }
}

/** An operation of a profile or a purchase stands here without it: the session says which. */
function elementPath({ path }: Operation): Operation['path'] {
  return path
    .replace('/v1/profiles/{profile_id}/', '/elements/v1/')
    .replace('/v1/purchase_intents/{purchase_intent_id}', '/elements/v1/purchase_intent') as Operation['path'] // begins with a slash as before
}

type Means = ElementsOptions & SurfaceContext & { callers: ElementCallers }

async function serve(operation: Operation, exchange: Exchange, http: Http, means: Means): Promise<void> {
  const { dialect, dispatch, callers } = means
  let raw: Uint8Array
  let caller: Awaited<ReturnType<ElementCallers['callerOf']>>
  const { authorization, origin } = exchange.request.headers
  const address = countedAddress(exchange.client)
  let parsed: ReturnType<typeof parseJson> | null
  try {
    raw = await readRawBody(http, exchange)
    parsed = raw.length === 0 ? null : parseJson(raw)
    const body = parsed?.ok ? parsed.value : undefined
    caller = await callers.callerOf(operation, { address, authorization, origin, body })
    // A component that is shown for no purchase has none.
    if (operation.path.includes('{purchase_intent_id}') && !('purchase_intent_id' in caller.path))
      throw new Problem('not_found', { param: 'purchase_intent_id' })
  } catch (error) {
    return http.edge.refuse(exchange, error, { operation })
  }
  const { principal } = caller
  const said = Object.entries(caller.path).filter(([name]) => operation.path.includes(`{${name}}`))
  const path = { ...exchange.path, ...Object.fromEntries(said) }
  const call = callOf({ exchange, address, raw, parsed, path, draining: means.draining })
  const outcome = await dispatch(principal, operation, call)
  // None of these operations streams, and none answers with a file.
  if (outcome.kind !== 'answered' && outcome.kind !== 'refused')
    throw new Error(`${operation.id} answers in a form that no component reads`)
  const { status, code, ...answer } = dialect.answer(outcome)
  means.onRequest(lineOf(exchange, operation, { status, code, principal, waitedMs: outcome.waitedMs }))
  http.edge.write(exchange, { status, ...answer })
}

type Received = {
  exchange: Exchange
  address: string
  raw: Uint8Array
  parsed: ReturnType<typeof parseJson> | null
  path: Call['path']
  draining: AbortSignal
}

function callOf({ exchange, address, raw, parsed, path, draining }: Received): Call {
  return {
    requestId: exchange.id,
    address,
    signal: callerSignalOnUse(exchange.response, draining),
    acceptsStream: false,
    accepts: null,
    path,
    query: exchange.query,
    headers: exchange.request.headers,
    body: parsed?.ok ? parsed.value : undefined,
    bodyError: parsed && !parsed.ok ? parsed.error : null,
    rawBody: raw,
    coerce: true,
  }
}
