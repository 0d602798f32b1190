import { setTimeout as wait } from 'node:timers/promises'
import { postJson } from '../http-client.ts'
import { destinationKey, type Entry, type Memory, type OwedAnswer } from './memory.ts'
import { sign } from './signature.ts'

export type AnswerSender = { send(owed: readonly OwedAnswer[]): void; stop(): Promise<void> }

/** Sends the answers that we owe. An answer is owed until the service has decided about it, and is sent again after a restart. */
export function startAnswerSender(memory: Memory): AnswerSender {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const send = (owed: readonly OwedAnswer[]) => {
    const run = sendInOrder(memory, owed, stopping.signal).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error
    })
    running.add(run)
    void run.finally(() => running.delete(run))
  }
  for (const owed of Map.groupBy(memory.owed.values(), (answer) => answer.eventId).values()) send(owed)
  return {
    send,
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

async function sendInOrder(memory: Memory, owed: readonly OwedAnswer[], signal: AbortSignal): Promise<void> {
  // A crash between sending and remembering would otherwise send an answer to an event that we do not know we accepted.
  await memory.durable()
  for (const answer of owed) {
    await waitUntil(new Date(answer.dueAt), signal)
    await sendUntilDecided(memory, answer, signal)
  }
}

const BACKOFF_MS = [200, 500, 1_000, 2_000, 5_000, 10_000, 30_000]

/** The service lets an order expire after a day, and needs no answer after that. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60_000

async function sendUntilDecided(memory: Memory, answer: OwedAnswer, signal: AbortSignal): Promise<void> {
  const giveUpAt = new Date(answer.dueAt).getTime() + GIVE_UP_AFTER_MS
  for (let attempt = 0; ; attempt++) {
    const status = await sendOnce(memory, answer, signal)
    const entry = entryOf(answer, 'answer', status)
    if (isDecided(status) || Date.now() > giveUpAt) {
      memory.commit({
        kind: 'answered',
        answerId: answer.id,
        entries: [entry, ...bookOrder(memory, answer, status)],
      })
      return
    }
    memory.commit({ kind: 'entry', entry })
    await wait(BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length - 1)], undefined, { signal })
  }
}

/** One attempt: the same bytes as ever, a fresh timestamp. 0 means that no answer came. */
async function sendOnce(memory: Memory, answer: OwedAnswer, signal: AbortSignal): Promise<number> {
  const destination = memory.destinations.get(destinationKey(answer.merchant, answer.destinationId))
  if (destination === undefined) return 0
  const secret = answer.mistake === 'wrong_signature' ? `${destination.secret}-not` : destination.secret
  try {
    const { status } = await postJson({
      url: destination.apiOrigin + answer.path,
      body: answer.body,
      headers: {
        'service-response-signature': sign(answer.body, secret, new Date()),
        'service-destination-id': destination.id,
        'service-webhook-id':
          answer.mistake === 'wrong_event' ? anotherEventId(answer.eventId) : answer.eventId,
        'service-webhook-event': answer.eventType,
      },
      timeoutMs: 15_000,
      signal,
    })
    return status
  } catch (error) {
    if (signal.aborted) throw error
    return 0
  }
}

/** Silence, overload and server errors do not decide about the answer. Every other status is the service's decision. */
function isDecided(status: number): boolean {
  return status !== 0 && status < 500 && ![408, 425, 429].includes(status)
}

/** An order enters our book when the service has taken our answer, once; refused means that it no longer wanted one. */
function bookOrder(memory: Memory, answer: OwedAnswer, status: number): Entry[] {
  const isOrder = answer.eventType === 'order.requested'
  if (!isOrder || answer.mistake !== 'none' || memory.orders.has(answer.targetId)) return []
  if (status >= 200 && status < 300) return [entryOf(answer, 'order', answer.outcome)]
  return status === 409 ? [entryOf(answer, 'order', 'refused')] : []
}

function entryOf(answer: OwedAnswer, kind: 'answer' | 'order', status: number | string): Entry {
  const target =
    answer.eventType === 'order.requested' ? { order_id: answer.targetId } : { quote_id: answer.targetId }
  return {
    at: new Date().toISOString(),
    kind,
    merchant: answer.merchant,
    event_id: answer.eventId,
    event_type: answer.eventType,
    ...target,
    status,
    verified: true,
  }
}

function anotherEventId(eventId: string): string {
  return eventId.slice(0, -1) + (eventId.endsWith('0') ? '1' : '0')
}

async function waitUntil(at: Date, signal: AbortSignal): Promise<void> {
  const ms = at.getTime() - Date.now()
  if (ms > 0) await wait(ms, undefined, { signal })
}
