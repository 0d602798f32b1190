import { textOf } from '../parts.ts'
import { remembered } from '../planner/memory.ts'
import { detectLanguage } from '../planner/reading/detect-language.ts'
import { noticeIn } from '../planner/sentences/in-language.ts'
import { type ChatModel, ModelFailure, type ModelFailureReason, type TokenUsage } from '../port.ts'
import { modelMessages } from './model-messages.ts'
import { showProductsTool } from './show-products.ts'
import { type Thinker, ThinkingFailed } from './thinker.ts'

/** Of one step: an answer in a chat is short. */
const tokensMax = 4_000

/** What a million tokens cost, in minor units of the currency that the operator pays in. */
export type TokenPrices = { readonly input: bigint; readonly output: bigint }

/** A language model answers. It is told the chat and the tools; everything it says is checked, and everything it calls is called by code. */
export function modelThinker(model: ChatModel, prices: TokenPrices | null): Thinker {
  return {
    name: model.name,
    isSlow: true,
    messagesMax: 40,
    async think(thread, { signal, onText }) {
      const memory = remembered(thread.chat.memory)
      const before = thread.chat.memory === null ? null : memory.language
      const language = detectLanguage(textOf(thread.wish.parts), before)
      try {
        const { calls, usage } = await model.next({
          language,
          messages: modelMessages(thread),
          tools: [...thread.tools, showProductsTool],
          signal,
          onText,
          tokensMax,
        })
        const tokens = usage.inputTokens + usage.outputTokens
        return {
          text: '',
          show: [],
          calls,
          memory: { ...memory, language },
          tokens,
          cost: costOf(usage, prices),
        }
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error
        const code = noticeOf[error.reason]
        throw new ThinkingFailed(code, noticeIn(language, code))
      }
    },
  }
}

/** A price of a million tokens in minor units is one of a token in millionths of these. */
function costOf({ inputTokens, outputTokens }: TokenUsage, prices: TokenPrices | null): number {
  return prices === null ? 0 : inputTokens * Number(prices.input) + outputTokens * Number(prices.output)
}

const noticeOf: Readonly<Record<ModelFailureReason, string>> = {
  unreachable: 'model_unavailable',
  slow: 'model_unavailable',
  overloaded: 'model_overloaded',
  refused_key: 'model_unavailable',
  unknown_model: 'model_unavailable',
  refused_request: 'model_unavailable',
  not_streamed: 'model_unreadable',
  invalid: 'model_unreadable',
  too_large: 'model_unreadable',
}
