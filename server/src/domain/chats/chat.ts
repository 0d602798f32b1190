import Type, { type Static } from 'typebox'
import type { Mode, Tenant } from '../../contract/context.ts'
import type { ProfileId } from '../../contract/ids.ts'
import { At, Closed, IdOf, Named, Nullable, OneOf, objectHead } from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'

export const chatStatuses = ['active', 'archived'] as const

/** What a chat is without what was said in it: events keep it as long as the account, and the chat goes with its profile. */
export type ChatFacts = {
  id: Id<'chat'>
  object: 'chat'
  mode: Mode
  profile_id: ProfileId
  status: (typeof chatStatuses)[number]
  model: string
  created_at: string
  updated_at: string
}

export const Chat = Named(
  'Chat',
  Closed(
    {
      ...objectHead('chat', 'chat'),
      profile_id: IdOf('prof', 'The profile that it shops for.'),
      title: Nullable(Type.String({ description: 'What it is called; null: nobody has said anything yet.' })),
      status: OneOf(chatStatuses, { description: 'An archived chat takes no messages.' }),
      model: Type.String({
        description: 'What answers: `planner`, which follows rules, or the name of a language model.',
      }),
      last_message_at: Nullable(At('When something was said last; null: nothing was said yet.')),
      last_message_preview: Nullable(Type.String({ description: 'How the last message begins.' })),
      message_count: Type.Integer({ description: 'How many messages it has, of both sides.' }),
      usage: Closed(
        {
          steps: Type.Integer({ description: 'The steps of all its runs.' }),
          tokens: Type.Integer({ description: 'The tokens of its model; the planner uses none.' }),
          cost: Type.Integer({
            description:
              'What these cost, in millionths of a minor unit of the currency that the operator pays in; 0 where no price is set.',
          }),
        },
        { description: 'What it has used.' },
      ),
    },
    { description: 'A conversation of one profile with an agent that shops for it.' },
  ),
)
export type Chat = Static<typeof Chat>

export type ChatRow = {
  id: Id<'chat'>
  profile_id: ProfileId
  status: (typeof chatStatuses)[number]
  title: string | null
  context: string | null
  model: string
  memory: unknown
  last_message_at: Date | null
  last_message_preview: string | null
  message_count: number
  steps: number
  tokens: bigint
  cost: bigint
  position: bigint
  seq: number
  due_at: Date | null
  created_at: Date
  updated_at: Date
  archived_at: Date | null
}

export function renderChat(row: ChatRow, { mode }: Pick<Tenant, 'mode'>): Chat {
  return {
    ...factsOfChat(row, { mode }),
    title: row.title,
    last_message_at: row.last_message_at?.toISOString() ?? null,
    last_message_preview: row.last_message_preview,
    message_count: row.message_count,
    usage: { steps: row.steps, tokens: Number(row.tokens), cost: Number(row.cost) },
  }
}

export function factsOfChat(row: ChatRow, { mode }: Pick<Tenant, 'mode'>): ChatFacts {
  return {
    id: row.id,
    object: 'chat',
    mode,
    profile_id: row.profile_id,
    status: row.status,
    model: row.model,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

const titleLengthMax = 60
const previewLengthMax = 120

/** A title from the first wish: its first line, cut at a word. */
export function titleOf(text: string): string | null {
  return cut(text.split('\n', 1)[0] ?? '', titleLengthMax) || null
}

export function previewOf(text: string): string {
  return cut(text, previewLengthMax)
}

function cut(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  if (characters.length <= max) return line
  const head = characters.slice(0, max - 1).join('')
  const atWord = head.lastIndexOf(' ')
  return `${(atWord > max / 2 ? head.slice(0, atWord) : head).trimEnd()}…`
}
