import type { WireAnswer } from '../../http/dialect.ts'
import { nextStepOf } from './next-step.ts'
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
 * Where a person is needed, a second text says for what and where.
 */
export function toolResult({ body, isError, meta }: ToolReply): RpcResult {
  const step = nextStepOf(body)
  const said = [body, ...(step === null ? [] : [JSON.stringify({ next_step: step })])]
  const content = JSON.stringify(said.map((text) => ({ type: 'text', text })))
  // guard refusals-without-structure: a refusal reaches a model, though clients hold structured content against the schema of success
  const outcome = isError ? '"isError":true' : `"structuredContent":${body}`
  return {
    body: `{"content":${content},${outcome}}`,
    meta: step === null ? meta : { ...meta, next_step: step },
  }
}
