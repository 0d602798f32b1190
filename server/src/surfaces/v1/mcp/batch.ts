import { isObject } from '../../../schema/schema-node.ts'
import { accepted, type ProtocolAnswer, refused } from './protocol-answer.ts'
import type { McpHeaders } from './request-meta.ts'
import { revisionNamedIn } from './revisions.ts'
import { RpcError } from './rpc-error.ts'

/** Each message may be a call: no request may ask for more than a client would have under way. */
const messagesMax = 20

/**
 * Answers the messages of a batch one after the other, so that a batch takes no more places at a time than a message. `answerOne` sees
 * each as if it had come alone.
 */
export async function answerBatch(
  headers: McpHeaders,
  messages: readonly unknown[],
  answerOne: (message: unknown) => Promise<ProtocolAnswer>,
): Promise<ProtocolAnswer> {
  const fault = faultOf(headers, messages)
  if (fault !== null) return refused(null, new RpcError('invalidRequest', fault))
  const answers: string[] = []
  for (const message of messages) {
    const { body } = await answerOne(message)
    if (body !== '') answers.push(body)
  }
  // Nothing but notifications and answers, which nobody answers.
  if (answers.length === 0) return accepted
  return { status: 200, type: 'application/json', body: `[${answers.join(',')}]` }
}

function faultOf(headers: McpHeaders, messages: readonly unknown[]): string | null {
  // guard batches-of-one-revision: revisions without batches have none
  if (!revisionNamedIn(headers)?.hasBatches)
    return 'Only revision 2025-03-26 has batches. Send one message at a time.'
  if (messages.length === 0) return 'The batch is empty.'
  // guard short-batches: one request is no more calls than a client has under way
  if (messages.length > messagesMax) return `A batch has at most ${messagesMax} messages.`
  const greets = messages.some((message) => isObject(message) && message.method === 'initialize')
  return greets ? 'Send initialize by itself, not in a batch.' : null
}
