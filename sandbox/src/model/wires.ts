import { parsed, type Thought } from './conversation.ts'

/** How one wire writes an answer: as a whole, or as events of a stream. */
export type Wire = {
  whole(model: string, thought: Thought): object
  /** The events of an answer, without its last ones; `ends` has these. */
  pieces(model: string, thought: Thought): Iterable<string>
  ends(thought: Thought): Iterable<string>
  delta(text: string): string
  refusal(status: number): object
}

/** Tokens as everybody estimates them. */
function tokensOf({ say, calls }: Thought): number {
  return Math.ceil((say.length + JSON.stringify(calls).length) / 4)
}

/** A few characters at a time, as models write. */
function* cut(text: string): Generator<string> {
  const size = Math.max(12, Math.ceil(text.length / 200))
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

const inputTokens = 100
const data = (event: object) => `data: ${JSON.stringify(event)}\n\n`
const created = 1_700_000_000

const openAiChunk = (delta: object, more: object = {}) =>
  data({
    id: 'chatcmpl_1',
    object: 'chat.completion.chunk',
    created,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason: null }],
    ...more,
  })

const openAiReasons: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'invalid_api_key',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
}

export const openAi: Wire = {
  whole: (model, thought) => ({
    id: 'chatcmpl_1',
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: thought.say,
          ...(thought.calls.length === 0
            ? {}
            : {
                tool_calls: thought.calls.map(({ name, args }, index) => ({
                  id: `call_${index + 1}`,
                  type: 'function',
                  function: { name, arguments: args },
                })),
              }),
        },
        finish_reason: thought.calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: openAiUsage(thought),
  }),
  *pieces(_model, { say, calls }) {
    yield openAiChunk({ role: 'assistant', content: '' })
    for (const piece of cut(say)) yield openAiChunk({ content: piece })
    for (const [index, { name, args }] of calls.entries()) {
      const id = `call_${index + 1}`
      yield openAiChunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
      for (const piece of cut(args))
        yield openAiChunk({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
  },
  *ends(thought) {
    const reason = thought.calls.length > 0 ? 'tool_calls' : 'stop'
    yield openAiChunk({}, { choices: [{ index: 0, delta: {}, finish_reason: reason }] })
    yield openAiChunk({}, { choices: [], usage: openAiUsage(thought) })
    yield 'data: [DONE]\n\n'
  },
  delta: (text) => openAiChunk({ content: text }),
  refusal: (status) => ({
    error: { message: 'It was refused', type: 'error', code: openAiReasons[status] ?? 'server_error' },
  }),
}

function openAiUsage(thought: Thought) {
  const output = tokensOf(thought)
  return { prompt_tokens: inputTokens, completion_tokens: output, total_tokens: inputTokens + output }
}

const event = (type: string, fields: object = {}) => `event: ${type}\n${data({ type, ...fields })}`
const anthropicReasons: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

export const anthropic: Wire = {
  whole: (model, thought) => ({
    ...anthropicMessage(model),
    content: [
      ...(thought.say === '' ? [] : [{ type: 'text', text: thought.say }]),
      ...thought.calls.map(({ name, args }, index) => ({
        type: 'tool_use',
        id: `toolu_${index + 1}`,
        name,
        input: parsed(args),
      })),
    ],
    stop_reason: thought.calls.length > 0 ? 'tool_use' : 'end_turn',
    usage: { input_tokens: inputTokens, output_tokens: tokensOf(thought) },
  }),
  *pieces(model, { say, calls }) {
    yield event('message_start', { message: anthropicMessage(model) })
    yield event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
    for (const piece of cut(say)) yield this.delta(piece)
    yield event('content_block_stop', { index: 0 })
    for (const [place, { name, args }] of calls.entries()) {
      const index = place + 1
      yield event('content_block_start', {
        index,
        content_block: { type: 'tool_use', id: `toolu_${index}`, name, input: {} },
      })
      for (const partial_json of cut(args))
        yield event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } })
      yield event('content_block_stop', { index })
    }
  },
  *ends(thought) {
    yield event('message_delta', {
      delta: { stop_reason: thought.calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: tokensOf(thought) },
    })
    yield event('message_stop')
  },
  delta: (text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  refusal: (status) => ({
    type: 'error',
    error: { type: anthropicReasons[status] ?? 'api_error', message: 'It was refused' },
  }),
}

function anthropicMessage(model: string) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: inputTokens, output_tokens: 1 },
  }
}
