import type { Profile } from '../../domain/buyers/profiles/profile.ts'
import type { Chat } from '../../domain/chats/chat.ts'
import type { ChatMessage } from '../../domain/chats/message.ts'
import type { ChatPart } from '../../domain/chats/parts.ts'
import type { ProductApi } from '../purchases/product-api.ts'
import { out, outJson, outPiece, styled } from '../terminal.ts'
import type { ChatEvent } from './chat-events.ts'
import { partLines } from './say-parts.ts'

export type ChatPrinter = {
  /** The chat that is talked in. */
  opened(chat: Chat): void
  /** What somebody wrote, where a terminal does not show it already. */
  wrote(text: string): void
  event(event: ChatEvent): void
  message(message: ChatMessage): void
}

/** A line for each event, as the service sent it. */
export function jsonPrinter(): ChatPrinter {
  return {
    opened: (chat) => outJson({ chat }),
    wrote: () => undefined,
    event: (event) => outJson(event),
    message: (message) => outJson({ message }),
  }
}

export function terminalPrinter(api: ProductApi, profile: Profile): ChatPrinter {
  const show = (part: ChatPart) => {
    for (const line of partLines(part, { api, profile })) out(line)
  }
  // The text whose beginning stands on the last line, by its place in its message.
  let open: string | null = null
  const endLine = () => {
    if (open !== null) out('')
    open = null
  }
  return {
    opened: ({ id, title }) => out(styled('dim', title === null ? id : `${id}  ${title}`)),
    wrote: (text) => out(`\n${styled('bold', `> ${text}`)}`),
    event(sent) {
      switch (sent.event) {
        case 'part.delta': {
          const { message_id, index, delta } = sent.data
          const place = `${message_id} ${index}`
          if (open !== place) endLine()
          open = place
          outPiece(delta)
          return
        }
        case 'part.completed': {
          const isShown = open === `${sent.data.message_id} ${sent.data.index}`
          endLine()
          if (!isShown) show(sent.data.part)
          return
        }
        default:
          endLine()
      }
    },
    message: ({ role, parts }) => {
      if (role === 'user')
        out(styled('bold', `> ${parts.map((part) => (part.type === 'text' ? part.text : '')).join(' ')}`))
      else for (const part of parts) show(part)
    },
  }
}
