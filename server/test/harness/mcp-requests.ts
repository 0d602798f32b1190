import type { Answer, TestApp } from './app.ts'

/** What a client of an older revision sends with each request. */
export const legacyHeaders = {
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
}

/** What a client of the newest revision says of itself in each request. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

type Params = Record<string, unknown>

export function legacy(
  app: TestApp,
  method: string,
  params: Params = {},
  given: Parameters<TestApp['request']>[2] = {},
): Promise<Answer> {
  const body = { jsonrpc: '2.0', id: 7, method, params }
  return app.request('POST', '/mcp/v1', { body, ...given, headers: { ...legacyHeaders, ...given.headers } })
}

/** A request of this revision; null: one that names none. */
export function rpc(
  app: TestApp,
  method: string,
  params: Params,
  { revision, ...given }: { revision: string | null; key?: string | null },
): Promise<Answer> {
  const { accept } = legacyHeaders
  return app.request('POST', '/mcp/v1', {
    body: { jsonrpc: '2.0', id: 7, method, params },
    ...given,
    headers: { accept, ...(revision === null ? {} : { 'mcp-protocol-version': revision }) },
  })
}

export function modern(
  app: TestApp,
  method: string,
  params: Params = {},
  key?: string | null,
): Promise<Answer> {
  return app.request('POST', '/mcp/v1', {
    ...(key === undefined ? {} : { key }),
    body: { jsonrpc: '2.0', id: 'seven', method, params: { ...params, _meta: modernMeta } },
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    },
  })
}
