import { Pool } from 'undici'
import { assertDocumented, type Documented, documented, type ToolResult } from '../harness/documented.ts'
import { moved } from './progress.ts'

/** The answer, as bytes and as JSON. */
export type Sent = { status: number; headers: Record<string, string>; text: string; body: unknown }

type Request = {
  method: string
  /** With the query, already encoded. */
  path: string
  key?: string | null
  headers?: Record<string, string>
  body?: string
}

/** A client that sends paths as they are: no normalizing of dots, no second encoding. */
export type Client = {
  rest(request: Request): Promise<Sent>
  /** Calls a tool; the answer is as REST would have given it. */
  tool(name: string, args: Record<string, unknown>, key: string | null): Promise<Sent>
  close(): Promise<void>
}

/** Holds every answer to the document. Suites that plant lies turn this off and look themselves. */
export function openClient(url: string, documents: Documented | null = documented()): Client {
  // Only so that a request that hangs ends. Suites that judge a time measure it themselves.
  const hangMs = 300_000
  const pool = new Pool(url, { connections: 32, pipelining: 1, headersTimeout: hangMs, bodyTimeout: hangMs })
  async function rest({ method, path, key, headers, body }: Request): Promise<Sent> {
    const response = await pool.request({
      method: method === 'POST' || method === 'DELETE' || method === 'GET' ? method : 'PUT',
      path,
      headers: {
        // Where an answer is a file, what describes it is asked for.
        accept: 'application/json',
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.body.text()
    // A client that only reads may wait for something that never comes.
    if (method !== 'GET') moved()
    const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const)
    const sent = {
      status: response.statusCode,
      headers: Object.fromEntries(flat),
      text,
      body: parse(text),
    }
    const header = (name: string) => sent.headers[name.toLowerCase()]
    assertDocumented(
      documents?.answer({ method, path, status: sent.status, header, body: sent.body }) ?? null,
    )
    return sent
  }
  return {
    rest,
    async tool(name, args, key) {
      const sent = await rest({
        method: 'POST',
        path: '/mcp/v1',
        key,
        headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: args },
        }),
      })
      const result = memberOf(sent.body, 'result')
      if (!isToolResult(result)) return { ...sent, ...refusedRequest(sent.body) }
      assertDocumented(documents?.tool(name, result) ?? null)
      const status = Number(result._meta?.http_status)
      const text = result.content?.[0]?.text ?? ''
      return { ...sent, status, body: parse(text), text }
    },
    close: () => pool.close(),
  }
}

/** A refusal from before the tool call has the body that REST has, beside its text. */
function refusedRequest(body: unknown): { body?: unknown; text?: string } {
  const refused = memberOf(memberOf(body, 'error'), 'data')
  return refused === undefined ? {} : { body: refused, text: JSON.stringify(refused) }
}

/** The part of an answer that suites look at. `documented` checks the rest. */
function isToolResult(value: unknown): value is ToolResult {
  return Array.isArray(memberOf(value, 'content'))
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

/** A body without the parts that differ from request to request: its id, and times. */
export function anonymousBody(body: unknown): string {
  return (
    JSON.stringify(body, (name, value: unknown) => {
      if (name === 'request_id') return 'req_'
      return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? 'moment' : value
    }) ?? ''
  )
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
