import type { Limits } from '../../contract/limits.ts'
import type { Operation, OperationAuth } from '../../contract/operation.ts'
import type { Id } from '../../core/id.ts'
import type { Admit } from '../../platform/calls/admit.ts'
import { refusal, type Sent } from '../../platform/calls/refusal.ts'
import { answerUnread } from './answer-unread.ts'
import type { BaseHeaders } from './base-headers.ts'
import { writeInBatch } from './batch-writes.ts'
import { createBodyRoom } from './body-room.ts'
import { countedAddress } from './client-address.ts'
import { type Compress, createCompress } from './compress.ts'
import type { ConnectionGuard } from './connections.ts'
import type { Exchange } from './exchange.ts'
import { saysThatItTakes } from './negotiate.ts'
import { type BodyLimits, type BodyThen, collectBody, readBody } from './read-body.ts'
import { lineOf, plainLineOf, type RequestLine } from './request-line.ts'

/** The largest request body, over REST and MCP. */
export const bodyBytesMax = 256 * 1024

/** Whose key was shown; null: none. */
export type Admitted = Id<'acct'> | null

type AdmitThen = { admitted: (holder: Admitted) => void; refused: (error: unknown) => void }

/** What happens to a request before anything of it but its head is read, and how it is answered. */
export type Edge = {
  /** What every answer carries. */
  readonly base: BaseHeaders
  /** What every private answer carries. */
  readonly head: Readonly<Record<string, string>>
  /** One for all answers of the process: what it bounds is shared. */
  readonly compress: Compress
  /** Whether the caller says that it takes an answer of this media type. */
  takes(exchange: Exchange, type: string): boolean
  admit(exchange: Exchange, need: OperationAuth | 'any', then: AdmitThen): void
  readBody(exchange: Exchange, holder: Admitted, then: BodyThen): void
  /** A form, which comes without a key. */
  readForm(exchange: Exchange, bytesMax: number, then: BodyThen): void
  /** The body of a request that carries a key or none, whatever it asks for; throws what answers those who are not let in. */
  receive(exchange: Exchange): Promise<Uint8Array>
  /** Sends head and body in one go, which Node sends as one packet. */
  write(exchange: Exchange, answered: Answered, head?: Readonly<Record<string, string>>): void
  /** Answers what was thrown, where nothing more of the request comes, or Node may throw it away as it comes. */
  answer(exchange: Exchange, error: unknown): void
  /** Answers what was thrown, and closes the connection, since there may be more of the request that nobody reads. */
  refuse(exchange: Exchange, error: unknown, how?: Refused): void
}

type Answered = { status: number; headers: Readonly<Record<string, string>>; body: string | Uint8Array }

type Refused = { operation?: Operation }

type EdgeOptions = {
  admit: Admit
  connections: ConnectionGuard
  base: BaseHeaders
  limits: Pick<Limits, 'heldBodyBytes' | 'anonymousBodyBytes'>
  onRequest: (line: RequestLine) => void
  onBug: (error: unknown) => void
}

export function createEdge({ admit, connections, base, limits, onRequest, onBug }: EdgeOptions): Edge {
  const room = createBodyRoom(limits.heldBodyBytes)
  const head = { ...base, 'cache-control': 'private, no-store' }

  function limitsOf({ client }: Exchange, holder: Admitted): BodyLimits {
    return holder === null
      ? {
          bytesMax: limits.anonymousBodyBytes,
          room,
          holder: { kind: 'address', name: countedAddress(client) },
        }
      : { bytesMax: bodyBytesMax, room, holder: { kind: 'account', name: holder } }
  }

  function refusalOf({ id, route }: Exchange, error: unknown): Sent {
    const refused = refusal(error, id, onBug)
    return route.rewriteRefusal ? route.rewriteRefusal(refused) : refused
  }

  const edge: Edge = {
    base,
    head,
    compress: createCompress(),
    takes: ({ request }, type) => saysThatItTakes(type, request.headers.accept),
    admit({ request, client }, need, { admitted, refused }) {
      const { authorization } = request.headers
      const known = (holder: Admitted) => {
        if (holder !== null) connections.prove(request)
        admitted(holder)
      }
      let holder: ReturnType<Admit>
      try {
        holder = admit(need, { authorization, address: client })
      } catch (error) {
        return refused(error)
      }
      // Waiting for what is there already would cost every request a turn.
      if (holder instanceof Promise) holder.then(known, refused)
      else known(holder)
    },
    readBody: (exchange, holder, then) =>
      readBody(exchange.request, exchange.response, limitsOf(exchange, holder), then),
    receive: (exchange) =>
      new Promise((read, refused) => {
        const admitted = (holder: Admitted) => edge.readBody(exchange, holder, { read, refused })
        edge.admit(exchange, 'any', { admitted, refused })
      }),
    readForm: (exchange, bytesMax, then) =>
      collectBody(exchange.request, null, { ...limitsOf(exchange, null), bytesMax }, then),
    write({ id, response }, { status, headers, body }, from = head) {
      response.writeHead(status, {
        ...from,
        'request-id': id,
        'content-type': json,
        'content-length': Buffer.byteLength(body),
        ...headers,
      })
      writeInBatch(response, body)
    },
    answer: (exchange, error) => edge.write(exchange, refusalOf(exchange, error)),
    refuse(exchange, error, { operation } = {}) {
      const { id, request, response, route } = exchange
      const { status, code, headers, body } = refusalOf(exchange, error)
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
