import type { CallToolResult } from '@modelcontextprotocol/server'
import type { CallReply } from '../platform/calls/dispatch.ts'

/** A reply of the pipeline as the result of a tool: the body of REST, as text and as structure. */
export function toolResult({ status, headers, body }: CallReply): CallToolResult {
  const retryAfter = Number(headers['retry-after'])
  return {
    content: [{ type: 'text', text: body }],
    structuredContent: JSON.parse(body),
    ...(status >= 400 ? { isError: true } : {}),
    _meta: { http_status: status, ...(Number.isInteger(retryAfter) ? { retry_after: retryAfter } : {}) },
  }
}
