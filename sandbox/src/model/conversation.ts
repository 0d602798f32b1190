import { isObject } from '../fields.ts'
import type { Called } from './behavior.ts'

/** A request of either wire, as the behaviors read it. */
export type Conversation = {
  model: string
  isStream: boolean
  /** All texts that came along, those of the system too, in their order. */
  messages: { role: 'system' | 'user' | 'assistant' | 'tool'; text: string; calls: Called[] }[]
  tools: string[]
}

export type Thought = { say: string; calls: { name: string; args: string }[] }

type Role = Conversation['messages'][number]['role']

/** Chat completions, as OpenAI has named them. */
export function openAiConversation(body: Record<string, unknown>): Conversation {
  return {
    model: String(body.model),
    isStream: body.stream === true,
    messages: listOf(body.messages).map((message) => ({
      role: roleOf(message.role),
      text: textOf(message.content),
      calls: listOf(message.tool_calls).map(({ function: called }) => ({
        name: String(isObject(called) ? called.name : ''),
        args: isObject(called) ? parsed(String(called.arguments)) : {},
      })),
    })),
    tools: listOf(body.tools).flatMap(({ function: tool }) => (isObject(tool) ? [String(tool.name)] : [])),
  }
}

/** Messages, as Anthropic has named them. Their tool results stand in messages of the user. */
export function anthropicConversation(body: Record<string, unknown>): Conversation {
  const messages = listOf(body.messages).flatMap(({ role, content }) =>
    typeof content === 'string'
      ? [{ role: roleOf(role), text: content, calls: [] }]
      : listOf(content).map((block) => ({
          role: block.type === 'tool_result' ? ('tool' as const) : roleOf(role),
          text: textOf(block.text ?? block.content),
          calls: block.type === 'tool_use' ? [{ name: String(block.name), args: block.input }] : [],
        })),
  )
  return {
    model: String(body.model),
    isStream: body.stream === true,
    messages: [{ role: 'system' as const, text: textOf(body.system), calls: [] }, ...messages],
    tools: listOf(body.tools).map(({ name }) => String(name)),
  }
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map(({ text }) => String(text ?? ''))
    .join('\n')
}

function roleOf(role: unknown): Role {
  return role === 'system' || role === 'assistant' || role === 'tool' ? role : 'user'
}

/** Broken JSON stays the text that it is. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}
