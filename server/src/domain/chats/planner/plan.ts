import type { ChatPart, PurchaseSummary } from '../parts.ts'
import type { ToolCall } from '../port.ts'
import type { Thought, Thread } from '../runner/thinker.ts'
import { Conversation, type Heard } from './conversation.ts'
import { type Memory, remembered, stored } from './memory.ts'
import { understand } from './understand.ts'
import type { Spoken, Wish } from './understood.ts'

/** What the planner does next, from nothing but what stands in the chat and what it remembers. */
export function plan({ chat, messages, wish, run }: Pick<Thread, 'chat' | 'messages' | 'wish' | 'run'>): Thought {
  const memory = remembered(chat.memory)
  const answer = messages.findLast(({ run_id, role }) => role === 'assistant' && run_id === run.id)
  const parts = answer?.status === 'writing' ? answer.parts : []
  const conversation = new Conversation(understoodIn(memory, run.step, textIn(wish.parts)))
  const calls = run.step === 0 ? conversation.goOn() : conversation.hear(answersIn(parts), purchasesIn(parts))
  const { text, show, memory: then } = conversation
  return { text, show, calls: calls.map(numbered), memory: then, tokens: 0, cost: 0 }
}

/** Beside the first step of a message, its wishes are known. */
function understoodIn(memory: Memory, step: number, text: string): Memory {
  if (step > 0) return memory
  const { language, wishes } = understand(text, spokenOf(memory))
  return { ...memory, language, todo: stored(wishes as readonly Wish[]) as Memory['todo'], doing: null }
}

function spokenOf({ language, shown, asks, subject, purchase }: Memory): Spoken {
  return {
    language,
    shown: shown.map(({ title }) => title),
    asked: asks === null ? null : asks.kind === 'whether' ? 'whether' : optionKind(asks.name),
    hasSubject: subject !== null || shown.length === 1,
    hasPurchase: purchase !== null,
  }
}

/** What an option of a shop is about. */
function optionKind(name: string): 'color' | 'size' | 'material' {
  if (/colou?r|farbe|couleur|color|色|カラー/i.test(name)) return 'color'
  if (/material|stoff|mati[eè]re|素材/i.test(name)) return 'material'
  return 'size'
}

function textIn(parts: readonly ChatPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** The answers of the calls that were made last. */
function answersIn(parts: readonly ChatPart[]): Heard[] {
  const from = parts.findLastIndex(({ type }) => type === 'text') + 1
  return parts.slice(from).flatMap((part) =>
    part.type === 'tool_result'
      ? [{ name: part.name, isError: part.is_error, result: part.result }]
      : [],
  )
}

function purchasesIn(parts: readonly ChatPart[]): PurchaseSummary[] {
  const from = parts.findLastIndex(({ type }) => type === 'text') + 1
  const summaries = parts.slice(from).filter((part) => part.type === 'purchase_intent')
  return [...new Map(summaries.map((summary) => [summary.purchase_intent_id, summary])).values()]
}

function numbered(call: Omit<ToolCall, 'id'>, index: number): ToolCall {
  return { ...call, id: String(index) }
}
