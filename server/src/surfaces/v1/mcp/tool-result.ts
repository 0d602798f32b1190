import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Said } from '../../http/dialect.ts'

/** What a tool came to: the body of REST as it was written, an object, and what is said beside it. */
export type ToolReply = {
  readonly body: string
  readonly isError: boolean
  readonly meta: Readonly<Record<string, unknown>>
}

export function toolReply({ status, headers, body }: Said): ToolReply {
  const retryAfter = Number(headers['retry-after'])
  const meta = { http_status: status, ...(Number.isInteger(retryAfter) ? { retry_after: retryAfter } : {}) }
  return { body, isError: status >= 400, meta }
}

/**
 * The body of REST, as text and, of a success, as structure. A refusal has no structure: clients would hold it against the tool's output
 * schema, and show the model nothing but that it does not fit.
 */
export function toolResult({ body, isError, meta }: ToolReply): CallToolResult {
  return {
    content: [{ type: 'text', text: body }],
    ...(isError ? { isError } : { structuredContent: JSON.parse(body) }),
    _meta: meta,
  }
}

/** What a revision of the protocol adds to a result. */
type Added = { readonly resultType?: string; readonly _meta?: Readonly<Record<string, unknown>> }

/** The same as JSON: the body becomes the structure as it is, without being read and written again. */
export function toolResultText({ body, isError, meta }: ToolReply, added: Added): string {
  const { _meta, ...rest } = added
  const content = JSON.stringify([{ type: 'text', text: body }])
  const outcome = isError ? '"isError":true' : `"structuredContent":${body}`
  const others = JSON.stringify({ ...rest, _meta: { ...meta, ..._meta } })
  return `{"content":${content},${outcome},${others.slice(1)}`
}
