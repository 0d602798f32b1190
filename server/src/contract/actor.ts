import type { Id } from '../core/id.ts'
import type { Actor } from './context.ts'

const forWhom = ' for '

/** The agent of a chat, which acts for the agent whose message it answers. Both are named wherever an actor is. */
export function chatActor(chat: Id<'chat'>, agent: Id<'agent'>): Actor {
  return { type: 'chat', id: `${chat}${forWhom}${agent}` }
}

/** The agent that acts, which policies and freezes name: that of the key, or in a chat the one that it acts for. Null: no agent acts. */
export function agentOf(actor: Actor): Id<'agent'> | null {
  if (actor.type === 'api_key') return actor.id
  // guard chat-acts-for-its-writer: what an agent may not do, it may not do by a chat
  return actor.type === 'chat' ? (actor.id.split(forWhom)[1] as Id<'agent'>) : null // as `chatActor` wrote it
}

/** An actor as events and the audit trail show it. */
export function shownActor(
  type: string,
  id: string | null,
): { type: string; id: string | null; for?: string } {
  if (type !== 'chat' || id === null) return { type, id }
  const [own = id, other = ''] = id.split(forWhom)
  return { type, id: own, for: other }
}
