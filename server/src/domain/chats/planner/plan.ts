import type { ChatPart, PurchaseSummary } from '../parts.ts'
import type { ToolCall } from '../port.ts'
import type { Thought, Thread } from '../runner/thinker.ts'
import { goOn, hear } from './conversation.ts'
import { type Memory, remembered, stored } from './memory.ts'
import { understand } from './reading/understand.ts'
import { type Heard, Talk } from './talk.ts'
import type { Spoken, Wish } from './understood.ts'

/** What the planner does next, from nothing but what stands in the chat and what it remembers. */
export function plan({
  chat,
  messages,
  wish,
  run,
}: Pick<Thread, 'chat' | 'messages' | 'wish' | 'run'>): Thought {
  const memory = remembered(chat.memory)
  const answer = messages.findLast(({ run_id, role }) => role === 'assistant' && run_id === run.id)
  const parts = answer?.status === 'writing' ? answer.parts : []
  const talk = new Talk(understoodIn(memory, run.step, textIn(wish.parts)))
  const { answers, purchases } = answersIn(parts, run.step)
  const calls = run.step === 0 ? goOn(talk) : hear(talk, answers, purchases)
  const { text, show, memory: then } = talk
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

/** The answers of the calls that were made last, and what they say of purchases. */
function answersIn(
  parts: readonly ChatPart[],
  step: number,
): { answers: Heard[]; purchases: PurchaseSummary[] } {
  const isOfStep = (id: string) => id.startsWith(`call_${step}_`)
  const from = parts.findIndex((part) => part.type === 'tool_call' && isOfStep(part.id))
  const since = from === -1 ? [] : parts.slice(from)
  const answers = since.flatMap((part) =>
    part.type === 'tool_result' ? [{ name: part.name, isError: part.is_error, result: part.result }] : [],
  )
  const summaries = since.filter((part) => part.type === 'purchase_intent')
  return {
    answers,
    purchases: [...new Map(summaries.map((each) => [each.purchase_intent_id, each])).values()],
  }
}

function numbered(call: Omit<ToolCall, 'id'>, index: number): ToolCall {
  return { ...call, id: String(index) }
}
