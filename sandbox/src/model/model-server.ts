import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { text } from '../fields.ts'
import {
  type Answer,
  type Call,
  destroy,
  json,
  list,
  type Route,
  type RunningServer,
  serveJson,
} from '../json-server.ts'
import { type Behavior, isBehavior, parseScript, type Script } from './behavior.ts'
import { anthropicConversation, type Conversation, openAiConversation, type Thought } from './conversation.ts'
import { think } from './think.ts'
import { anthropic, openAi, type Wire } from './wires.ts'

/** What was asked, without the key: only whether it was the right one. */
type Asked = { wire: 'openai' | 'anthropic'; behavior: Behavior; has_right_key: boolean; body: unknown }

type Model = {
  key: string | null
  /** At `/v1`, the address of no behavior. */
  behavior: Behavior
  script: Script
  asked: Asked[]
  turnedAway: Set<string>
  signal: AbortSignal
}

/** A suite asks for hours; the last are enough to look at. */
const askedMax = 1_000

/** The one model that it has; every other name is unknown. */
export const modelName = 'scripted'

/**
 * A language model that answers by rules, at chat completions (`/v1/chat/completions`) and messages (`/v1/messages`), as a whole or as a
 * stream. `/BEHAVIOR/v1/…` answers by that behavior.
 */
export async function startModelServer(options: {
  port: number
  controlToken: string
  /** The key that it wants; null: any, or none. */
  key: string | null
}): Promise<RunningServer> {
  const stopping = new AbortController()
  const model: Model = {
    key: options.key,
    behavior: 'plain',
    script: [],
    asked: [],
    turnedAway: new Set(),
    signal: stopping.signal,
  }
  const server = await serveJson({ ...options, routes: routesOf(model), settled: async () => undefined })
  return {
    url: server.url,
    close: async () => {
      stopping.abort()
      await server.close()
    },
  }
}

function routesOf(model: Model): Route[] {
  const completions = (call: Call) => answer(model, call, 'openai')
  const messages = (call: Call) => answer(model, call, 'anthropic')
  return [
    { method: 'POST', path: '/v1/chat/completions', handle: completions },
    { method: 'POST', path: '/v1/messages', handle: messages },
    { method: 'POST', path: '/:behavior/v1/chat/completions', handle: completions },
    { method: 'POST', path: '/:behavior/v1/messages', handle: messages },
    { method: 'GET', path: '/log', handle: () => list(model.asked) },
    { method: 'GET', path: '/health', handle: () => json(200, { ok: true, service: 'model' }) },
    {
      method: 'POST',
      path: '/control/behavior',
      isControl: true,
      handle: (call) => {
        const behavior = text(call.body(), 'behavior')
        if (!isBehavior(behavior)) return json(400, { error: { message: 'There is no such behavior' } })
        model.behavior = behavior
        return json(200, { behavior })
      },
    },
    {
      method: 'POST',
      path: '/control/script',
      isControl: true,
      handle: (call) => {
        model.script = parseScript(call.body())
        return json(200, { rules: model.script.length })
      },
    },
  ]
}

async function answer(model: Model, call: Call, wireName: Asked['wire']): Promise<Answer> {
  const behavior = call.params.behavior ?? model.behavior
  if (!isBehavior(behavior)) return json(404, { error: { message: 'There is no such behavior' } })
  const wire = wireName === 'openai' ? openAi : anthropic
  const body = call.body()
  const has_right_key = hasKey(model, call, wireName)
  model.asked.push({ wire: wireName, behavior, has_right_key, body })
  if (model.asked.length > askedMax) model.asked.shift()
  const conversation = wireName === 'openai' ? openAiConversation(body) : anthropicConversation(body)
  const refused = behavior === 'down' ? null : refusedAs(model, behavior, conversation, call, has_right_key)
  if (refused !== null) {
    const headers = refused === 429 ? { 'retry-after': behavior === 'busy' ? '60' : '1' } : {}
    return { kind: 'json', status: refused, body: wire.refusal(refused), headers }
  }
  if (behavior === 'down') return destroy
  const thought = think(behavior, conversation, model.script)
  if (!conversation.isStream || behavior === 'whole') return wholeAnswer(model, behavior, wire, thought)
  return {
    kind: 'raw',
    status: 200,
    type: 'text/event-stream',
    chunks: streamed(model, behavior, wire, thought),
  }
}

function hasKey({ key }: Model, call: Call, wire: Asked['wire']): boolean {
  if (key === null) return true
  const given =
    wire === 'openai' ? call.header('authorization')?.replace(/^Bearer /, '') : call.header('x-api-key')
  const [one, other] = [given ?? '', key].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}

function refusedAs(
  model: Model,
  behavior: Behavior,
  conversation: Conversation,
  call: Call,
  hasRightKey: boolean,
): number | null {
  if (behavior === 'refuses' || !hasRightKey) return 401
  if (conversation.model !== modelName) return 404
  if (behavior === 'toolless' && conversation.tools.length > 0) return 400
  if (behavior === 'busy') return 429
  if (behavior !== 'overloaded') return null
  const question = createHash('sha256').update(call.raw).digest('base64')
  if (model.turnedAway.has(question)) return null
  model.turnedAway.add(question)
  return 429
}

async function wholeAnswer(
  { signal }: Model,
  behavior: Behavior,
  wire: Wire,
  thought: Thought,
): Promise<Answer> {
  const whole = JSON.stringify(wire.whole(modelName, thought))
  if (behavior === 'broken') return raw([whole.slice(0, whole.length / 2), '}}}'])
  if (behavior === 'slow' || behavior === 'drips')
    return raw(silence(signal, behavior === 'drips' ? ' ' : ''))
  if (behavior === 'floods') return raw(flood(signal, 'A kettle. '))
  return raw([behavior === 'cut' ? whole.slice(0, -40) : whole])
}

function raw(chunks: Iterable<string> | AsyncIterable<string>): Answer {
  return { kind: 'raw', status: 200, type: 'application/json', chunks }
}

async function* streamed(
  { signal }: Model,
  behavior: Behavior,
  wire: Wire,
  thought: Thought,
): AsyncGenerator<string> {
  const pieces = wire.pieces(modelName, thought)
  if (behavior === 'slow' || behavior === 'drips') {
    yield* first(pieces, 3)
    yield* silence(signal, behavior === 'drips' ? ': wait\n\n' : '')
  } else if (behavior === 'floods') {
    yield* first(pieces, 3)
    yield* flood(signal, wire.delta('A kettle. '))
  } else if (behavior === 'broken') {
    yield* first(pieces, 3)
    yield 'data: {"id":"x","cho\n\n'
    yield* wire.ends(thought)
  } else {
    yield* pieces
    if (behavior !== 'cut') yield* wire.ends(thought)
  }
}

function* first(pieces: Iterable<string>, count: number): Generator<string> {
  let given = 0
  for (const piece of pieces) {
    if (given++ === count) return
    yield piece
  }
}

/** Goes on until the reader leaves, which an empty piece finds out. */
async function* silence(signal: AbortSignal, piece: string): AsyncGenerator<string> {
  while (!signal.aborted) {
    await wait(50)
    yield piece
  }
}

async function* flood(signal: AbortSignal, piece: string): AsyncGenerator<string> {
  while (!signal.aborted) {
    yield piece.repeat(50)
    await wait(0)
  }
}
