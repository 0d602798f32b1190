import { isRecord } from '../../platform/egress/peer-json.ts'
import {
  paymentFailed,
  paymentRequired,
  readToolChallenges,
  receiptMember,
} from '../../protocols/mpp/tool-payments.ts'
import { parseJson } from '../../schema/strict-json.ts'
import { headerOf, type SiteAnswer } from './send-request.ts'

type Answered = Extract<SiteAnswer, { kind: 'answer' }>
type Message = Readonly<Record<string, unknown>>

/**
 * The answer of a tool as the same answer over HTTP would be: an error that asks for a payment is 402 with its challenges, another one is a
 * refusal, and the result comes with its receipt.
 */
export function asAnswer(said: SiteAnswer): SiteAnswer {
  const message = said.kind === 'answer' && said.status === 200 ? messageIn(said) : null
  if (said.kind !== 'answer' || message === null) return said
  const { error, result } = message
  if (isRecord(error)) return errorAnswer(error)
  return isRecord(result) ? resultAnswer(result) : said
}

/** A tool may answer with one message, or with events of which one is the answer. */
function messageIn(said: Answered): Message | null {
  const isStream = headerOf(said, 'content-type')?.startsWith('text/event-stream') ?? false
  if (!isStream) return parsed(said.body)
  const events = said.body.toString('utf8').replaceAll(/\r\n?/g, '\n').split('\n\n')
  const messages = events.map((event) => {
    const lines = event.split('\n').filter((line) => line.startsWith('data:'))
    return parsed(Buffer.from(lines.map((line) => line.slice('data:'.length)).join('\n')))
  })
  return messages.find((one) => one !== null && ('result' in one || 'error' in one)) ?? null
}

function parsed(bytes: Buffer): Message | null {
  const read = bytes.length === 0 ? null : parseJson(bytes)
  return read?.ok && isRecord(read.value) ? read.value : null
}

const internalError = -32603

function errorAnswer(error: Message): Answered {
  const { code, message } = error
  const body = Buffer.from(JSON.stringify({ detail: message }))
  if (code === paymentRequired || code === paymentFailed)
    return { kind: 'answer', status: 402, headers: {}, body, challenges: readToolChallenges(error) }
  return { kind: 'answer', status: code === internalError ? 500 : 422, headers: {}, body }
}

function resultAnswer(result: Message): Answered {
  const meta = isRecord(result._meta) ? result._meta : {}
  const receipt = meta[receiptMember]
  const isPaid = isRecord(receipt)
  // A tool that has failed and shows no receipt has sold nothing.
  if (result.isError === true && !isPaid)
    return { kind: 'answer', status: 422, headers: {}, body: Buffer.from('{}') }
  const proof = isPaid
    ? { 'payment-receipt': Buffer.from(JSON.stringify(receipt)).toString('base64url') }
    : {}
  const body = Buffer.from(JSON.stringify(result))
  return { kind: 'answer', status: 200, headers: { 'content-type': 'application/json', ...proof }, body }
}
