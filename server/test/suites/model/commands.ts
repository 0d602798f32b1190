import fc from 'fast-check'
import type { Sent } from '../client.ts'
import type { LaneRequest } from './lane.ts'
import type { Model, ModelIntent, StoredAnswer } from './model.ts'
import type { Answer } from './predict-create.ts'
import {
  codeOf,
  expectAnswer,
  expectAsForetold,
  expectSequence,
  expectShown,
  type Real,
  shownOf,
} from './real.ts'

export type Command = fc.AsyncCommand<Model, Real>

/** A command with a name for failures. `isPossible` leaves out commands that would prove nothing. */
export function command(
  text: string,
  run: (model: Model, real: Real) => Promise<void>,
  isPossible: (model: Readonly<Model>) => boolean = () => true,
): Command {
  return { toString: () => text, check: isPossible, run }
}

/** One of these, preferably one that the command is about. */
export function pick<T>(all: readonly T[], index: number, isPreferred: (one: T) => boolean): T | null {
  const preferred = all.filter(isPreferred)
  const among = index % 4 === 0 || preferred.length === 0 ? all : preferred
  return among[Math.floor(index / 4) % Math.max(1, among.length)] ?? null
}

type Decision = {
  operation: string
  request: LaneRequest
  intent: ModelIntent
  predict: () => Answer
}

/**
 * Sends a decision about a purchase and compares the answer, the purchase and the number of its events with the model. A request
 * with a key that has been used before gets the first answer again, or a refusal.
 */
export async function decide(model: Model, real: Real, decision: Decision): Promise<Sent> {
  const { operation, request, intent, predict } = decision
  const sent = await real.send(request)
  const known = storedAnswer(model, operation, request)
  // Authorization comes first: a key without the right does not see the answer to another key.
  if (known !== null && sent.status !== 403) {
    expectReplay(sent, known, request)
    await expectSequence(real, intent)
    return sent
  }
  const foretold = predict()
  expectAnswer(sent, foretold)
  if (foretold.code !== null) {
    if (foretold.isCounted) remember(model, operation, request, { sent, intent: null })
    await expectAsForetold(real, intent)
    return sent
  }
  expectShown(intent, sent.body)
  remember(model, operation, request, { sent, intent: null })
  await expectSequence(real, intent)
  return sent
}

export function storedAnswer(model: Model, operation: string, request: LaneRequest): StoredAnswer | null {
  const { idempotencyKey } = request
  return idempotencyKey ? (model.replies.get(`${operation} ${idempotencyKey}`) ?? null) : null
}

export function remember(
  model: Model,
  operation: string,
  request: LaneRequest,
  { sent, intent }: { sent: Sent; intent: ModelIntent | null },
): void {
  if (!request.idempotencyKey) return
  model.replies.set(`${operation} ${request.idempotencyKey}`, {
    request: JSON.stringify([request.path, request.body]),
    status: sent.status,
    shown: shownOf(sent.body),
    intent,
  })
}

function expectReplay(sent: Sent, known: StoredAnswer, request: LaneRequest): void {
  if (JSON.stringify([request.path, request.body]) !== known.request) {
    expectAnswer(sent, { status: 409, code: 'idempotency_key_conflict' })
    return
  }
  const isSame = sent.status === known.status && shownOf(sent.body) === known.shown
  if (!isSame || sent.headers['idempotent-replayed'] !== 'true')
    throw new Error(
      `a replay answered ${sent.status} ${codeOf(sent) ?? ''} (${sent.headers['idempotent-replayed']}): ${sent.text}`,
    )
}

/** One of these once in this many times, and null otherwise. */
export function sometimes<T>(times: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
}
