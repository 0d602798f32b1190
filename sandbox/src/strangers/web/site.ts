import type { IncomingHttpHeaders } from 'node:http'
import { type Html, html } from './html.ts'

/** One request of a browser, or of a program. */
export type Visit = {
  method: string
  url: URL
  params: Readonly<Record<string, string>>
  /** Fields of a form, also when it came as JSON. */
  readonly form: URLSearchParams
  headers: IncomingHttpHeaders
  /** The body as it came. */
  raw: Buffer
  cookies: ReadonlyMap<string, string>
  /** Where it came in. */
  port: number
}

/** `break` ends the connection without an answer. */
export type Reply =
  | { kind: 'page'; status: number; html: Html; headers?: Headers }
  | { kind: 'redirect'; to: string; headers?: Headers }
  | { kind: 'data'; status: number; body: unknown; headers?: Headers }
  | { kind: 'text'; type: string; text: string }
  | BytesReply
  | { kind: 'break' }

export type BytesReply = { kind: 'bytes'; status: number; bytes: Uint8Array; headers: Headers }

type Headers = Readonly<Record<string, string>>

export type WebRoute = {
  method: 'GET' | 'POST' | 'PUT'
  /** `:name` takes one segment. */
  path: string
  handle: (visit: Visit) => Reply | Promise<Reply>
}

/** The pages of a shop, by the names under which they are. */
export type OpenedShop = {
  sites: Readonly<Record<string, readonly WebRoute[]>>
  /** What the shop does by itself in the days after an order. */
  passDays?: (days: number) => Promise<void>
}

export function page(body: Html, status = 200): Reply {
  return { kind: 'page', status, html: body }
}

/** 303: what was posted is not posted again. */
export function redirect(to: string): Reply {
  return { kind: 'redirect', to }
}

export function data(body: unknown, status = 200): Reply {
  return { kind: 'data', status, body }
}

export function text(type: string, content: string): Reply {
  return { kind: 'text', type, text: content }
}

/** What is signed, or no text at all: exactly these bytes, with what the headers say of them. */
export function bytes(status: number, content: Uint8Array | string, headers: Headers = {}): BytesReply {
  return { kind: 'bytes', status, bytes: Buffer.from(content), headers }
}

export function notFound(): Reply {
  return page(
    html`<!doctype html><html lang="en"><title>Not found</title><h1>Page not found</h1><p>This page does not exist.</p></html>`,
    404,
  )
}

export function withCookie(reply: Reply, name: string, value: string): Reply {
  if (reply.kind === 'text' || reply.kind === 'bytes' || reply.kind === 'break') return reply
  const cookie = `${name}=${value}; Path=/; HttpOnly; Secure; SameSite=Lax`
  return { ...reply, headers: { ...reply.headers, 'set-cookie': cookie } }
}

export function findWebRoute(
  routes: readonly WebRoute[],
  method: string,
  path: string,
): { route: WebRoute; params: Record<string, string> } | undefined {
  const segments = path.split('/')
  for (const route of routes) {
    if (route.method !== method && !(method === 'HEAD' && route.method === 'GET')) continue
    const params = paramsOf(route.path.split('/'), segments)
    if (params !== undefined) return { route, params }
  }
  return undefined
}

function paramsOf(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? ''
    if (part.startsWith(':') && segment !== '') params[part.slice(1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}
