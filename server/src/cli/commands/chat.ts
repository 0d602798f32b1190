import { type Command, Option } from 'commander'
import type { Profile } from '../../domain/buyers/profiles/profile.ts'
import type { Chat } from '../../domain/chats/chat.ts'
import type { ChatMessage } from '../../domain/chats/message.ts'
import { ChatFeed } from '../chat/chat-feed.ts'
import { jsonPrinter, terminalPrinter } from '../chat/chat-printer.ts'
import { Conversation } from '../chat/conversation.ts'
import { CommandFailure } from '../failure.ts'
import { isTalking } from '../purchases/ask.ts'
import {
  type ApiOptions,
  asksService,
  type ProductApi,
  productApi,
  Refusal,
} from '../purchases/product-api.ts'
import { defineChatModel } from './chat-model.ts'
import { profileOrDemo } from './demo-person.ts'

type Options = ApiOptions & { profile?: string; chat?: string; new?: true; message?: string }

export function defineChat(chat: Command): void {
  asksService(chat, { json: 'print a line of JSON for each event' })
    .option('--profile <id>', 'for whom it shops (default: the only profile; in test mode one is made)')
    .addOption(
      new Option('--chat <id>', 'the chat to go on with (default: the newest of the profile)').conflicts([
        'profile',
        'new',
      ]),
    )
    .option('--new', 'begin another chat')
    .option('--message <text>', 'say this, print the answer, and end')
    .addHelpText(
      'after',
      `
Say what you look for, as to a person: "a mug under 40 dollars", "the second one", "buy it". Where a purchase
needs a person, it shows a link on which that person approves; nothing that is typed in the chat does.
Ctrl-C stops an answer, and a second one leaves; leaving stops nothing. Without a terminal, each line of the
standard input is a message.`,
    )
    .action(talk)
  defineChatModel(chat)
}

async function talk(options: Options): Promise<void> {
  const { message } = options
  if (message !== undefined && message.trim() === '')
    throw new CommandFailure('--message is empty. Say in it what you look for.')
  const api = productApi(options)
  const opened = await openChat(api, options)
  const printer = options.json ? jsonPrinter() : terminalPrinter(api, opened.profile)
  const last = await lastWords(api, opened.chat)
  const conversation = new Conversation(printer, (hears) => feedOf(api, hears, { ...opened, last }))
  printer.opened(opened.chat)
  if (message !== undefined) return conversation.ask(message.trim())
  if (isTalking(options)) for (const one of last) printer.message(one)
  await conversation.talk({ json: options.json ?? false })
}

type Opened = { chat: Chat; profile: Profile }

/** The chat that was named, the newest one, or a new one. */
async function openChat(api: ProductApi, options: Options): Promise<Opened> {
  if (options.chat !== undefined) {
    const chat: Chat = await api.get(`/v1/chats/${encodeURIComponent(options.chat)}`)
    if (chat.status === 'archived')
      throw new CommandFailure(`${chat.id} is archived. Begin another one with ${api.command('chat --new')}.`)
    return { chat, profile: await api.get(`/v1/profiles/${chat.profile_id}`) }
  }
  const profile = await profileOrDemo(api, options.profile)
  return {
    chat: (options.new ? null : await newestChat(api, profile)) ?? (await newChat(api, profile)),
    profile,
  }
}

async function newestChat(api: ProductApi, { id }: Profile): Promise<Chat | null> {
  const { data }: { data: Chat[] } = await api.get(`/v1/chats?profile_id=${id}&status=active&limit=1`)
  return data[0] ?? null
}

async function newChat(api: ProductApi, { id }: Profile): Promise<Chat> {
  return api.post('/v1/chats', { profile_id: id }).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'profile_not_active') throw error
    throw new CommandFailure(`${id} is archived. Name another profile with --profile.`)
  })
}

/** What was said last, on both sides. */
async function lastWords(api: ProductApi, { id, message_count }: Chat): Promise<readonly ChatMessage[]> {
  if (message_count === 0) return []
  const path = `/v1/chats/${id}/messages?after=${Math.max(0, message_count - 2)}`
  const { data }: { data: ChatMessage[] } = await api.get(path)
  // One that is being written is heard from its beginning.
  return data.filter(({ status }) => status !== 'writing')
}

function feedOf(
  api: ProductApi,
  hears: ConstructorParameters<typeof ChatFeed>[1],
  { chat, last }: Opened & { last: readonly ChatMessage[] },
): ChatFeed {
  const place = last.at(-1)?.place ?? chat.message_count
  return new ChatFeed(api, hears, { chatId: chat.id, after: chat.message_count === 0 ? '0' : null, place })
}
