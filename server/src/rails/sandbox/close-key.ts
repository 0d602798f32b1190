import type { Call, ClosableCall, RailCapture, RailMemory, Recalled } from '../../domain/buying/rails/port.ts'
import { answerOf, cameOf, isUnsupported, madeOf, readingOf, rememberedOf } from './processor-answers.ts'
import {
  authorizeCall,
  type Change,
  chargeCall,
  issueCall,
  type Processor,
  pathOf,
  releaseCall,
} from './processor-calls.ts'

/**
 * The outcome of a key: what the processor remembers of it. If that is nothing, or a refusal, it is what was made under the key, because
 * a key that was forgotten and sent again is refused for what it has made itself.
 */
export async function askKey(processor: Processor, key: string, call: Call): Promise<Recalled> {
  const next = within(call)
  const path = `/v1/operations?key=${encodeURIComponent(key)}`
  const known = rememberedOf(await processor.get(path, next()))
  // guard forgotten-keys-made-something: a rail that has forgotten a key does not prove that nothing was made under it
  if (known.kind !== 'not_found' && known.kind !== 'refused') return known
  const came = cameOf(await readMade(processor, key, next()))
  return came.kind === 'not_found' ? known : came
}

/**
 * Closes a key as the port says. A processor that closes keys refuses it from then on; one that does not gets the call again, so that it
 * is made once, by this sending or by an earlier one. Then everything that is held under the key is released.
 */
export async function closeKey(processor: Processor, sent: ClosableCall, call: Call): Promise<RailMemory> {
  const next = within(call)
  const { key } = sent.input
  const close = { path: '/v1/operations/close', key: `close:${key}`, body: { key } }
  const said = await processor.post(close, next())
  if (!isUnsupported(said)) return await releaseWhenClosed(processor, key, rememberedOf(said), next)
  // guard closed-captures-never-land: a capture that a rail cannot close by its key is closed with its hold
  if (sent.step === 'capture') return await closeCapture(processor, sent.input, next)
  const answer = answerOf(await processor.post(callAgain(sent), next()))
  const last: Recalled = answer.kind === 'not_sent' ? { kind: 'unknown' } : answer
  return await releaseWhenClosed(processor, key, last, next)
}

function callAgain(sent: Exclude<ClosableCall, { step: 'capture' }>): Change {
  switch (sent.step) {
    case 'authorize':
      return authorizeCall(sent.input)
    case 'issue_credential':
      return issueCall(sent.input)
    case 'charge_credential':
      return chargeCall(sent.input)
    default:
      return sent satisfies never
  }
}

/** `last`: the answer after which no call under the key makes anything new. After any other answer, that answer is all that is known. */
async function releaseWhenClosed(
  processor: Processor,
  key: string,
  last: Recalled,
  next: () => Call,
): Promise<RailMemory> {
  if (
    last.kind !== 'needs_person' &&
    last.kind !== 'done' &&
    last.kind !== 'refused' &&
    last.kind !== 'closed'
  )
    return last
  // guard closing-releases-what-was-forgotten: no hold is left behind under a key that was closed
  const came = await releaseMade(processor, key, next)
  if (came.kind !== 'not_found') return came
  return last.kind === 'needs_person' ? { kind: 'unknown' } : last
}

/** Releases everything that is held under the key, and returns the outcome of the key as a whole. */
async function releaseMade(processor: Processor, key: string, next: () => Call): Promise<RailMemory> {
  const made = await readMade(processor, key, next())
  if (made.kind !== 'made') return made
  for (const { name, object } of made.objects) {
    if (object.status !== 'authorized') continue
    const kind = name === 'authorization' ? 'authorization' : 'credential'
    const release = { key: `close:${key}:${object.reference}`, reference: object.reference }
    const answer = answerOf(await processor.post(releaseCall(kind, release), next()))
    if (answer.kind === 'not_now') return answer
    if (answer.kind !== 'done' && answer.kind !== 'refused') return { kind: 'unknown' }
  }
  const left = cameOf(await readMade(processor, key, next()))
  // The processor refused to release a hold: the key is not finished.
  if (left.kind === 'needs_person') return { kind: 'unknown' }
  return left.kind === 'done' && left.value.status === 'authorized' ? { kind: 'unknown' } : left
}

/** Once its hold is released a capture can never be made; a capture that was made cannot be undone. */
async function closeCapture(
  processor: Processor,
  { key, reference }: RailCapture,
  next: () => Call,
): Promise<RailMemory> {
  const release = releaseCall('authorization', { key: `close:${key}`, reference })
  const answer = answerOf(await processor.post(release, next()))
  if (answer.kind === 'not_now') return answer
  const hold = readingOf(await processor.get(pathOf('authorization', reference), next()))
  if (hold.kind !== 'done') return hold
  if (hold.value.status === 'authorized') return { kind: 'unknown' }
  return hold.value.capturedAmount > 0n ? hold : { kind: 'closed' }
}

async function readMade(processor: Processor, key: string, call: Call): Promise<ReturnType<typeof madeOf>> {
  return madeOf(await processor.get(`/v1/objects?key=${encodeURIComponent(key)}`, call))
}

/** Several requests share the time of one call. */
export function within({ mode, timeoutMs }: Call): () => Call {
  const endsAt = performance.now() + timeoutMs
  return () => ({ mode, timeoutMs: Math.max(1, Math.ceil(endsAt - performance.now())) })
}
