import { isObject } from '../../../schema/schema-node.ts'
import { notAMessage, type ProtocolAnswer, refusedMessage } from './protocol-answer.ts'

/** The one revision that has batches; what names no revision is of this one. */
export const batchRevision = '2025-03-26'

/** Each message may be a call: no request may ask for more than a client would have under way. */
const messagesMax = 20

/**
 * Answers the messages of a batch one after the other, so that a batch takes no more places at a time than a message. `answerOne` sees
 * each as if it had come alone.
 */
export async function answerBatch(
  revision: string | undefined,
  messages: readonly unknown[],
  answerOne: (message: object) => Promise<ProtocolAnswer>,
): Promise<ProtocolAnswer> {
  const fault = faultOf(revision, messages)
  if (fault !== null) return refusedMessage(fault)
  const answers: string[] = []
  for (const message of messages) {
    const answer = isObject(message) ? await answerOne(message) : refusedMessage(notAMessage)
    const text = typeof answer.body === 'string' ? answer.body : await lastMessage(answer.body)
    if (text !== '') answers.push(text)
  }
  // Nothing but notifications and answers, which nobody answers.
  if (answers.length === 0) return { status: 202, type: null, body: '' }
  return { status: 200, type: 'application/json', body: `[${answers.join(',')}]` }
}

function faultOf(revision: string | undefined, messages: readonly unknown[]): string | null {
  if (revision !== undefined && revision !== batchRevision)
    return `Only revision ${batchRevision} has batches. Send one message at a time.`
  if (messages.length === 0) return 'The batch is empty.'
  if (messages.length > messagesMax) return `A batch has at most ${messagesMax} messages.`
  const greets = messages.some((message) => isObject(message) && message.method === 'initialize')
  return greets ? 'Send initialize by itself, not in a batch.' : null
}

/** What is said on the way to an answer has no place in a batch. */
async function lastMessage(stream: ReadableStream): Promise<string> {
  const said = (await new Response(stream).text()).match(/^data: .*$/gm) ?? []
  return said.at(-1)?.slice('data: '.length) ?? ''
}
