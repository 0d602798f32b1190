import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Limits } from '../../contract/limits.ts'
import type { Operation, OperationAuth } from '../../contract/operation.ts'
import type { Id } from '../../core/id.ts'
import type { Admit } from '../../platform/calls/admit.ts'
import { refusal, type Sent } from '../../platform/calls/refusal.ts'
import { answerUnread } from './answer-unread.ts'
import type { BaseHeaders } from './base-headers.ts'
import { createBodyRoom } from './body-room.ts'
import { type ClientAddresses, countedAddress } from './client-address.ts'
import { type Compress, createCompress } from './compress.ts'
import type { ConnectionGuard } from './connections.ts'
import { saysThatItTakes } from './negotiate.ts'
import { type BodyLimits, type BodyThen, collectBody, readBody } from './read-body.ts'
import { lineOf, plainLineOf, type RequestLine } from './request-line.ts'

/** The largest request body, over REST and MCP. */
export const bodyBytesMax = 256 * 1024

/** Whose key was shown; null: none. */
export type Admitted = Id<'acct'> | null

type AdmitThen = { admitted: (holder: Admitted) => void; refused: (error: unknown) => void }

/** What happens to a request before anything of it but its head is read, and how it is refused. */
export type Edge = {
  /** What every private answer carries. */
  readonly head: Readonly<Record<string, string>>
  /** One for all answers of the process: what it bounds is shared. */
  readonly compress: Compress
  /** Whether the caller says that it takes an answer of this media type. */
  takes(request: FastifyRequest, type: string): boolean
  begin(request: FastifyRequest): void
  admit(request: FastifyRequest, need: OperationAuth | 'any', then: AdmitThen): void
  readBody(request: FastifyRequest, reply: FastifyReply, holder: Admitted, then: BodyThen): void
  /** A form, which comes without a key. */
  readForm(request: FastifyRequest, bytesMax: number, then: BodyThen): void
  /** The body of a request that carries a key or none, whatever it asks for; throws what answers those who are not let in. */
  receive(request: FastifyRequest, reply: FastifyReply): Promise<Uint8Array>
  /** Answers what was thrown, and closes the connection, since there may be more of the request that nobody reads. */
  refuse(request: FastifyRequest, reply: FastifyReply, error: unknown, how?: Refusing): void
}

type Refusing = { operation?: Operation }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Writes the refusals of this route in another protocol's words, whichever hook refuses. */
    rewriteRefusal?: (refused: Sent) => Sent
  }
}

type EdgeOptions = {
  admit: Admit
  clients: ClientAddresses
  connections: ConnectionGuard
  base: BaseHeaders
  limits: Pick<Limits, 'heldBodyBytes' | 'anonymousBodyBytes'>
  onRequest: (line: RequestLine) => void
  onBug: (error: unknown) => void
}

export function createEdge({
  admit,
  clients,
  connections,
  base,
  limits,
  onRequest,
  onBug,
}: EdgeOptions): Edge {
  const room = createBodyRoom(limits.heldBodyBytes)
  const head = { ...base, 'cache-control': 'private, no-store' }

  function limitsOf({ client }: FastifyRequest, holder: Admitted): BodyLimits {
    return holder === null
      ? {
          bytesMax: limits.anonymousBodyBytes,
          room,
          holder: { kind: 'address', name: countedAddress(client) },
        }
      : { bytesMax: bodyBytesMax, room, holder: { kind: 'account', name: holder } }
  }

  const edge: Edge = {
    head,
    compress: createCompress(),
    takes: (request, type) => saysThatItTakes(type, request.headers.accept),
    begin(request) {
      request.startedAt = performance.now()
      request.client = clients.of(request.raw)
    },
    admit(request, need, { admitted, refused }) {
      const { authorization } = request.raw.headers
      const known = (holder: Admitted) => {
        if (holder !== null) connections.prove(request.raw)
        admitted(holder)
      }
      let holder: ReturnType<Admit>
      try {
        holder = admit(need, { authorization, address: request.client })
      } catch (error) {
        return refused(error)
      }
      // Waiting for what is there already would cost every request a turn.
      if (holder instanceof Promise) holder.then(known, refused)
      else known(holder)
    },
    readBody: (request, reply, holder, then) =>
      readBody(request.raw, reply.raw, limitsOf(request, holder), then),
    receive: (request, reply) =>
      new Promise((read, refused) => {
        const admitted = (holder: Admitted) => edge.readBody(request, reply, holder, { read, refused })
        edge.admit(request, 'any', { admitted, refused })
      }),
    readForm: (request, bytesMax, then) =>
      collectBody(request.raw, null, { ...limitsOf(request, null), bytesMax }, then),
    refuse(request, reply, error, { operation } = {}) {
      const { url: route = '', config } = request.routeOptions
      const { rewriteRefusal = asItIs } = config
      const { status, code, headers, body } = rewriteRefusal(refusal(error, request.id, onBug))
      onRequest(
        operation
          ? lineOf(request, operation, { status, code, principal: null })
          : plainLineOf(request, { route, status, code }),
      )
      reply.hijack()
      answerUnread(request.raw, reply.raw, {
        status,
        head: {
          ...head,
          'request-id': request.id,
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
        body,
      })
    },
  }
  return edge
}

function asItIs(refused: Sent): Sent {
  return refused
}
