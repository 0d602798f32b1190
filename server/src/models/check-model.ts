import { type ChatModel, ModelFailure, type ModelFailureReason } from '../domain/chats/port.ts'

/** What is wrong, as the port says it, or that a model answered and called nothing. */
type Trouble = ModelFailureReason | 'no_tool_calls'

export type ModelCheck = {
  readonly answers: boolean
  readonly streams: boolean
  readonly callsTools: boolean
  readonly trouble: Trouble | null
  /** Of the answer, where there was one. */
  readonly status: number | null
}

const question = 'Call the tool report_ready with {"word": "ready"}. Do nothing else.'
const tool = {
  name: 'report_ready',
  description: 'Report that you are ready. Takes the word "ready".',
  inputSchema: {
    type: 'object',
    properties: { word: { type: 'string' } },
    required: ['word'],
    additionalProperties: false,
  },
}

/** Asks a model twice: for a word, and to call a tool. A model that cannot do both cannot lead a chat. */
export async function checkModel(model: ChatModel, signal: AbortSignal): Promise<ModelCheck> {
  const ask = async (text: string, tools: readonly (typeof tool)[]) =>
    await model.next({ language: 'en', messages: [{ role: 'user', text }], tools, signal, tokensMax: 500 })
  try {
    await ask('Answer with the word ready, and nothing else.', [])
  } catch (error) {
    const { reason, status } = failureOf(error)
    return { answers: reason === 'not_streamed', streams: false, callsTools: false, trouble: reason, status }
  }
  const works = { answers: true, streams: true }
  try {
    const { calls } = await ask(question, [tool])
    const callsTools = calls.some(({ name, args }) => name === tool.name && typeof args === 'object')
    return { ...works, callsTools, trouble: callsTools ? null : 'no_tool_calls', status: null }
  } catch (error) {
    const { reason, status } = failureOf(error)
    // Without tools it was not refused.
    return {
      ...works,
      callsTools: false,
      trouble: reason === 'refused_request' ? 'no_tool_calls' : reason,
      status,
    }
  }
}

function failureOf(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  throw error
}

/** What is wrong, in a sentence, and what to do about it. */
export const remedies: Readonly<Record<Trouble, string>> = {
  unreachable: 'It is not reachable. Check PROKURA_CHAT_URL, and that this machine may connect to it.',
  slow: 'It does not answer in time. Check that the model is loaded, or choose a smaller one.',
  overloaded: 'It is overloaded, or your quota there is used up. Try again later, or raise the quota.',
  refused_key: 'It refuses the key. Check the file that PROKURA_CHAT_KEY_FILE names.',
  unknown_model:
    'It has no such model, or no API at this address. Check the name in PROKURA_CHAT_MODEL, and that PROKURA_CHAT_URL ends where /chat/completions or /messages begins.',
  refused_request:
    'It refuses the request. Check that the provider in PROKURA_CHAT_MODEL is the one whose API this is.',
  not_streamed:
    'It does not stream its answers. Use an address that answers "stream": true with server-sent events.',
  invalid:
    'Its answer cannot be read. Check that the provider in PROKURA_CHAT_MODEL is the one whose API this is.',
  too_large: 'Its answer does not end. Choose another model.',
  no_tool_calls: 'It calls no tools, without which a chat can buy nothing. Choose a model that does.',
}
