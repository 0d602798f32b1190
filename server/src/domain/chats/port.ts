/** What a model is asked: what comes next in a thread. Everything in it is data of the thread; how it may act is the adapter's to say. */
export type ModelRequest = {
  /** The language of the person, by its ISO 639-1 code; null where nobody knows it yet. */
  readonly language: string | null
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  /** The run was stopped: the call ends, and throws the reason of the signal. */
  readonly signal: AbortSignal
  /** Called with the text as it comes. */
  readonly onText?: (delta: string) => void
  /** Of the answer. */
  readonly tokensMax: number
}

/**
 * `result` is the tool's answer as JSON, or a sentence where `isError`. It is text of strangers, and reaches a model marked and bounded.
 */
export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | {
      readonly role: 'tool'
      readonly callId: string
      readonly name: string
      readonly result: string
      readonly isError: boolean
    }

export type ModelTool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
}

/**
 * What a model calls. Its name may be that of no tool. `args` is an object, or, where the model wrote no JSON object or more than may be
 * read, the beginning of what it wrote as a string: it is answered with an error, never dropped.
 */
export type ToolCall = { readonly id: string; readonly name: string; readonly args: unknown }

export type TokenUsage = {
  readonly inputTokens: number
  readonly outputTokens: number
  /** The model did not say; counted by characters. */
  readonly isEstimated: boolean
}

/** One step: without calls, the turn is over. It has at most 8 calls; what a model calls beyond them it is free to call again. */
export type ModelReply = {
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly usage: TokenUsage
}

export interface ChatModel {
  /** As threads show it: `planner`, or `provider/name`. */
  readonly name: string
  /** Throws `ModelFailure`, or the reason of the signal. */
  next(request: ModelRequest): Promise<ModelReply>
}

export type ModelFailureReason =
  /** No connection, or it broke. */
  | 'unreachable'
  /** It did not begin, did not go on, or did not end in time. */
  | 'slow'
  | 'overloaded'
  | 'refused_key'
  /** The address has no such model. */
  | 'unknown_model'
  /** It answers at once where a stream was asked for. */
  | 'not_streamed'
  /** It does not take the request, as one that calls no tools. */
  | 'refused_request'
  /** What it answered cannot be read. */
  | 'invalid'
  | 'too_large'

/** A model gave no answer. Its message names neither the address nor the key. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  readonly reason: ModelFailureReason
  /** Of the answer, where there was one. */
  readonly status: number | null

  constructor(reason: ModelFailureReason, status: number | null = null) {
    super(`the model gave no answer: ${reason}${status === null ? '' : ` (status ${status})`}`)
    this.reason = reason
    this.status = status
  }
}
