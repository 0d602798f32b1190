import { textOf } from '../parts.ts'
import { detectLanguage } from '../planner/detect-language.ts'
import { remembered } from '../planner/memory.ts'
import { noticeIn } from '../planner/sentences/in-language.ts'
import { type ChatModel, ModelFailure, type ModelFailureReason } from '../port.ts'
import { modelMessages } from './model-messages.ts'
import { takeSentences } from './sentences-of-stream.ts'
import { showProductsTool } from './show-products.ts'
import { type Thinker, ThinkingFailed } from './thinker.ts'

/** Of one step: an answer in a chat is short. */
const tokensMax = 4_000

/** What tokens cost, in millionths of the currency that the operator pays in. */
export type TokenPrices = { readonly perInputToken: number; readonly perOutputToken: number }

/** A language model answers. It is told the chat and the tools; everything it says is checked, and everything it calls is called by code. */
export function modelThinker(model: ChatModel, prices: TokenPrices): Thinker {
  return {
    name: model.name,
    isSlow: true,
    async think(thread, { signal, say }) {
      const memory = remembered(thread.chat.memory)
      const language = detectLanguage(
        textOf(thread.wish.parts),
        thread.chat.memory === null ? null : memory.language,
      )
      const giveUp = new AbortController()
      const sentences = takeSentences(say, (error) => giveUp.abort(error))
      try {
        const reply = await model.next({
          language,
          messages: modelMessages(thread),
          tools: [...thread.tools, showProductsTool],
          signal: AbortSignal.any([signal, giveUp.signal]),
          onText: sentences.push,
          tokensMax,
        })
        await sentences.end()
        const { inputTokens, outputTokens } = reply.usage
        return {
          text: '',
          show: [],
          calls: reply.calls,
          memory: { ...memory, language },
          tokens: inputTokens + outputTokens,
          cost: Math.round(inputTokens * prices.perInputToken + outputTokens * prices.perOutputToken),
        }
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error
        throw new ThinkingFailed(noticeOf[error.reason], noticeIn(language, noticeOf[error.reason]))
      }
    },
  }
}

const noticeOf: Readonly<Record<ModelFailureReason, string>> = {
  unreachable: 'model_unavailable',
  slow: 'model_unavailable',
  overloaded: 'model_overloaded',
  refused_key: 'model_unavailable',
  unknown_model: 'model_unavailable',
  not_streamed: 'model_unreadable',
  refused_request: 'model_unavailable',
  invalid: 'model_unreadable',
  too_large: 'model_unreadable',
}
