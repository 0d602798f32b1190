import type { WireAnswer } from '../../http/dialect.ts'
import type { RpcResult } from './protocol-answer.ts'
import type { ToolReply } from './tool-caller.ts'

export function toolReply({ status, headers, body }: WireAnswer): ToolReply {
  const retryAfter = Number(headers['retry-after'])
  const meta = { http_status: status, ...(Number.isInteger(retryAfter) ? { retry_after: retryAfter } : {}) }
  return { body, isError: status >= 400, meta }
}

/**
 * The body of REST, as text and, of a success, as structure: it becomes the structure as it is, without being read and written again. A
 * refusal has no structure: clients would hold it against the tool's output schema, and show the model nothing but that it does not fit.
 */
export function toolResult({ body, isError, meta }: ToolReply): RpcResult {
  const content = JSON.stringify([{ type: 'text', text: body }])
  // guard refusals-without-structure: a refusal reaches a model, though clients hold structured content against the schema of success
  const outcome = isError ? '"isError":true' : `"structuredContent":${body}`
  return { body: `{"content":${content},${outcome}}`, meta }
}
