import { randomBytes } from 'node:crypto'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, type LanguageModel, streamText, type ToolSet, tool } from 'ai'
import {
  type ChatModel,
  ModelFailure,
  type ModelReply,
  type ModelRequest,
  type ToolCall,
} from '../domain/chats/port.ts'
import type { StreamingEgress } from '../platform/egress/egress.ts'
import type { Secret } from '../platform/secrets/secret.ts'
import { instructionsFor } from './instructions.ts'
import { createModelFetch, type ModelFetch } from './model-fetch.ts'
import { isObject, promptOf } from './prompt.ts'

/** A model behind an address that speaks one of two wires: chat completions, as most do, or messages. */
export type ModelAddress = {
  readonly provider: 'openai-compatible' | 'anthropic'
  readonly model: string
  /** Up to and without `/chat/completions` or `/messages`. */
  readonly url: string
  /** Null: the address wants none. */
  readonly key: Secret | null
}

type ModelMeans = {
  readonly egress: StreamingEgress
  /** For one step, with what is tried again. */
  readonly callMs?: number
  /** The longest silence; before its first word, a model reads. */
  readonly idleMs?: number
  /** What it is told before every step. */
  readonly instructions?: (language: string | null) => string
}

const usualCallMs = 120_000
const usualIdleMs = 45_000
const answerBytesMax = 262_144
/** Much more than a token has in any language: so much is taken as said for each token that an answer may have. */
const charactersOfTokenMax = 8
const callsMax = 8
const argsBytesMax = 32_768

// The library warns on the process of what an address does not support; nobody there could do anything about it.
globalThis.AI_SDK_LOG_WARNINGS = false

/** Asks a model for each step, over our own egress. Tools are declared to it and never run here. */
export function createAiSdkModel(address: ModelAddress, means: ModelMeans): ChatModel {
  const { callMs = usualCallMs, idleMs = usualIdleMs, instructions = instructionsFor, egress } = means
  const mark = `DATA-${randomBytes(8).toString('hex')}`
  const authorization = () => authorizationOf(address)
  return {
    name: `${address.provider}/${address.model}`,
    async next(request) {
      const leaving = new AbortController()
      const signal = AbortSignal.any([request.signal, leaving.signal])
      request.signal.throwIfAborted()
      const wire = createModelFetch({ egress, authorization, callMs, idleMs }, signal)
      try {
        const told = instructions(request.language)
        return await ask(languageModelOf(address, wire), request, { mark, signal, instructions: told })
      } catch (error) {
        request.signal.throwIfAborted()
        if (error instanceof ModelFailure) throw error
        // What the library says has the request in it, and may have more.
        throw wire.failure() ?? new ModelFailure('invalid')
      } finally {
        leaving.abort()
      }
    },
  }
}

function authorizationOf({ provider, key }: ModelAddress): Record<string, string> {
  if (key === null) return {}
  return provider === 'anthropic'
    ? { 'x-api-key': key.reveal() }
    : { authorization: `Bearer ${key.reveal()}` }
}

function languageModelOf({ provider, model, url }: ModelAddress, { fetch }: ModelFetch): LanguageModel {
  // Without a text here the library would look for a key in the environment.
  if (provider === 'anthropic') return createAnthropic({ baseURL: url, apiKey: '-', fetch })(model)
  return createOpenAICompatible({
    name: provider,
    baseURL: url,
    fetch,
    includeUsage: true,
    transformRequestBody: /(?:^|[.])openai(?:[.]azure)?[.]com$/.test(new URL(url).hostname) ? renamed : same,
  }).chatModel(model)
}

/** The newer models of OpenAI refuse the name that all others know. */
function renamed({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens }
}

function same(body: Record<string, unknown>): Record<string, unknown> {
  return body
}

async function ask(
  model: LanguageModel,
  request: ModelRequest,
  { mark, signal, instructions }: { mark: string; signal: AbortSignal; instructions: string },
): Promise<ModelReply> {
  const { messages, tools, tokensMax } = request
  const { stream } = streamText({
    model,
    instructions,
    messages: promptOf(messages, mark),
    tools: toolsOf(request),
    maxOutputTokens: tokensMax,
    maxRetries: 0,
    abortSignal: signal,
    // Its default writes to the console.
    onError: () => undefined,
  })
  const reading = new Reading(request)
  for await (const part of stream) {
    if (part.type === 'text-delta') reading.addText(part.text)
    else if (part.type === 'reasoning-delta') reading.count(part.text)
    else if (part.type === 'tool-input-delta') reading.count(part.delta)
    else if (part.type === 'tool-call') reading.addCall(part)
    else if (part.type === 'error') throw part.error
    else if (part.type === 'abort') throw new ModelFailure('invalid')
    else if (part.type === 'finish') {
      // An answer that breaks off without saying why is half an answer.
      if (part.rawFinishReason === undefined) throw new ModelFailure('invalid')
      const { inputTokens, outputTokens } = part.totalUsage
      return reading.reply(
        { inputTokens, outputTokens },
        JSON.stringify([instructions, messages, tools]).length,
      )
    }
  }
  throw new ModelFailure('invalid')
}

function toolsOf({ tools }: ModelRequest): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema<unknown>(inputSchema) }),
    ]),
  )
}

type SaidUsage = {
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
}

/** What has come so far. */
class Reading {
  readonly #request: ModelRequest
  readonly #calls: ToolCall[] = []
  readonly #ids: Set<string>
  #text = ''
  #bytes = 0

  constructor(request: ModelRequest) {
    this.#request = request
    const calls = request.messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []))
    this.#ids = new Set(calls.map(({ id }) => id))
  }

  addText(delta: string): void {
    this.count(delta)
    this.#text += delta
    // guard what-a-model-says-is-bounded: nobody reads more than it may answer, and each sentence is checked and kept
    if (this.#text.length > this.#request.tokensMax * charactersOfTokenMax)
      throw new ModelFailure('too_large')
    if (delta !== '') this.#request.onText?.(delta)
  }

  count(delta: string): void {
    this.#bytes += Buffer.byteLength(delta)
    // guard model-answers-are-bounded: a model that does not stop is stopped
    if (this.#bytes > answerBytesMax) throw new ModelFailure('too_large')
  }

  addCall({ toolCallId, toolName, input }: { toolCallId: string; toolName: string; input: unknown }): void {
    if (this.#calls.length === callsMax) return
    this.#calls.push({ id: this.#idOf(toolCallId), name: toolName, args: argsOf(input) })
  }

  /** Some models count from 1 in every answer, and no wire takes an id twice. */
  #idOf(given: string): string {
    const isUsable = /^[\w-]{1,64}$/.test(given) && !this.#ids.has(given)
    const id = isUsable ? given : `call_${randomBytes(12).toString('hex')}`
    this.#ids.add(id)
    return id
  }

  reply(said: SaidUsage, inputLength: number): ModelReply {
    const outputLength = this.#text.length + JSON.stringify(this.#calls).length
    const usage = {
      inputTokens: countOf(said.inputTokens) ?? Math.ceil(inputLength / 4),
      outputTokens: countOf(said.outputTokens) ?? Math.ceil(outputLength / 4),
      isEstimated: countOf(said.inputTokens) === null || countOf(said.outputTokens) === null,
    }
    return { text: this.#text, calls: this.#calls, usage }
  }
}

/** Zero is what addresses say that do not count. */
function countOf(tokens: number | undefined): number | null {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null
}

/** An object, or the beginning of what is none, or is too long. */
function argsOf(input: unknown): unknown {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  if (isObject(input) && Buffer.byteLength(text) <= argsBytesMax) return input
  return text.slice(0, 500)
}
