import type { Limits } from '../../contract/limits.ts'
import type { OperationFacts } from '../../contract/operation.ts'
import type { Id } from '../../core/id.ts'
import { refusalOf } from '../../platform/calls/refusal.ts'
import { answerUnread } from './answer-unread.ts'
import type { BaseHeaders } from './base-headers.ts'
import { writeInBatch } from './batch-writes.ts'
import { createBodyRoom } from './body-room.ts'
import { countedAddress } from './client-address.ts'
import { type Compress, createCompress } from './compress.ts'
import type { ConnectionGuard } from './connections.ts'
import type { Dialect, WireAnswer } from './dialect.ts'
import type { Exchange } from './exchange.ts'
import { saysThatItTakes } from './negotiate.ts'
import { type BodyLimits, type BodyThen, collectBody, readBody } from './read-body.ts'
import { lineOf, plainLineOf, type RequestLine } from './request-line.ts'

/** The largest request body, over REST and MCP. */
export const bodyBytesMax = 256 * 1024

/** The account whose credentials were shown, and seem to be good; null: none. */
export type Holder = Id<'acct'> | null

/** What happens to a request before more than its head is read, and how it is answered. */
export type Edge = {
  /** The headers of every answer. */
  readonly base: BaseHeaders
  /** The headers of every private answer. */
  readonly head: Readonly<Record<string, string>>
  /** One for all answers of the process, because they share its bounds. */
  readonly compress: Compress
  /** Whether the caller says that it accepts this media type. */
  takes(exchange: Exchange, type: string): boolean
  /** Credentials that exist were shown: the connection is never pushed out. */
  prove(exchange: Exchange): void
  readBody(exchange: Exchange, holder: Holder, then: BodyThen): void
  /** A form, which comes without a key. */
  readForm(exchange: Exchange, bytesMax: number, then: BodyThen): void
  /** Sends head and body in one call, which Node sends as one packet. */
  write(exchange: Exchange, answered: Answered, head?: Readonly<Record<string, string>>): void
  /** Answers an error where nothing more of the request arrives, or Node may throw it away as it arrives. */
  answer(exchange: Exchange, error: unknown): void
  /** Answers an error and closes the connection, since more of the request may arrive that nobody reads. */
  refuse(exchange: Exchange, error: unknown, how?: Refused): void
}

type Answered = { status: number; headers: Readonly<Record<string, string>>; body: string | Uint8Array }

type Refused = { operation?: OperationFacts }

type EdgeOptions = {
  /** For paths without a dialect of their own. */
  dialect: Dialect
  connections: ConnectionGuard
  base: BaseHeaders
  limits: Pick<Limits, 'heldBodyBytes' | 'anonymousBodyBytes'>
  onRequest: (line: RequestLine) => void
  onBug: (error: unknown) => void
}

export function createEdge({ dialect, connections, base, limits, onRequest, onBug }: EdgeOptions): Edge {
  const room = createBodyRoom(limits.heldBodyBytes)
  const head = { ...base, 'cache-control': 'private, no-store' }

  function limitsOf({ client }: Exchange, holder: Holder): BodyLimits {
    return holder === null
      ? {
          bytesMax: limits.anonymousBodyBytes,
          room,
          holder: { kind: 'address', name: countedAddress(client) },
        }
      : { bytesMax: bodyBytesMax, room, holder: { kind: 'account', name: holder } }
  }

  function sayRefusal({ id, route }: Exchange, error: unknown): WireAnswer {
    const say = route.dialect ?? dialect
    return say(refusalOf(error, onBug), id)
  }

  const edge: Edge = {
    base,
    head,
    compress: createCompress(),
    takes: ({ request }, type) => saysThatItTakes(type, request.headers.accept),
    prove: ({ request }) => connections.prove(request),
    readBody: (exchange, holder, then) =>
      readBody(exchange.request, exchange.response, limitsOf(exchange, holder), then),
    readForm: (exchange, bytesMax, then) =>
      collectBody(exchange.request, null, { ...limitsOf(exchange, null), bytesMax }, then),
    write({ id, response }, { status, headers, body }, from = head) {
      // With this status, an answer has no body.
      const isEmpty = status === 204
      response.writeHead(status, {
        ...from,
        'request-id': id,
        ...(isEmpty ? {} : { 'content-type': json, 'content-length': Buffer.byteLength(body) }),
        ...headers,
      })
      writeInBatch(response, isEmpty ? '' : body)
    },
    answer: (exchange, error) => edge.write(exchange, sayRefusal(exchange, error)),
    refuse(exchange, error, { operation } = {}) {
      const { id, request, response, route } = exchange
      const { status, code, headers, body } = sayRefusal(exchange, error)
      onRequest(
        operation
          ? lineOf(exchange, operation, { status, code, principal: null })
          : plainLineOf(exchange, { route: route.path, status, code }),
      )
      answerUnread(request, response, {
        status,
        head: {
          ...head,
          'request-id': id,
          'content-type': json,
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
        body,
      })
    },
  }
  return edge
}

const json = 'application/json; charset=utf-8'
