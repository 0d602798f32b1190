import { setTimeout as wait } from 'node:timers/promises'
import { BadRequest, type Fields, isObject } from '../../fields.ts'
import { type BytesReply, bytes, type Reply, type Visit, type WebRoute } from '../web/site.ts'
import { answerCall } from './answer-call.ts'
import { type Answer, TurnedAway } from './call.ts'
import { endpointPath, type Face } from './face.ts'
import { type Operation, operations } from './operations.ts'
import { capabilitiesAt, firstRelease, type Release } from './releases.ts'
import { type Message, signatureHeaders } from './signature.ts'
import type { Story } from './stories.ts'
import type { UcpShop } from './ucp-shop.ts'

const lateMs = 25_000

/** The operations of a release over plain HTTP. */
export function restRoutes(shop: UcpShop, face: Face, release: Release): WebRoute[] {
  const own = capabilitiesAt(release)
  return operations
    .filter(({ capability }) => own.includes(capability))
    .map((operation) => ({
      method: operation.method,
      path: endpointPath(release, 'rest') + operation.path,
      handle: (visit) => answerRest(shop, { face, release, operation }, visit),
    }))
}

type Addressed = { face: Face; release: Release; operation: Operation }

async function answerRest(shop: UcpShop, addressed: Addressed, visit: Visit): Promise<Reply> {
  const { face, release, operation } = addressed
  try {
    const answer = await answerCall(shop, {
      ...addressed,
      transport: 'rest',
      agentUrl: agentIn(visit),
      key: headerOf(visit, 'idempotency-key') || null,
      id: visit.params.id ?? null,
      body: operation.method === 'GET' ? {} : bodyOf(visit),
      message: messageOf(visit, face),
    })
    return await send(shop, answer, { status: answer.status, body: answer.body })
  } catch (error) {
    if (!(error instanceof TurnedAway || error instanceof BadRequest)) throw error
    const { status, code, message } = error
    const body = release === firstRelease ? { detail: message, code } : { code, content: message }
    const reply = signedReply(shop, { status, body })
    const retryAfter = error instanceof TurnedAway ? error.retryAfter : undefined
    return retryAfter === undefined
      ? reply
      : { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfter) } }
  }
}

/** What is sent, or what becomes of it on its way. Also for tools. */
export async function send(
  shop: UcpShop,
  { ends, story }: Pick<Answer, 'ends' | 'story'>,
  said: { status: number; body: object },
): Promise<Reply> {
  switch (ends) {
    case 'broken':
      return { kind: 'break' }
    case 'garbage':
      return bytes(200, '<!doctype html><title>Welcome</title>{"ucp": {"version"', {
        'content-type': 'application/json',
      })
    case 'late':
      // The order is on disk by then: who asks meanwhile is told.
      await shop.desk.memory.durable()
      await wait(lateMs, undefined, { ref: false })
      return signedReply(shop, said, story)
    case undefined:
      return signedReply(shop, said, story)
    default:
      return ends satisfies never
  }
}

function signedReply(
  shop: UcpShop,
  { status, body }: { status: number; body: object },
  story?: Story,
): BytesReply {
  const content = Buffer.from(JSON.stringify(body))
  const headers = { 'content-type': 'application/json' }
  if (story?.signs === 'never') return bytes(status, content, headers)
  const key = story?.signs === 'wrongly' ? shop.keys.wrong : shop.keys.own
  return bytes(status, content, {
    ...headers,
    ...signatureHeaders({ kind: 'response', status, headers, body: content }, key),
  })
}

export function messageOf(visit: Visit, { host }: Face): Message {
  const headers = Object.fromEntries(Object.keys(visit.headers).map((name) => [name, headerOf(visit, name)]))
  // The name under which it was called, whatever port it came in at.
  const url = new URL(visit.url)
  url.host = host
  return { kind: 'request', method: visit.method, url, headers, body: visit.raw }
}

function headerOf({ headers }: Visit, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function agentIn(visit: Visit): string | null {
  return /(?:^|[,;\s])profile="([^"]+)"/.exec(headerOf(visit, 'ucp-agent') ?? '')?.[1] ?? null
}

function bodyOf({ raw }: Visit): Fields {
  if (raw.length === 0) return {}
  let body: unknown
  try {
    body = JSON.parse(raw.toString('utf8'))
  } catch {
    throw new BadRequest('The body is not JSON')
  }
  if (!isObject(body)) throw new BadRequest('The body must be a JSON object')
  return body
}
