import type { ServerResponse } from 'node:http'
import type { Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { textOnly } from '../../platform/calls/arguments.ts'
import { callerSignalOnUse } from '../../platform/calls/caller-signal.ts'
import type { Call } from '../../platform/calls/dispatch.ts'
import { type Outcome, refusedWith } from '../../platform/calls/outcome.ts'
import { parseJson } from '../../schema/strict-json.ts'
import { countedAddress } from '../http/client-address.ts'
import type { WireAnswer } from '../http/dialect.ts'
import type { Exchange } from '../http/exchange.ts'
import { acceptedType } from '../http/negotiate.ts'
import type { PersonCallers } from '../http/person-callers.ts'
import { letSend } from '../http/read-body.ts'
import { type OpenedContent, readContent } from '../http/read-content.ts'
import { lineOf } from '../http/request-line.ts'
import { writeStream } from '../http/stream.ts'
import type { Http, Surface, SurfaceContext } from '../http/surface.ts'
import { writeDownload } from '../http/write-download.ts'
import type { Admission } from './admit.ts'
import type { Credentials } from './credentials.ts'
import type { V1Dialect } from './dialect.ts'

type RestOptions = {
  dialect: V1Dialect
  credentials: Pick<Credentials, 'authenticate'>
  admission: Pick<Admission, 'admit'>
  people: PersonCallers
  /** The largest body that is a file. */
  contentBytesMax: number
}

/** REST: every operation at its path. */
export function restSurface(options: RestOptions): Surface {
  return {
    name: 'v1',
    mount(http, context) {
      for (const operation of context.operations) {
        const { method, path } = operation
        http.route({
          // Node omits the body of an answer to HEAD.
          methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
          path,
          dialect: options.dialect.refusal,
          ...(takesPages(operation) ? { isForPages: true } : {}),
          serve: serverOf(operation, http, { ...context, ...options }),
        })
      }
    },
  }
}

/** What a caller without a secret key may call, a page may call. */
function takesPages({ auth }: Operation): boolean {
  return auth === 'optional' || auth === 'none'
}

const noBody = new Uint8Array()
/** The connection is not used again. */
const lastAnswer = { connection: 'close' }

function serverOf(operation: Operation, { edge }: Http, options: RestOptions & SurfaceContext) {
  const { admission, credentials, dialect, dispatch, draining, people } = options
  const takesBody = operation.method !== 'GET'
  const types = typesOf(operation)
  const canVary = types.length > 1 || takesPages(operation)
  return (exchange: Exchange): void => {
    const { request, response } = exchange
    admission.admit(exchange, operation.auth, {
      admitted: (holder) => {
        if (!takesBody) void answer(noBody)
        else if (operation.content) answerContent(operation.content)
        else edge.readBody(exchange, holder, { read: answer, refused })
      },
      refused,
    })

    function refused(error: unknown): void {
      edge.refuse(exchange, error, { operation })
    }

    function answerContent(types: Readonly<Record<string, string>>): void {
      try {
        const content = readContent(request, types, options.contentBytesMax)
        letSend(request, response)
        void answer(noBody, content)
      } catch (error) {
        refused(error)
      }
    }

    async function answer(raw: Uint8Array, content?: OpenedContent): Promise<void> {
      try {
        const type = types.length === 1 ? json : acceptedType(types, request.headers.accept)
        if (type === null) return refused(notAcceptable(types))
        const call = callOf(operation, { exchange, raw, content, type, draining })
        const { authorization, origin } = request.headers
        const signed =
          operation.auth === 'signed'
            ? { path: call.path, headers: textOnly(call.headers), rawBody: raw }
            : null
        const person = operation.auth === 'none' ? null : people.callerOf(exchange)
        const who = person ?? credentials.authenticate(operation, { authorization, origin, signed })
        const known = who instanceof Promise ? await who : who
        const principal = known instanceof Error ? null : known
        const outcome: Outcome =
          known instanceof Error ? refusedWith(known, exchange.id) : await dispatch(known, operation, call)
        const said =
          outcome.kind === 'answered' || outcome.kind === 'refused' ? dialect.answer(outcome) : opened
        const { status, code } = said
        const { waitedMs } = outcome
        options.onRequest(lineOf(exchange, operation, { status, code, principal, waitedMs }))
        if (outcome.kind === 'stream')
          await writeStream(exchange, {
            source: outcome.stream,
            head: edge.head,
            headers: outcome.headers,
            draining,
          })
        else if (outcome.kind === 'download') await writeDownload(exchange, outcome.download, edge.head)
        else {
          const vary = canVary ? varyOf(response, types) : ''
          const chosen = vary === '' ? said : withHeader(said, { vary })
          // An operation that changes something may answer with a secret that is shown once, so its answers are never compressed.
          // guard secrets-are-not-packed: the length of an answer tells nothing of a secret that is shown in it this once
          const isPlain = !operation.readOnly || status !== 200
          const packing = isPlain ? null : edge.compress(chosen, request.headers['accept-encoding'])
          const ready = packing ? await packing : chosen
          // A connection whose body was not read to its end is not used again either.
          const isLast = draining.aborted || (content !== undefined && !request.readableEnded)
          edge.write(exchange, ready, isLast ? { ...edge.head, ...lastAnswer } : edge.head)
        }
      } catch (error) {
        if (!(error instanceof Problem)) options.onBug(error)
        if (response.headersSent) response.destroy()
        else edge.answer(exchange, new Problem('internal_error'))
      }
    }
  }
}

const json = 'application/json'
const eventStream = 'text/event-stream'

/** The media types that an operation can answer in, where there is more than one to choose from. */
function typesOf({ streams, downloads, answersFile }: Operation): readonly string[] {
  const others = [...(streams ? [eventStream] : []), ...downloads]
  return answersFile ? [...others, json] : [json, ...others]
}

/** The logged outcome of an answer that is still being made. */
const opened = { status: 200, headers: {}, body: '', code: null }

/** With what the server has said already, before the call. */
function varyOf(response: ServerResponse, types: readonly string[]): string {
  const said = response.getHeader('vary')
  return [...(types.length > 1 ? ['Accept'] : []), ...(said === undefined ? [] : [said])].join(', ')
}

function withHeader(said: WireAnswer, header: Record<string, string>): WireAnswer {
  return { ...said, headers: { ...said.headers, ...header } }
}

function notAcceptable(types: readonly string[]): Problem {
  const message = `This operation answers in ${types.join(', ')}. Name one of them in the Accept header, or send none.`
  return new Problem('not_acceptable', { message })
}

type Received = {
  exchange: Exchange
  raw: Uint8Array
  content: OpenedContent | undefined
  /** The media type of the answer. */
  type: string
  draining: AbortSignal
}

function callOf(operation: Operation, { exchange, raw, content, type, draining }: Received): Call {
  const parsed = raw.length === 0 ? null : parseJson(raw)
  const { headers } = exchange.request
  const acceptsStream = type === eventStream
  return {
    requestId: exchange.id,
    address: countedAddress(exchange.client),
    // guard gone-callers: a client that has gone leaves its place to others
    signal: callerSignalOnUse(exchange.response, draining),
    acceptsStream,
    accepts: operation.downloads.includes(type) ? type : null,
    path: exchange.path,
    query: queryOf(exchange, content),
    headers,
    body: parsed?.ok ? parsed.value : undefined,
    bodyError: parsed && !parsed.ok ? parsed.error : null,
    rawBody: raw,
    ...(content ? { content: content.chunks } : {}),
    coerce: true,
  }
}

/** The format in the Content-Type is an argument like any other; a request that names one in the query as well gets that one. */
function queryOf({ query }: Exchange, content: OpenedContent | undefined): Record<string, unknown> {
  return content ? { format: content.format, ...query } : query
}
