import type { Chat } from '../../domain/chats/chat.ts'
import { ChatFeed } from '../chat/chat-feed.ts'
import { jsonPrinter, terminalPrinter } from '../chat/chat-printer.ts'
import { CommandFailure } from '../failure.ts'
import { productApi } from '../purchases/product-api.ts'
import type { Up } from '../up/start-up.ts'
import { createDemoClient } from './demo-client.ts'
import { openSite } from './demo-elements.ts'
import { demoCard, demoProfile } from './demo-person.ts'
import type { Printer } from './demo-printer.ts'

/** What a person types. The catalog of the sandbox has such mugs, in several colors. */
const said = ['a steel mug', 'buy the first one', 'black']

type Showing = { printer: Printer; json: boolean; staysOpen: boolean }

/** A short conversation, which ends with the link on which a person approves, and the page on which a person can have another one. */
export async function showChat(up: Up, { printer, json, staysOpen }: Showing): Promise<void> {
  printer.step('A person is registered, with a card that agents may use; then the person talks to an agent')
  const { agent_test: agent, secret_test: person } = up.ready.keys
  const client = createDemoClient(up.ready.base_url)
  const profile = await client.rest(person, 'POST', '/v1/profiles', demoProfile)
  await client.rest(person, 'POST', `/v1/profiles/${profile.id}/payment_methods`, demoCard)
  const api = productApi({ state: up.state.path, json }, agent)
  const chat: Chat = await api.post('/v1/chats', { profile_id: profile.id })
  const talk = json ? jsonPrinter() : terminalPrinter(api, profile)
  talk.opened(chat)
  const feed = new ChatFeed(
    api,
    {
      event: talk.event,
      missed: talk.message,
      trouble: (error) => {
        throw error
      },
    },
    { chatId: chat.id, after: '0', place: 0 },
  )
  for (const text of said) {
    talk.wrote(text)
    await feed.say(text)
  }
  if (!feed.isWaiting) throw new CommandFailure('The agent has asked nobody to approve a purchase.')
  const site = await openSite(up)
  printer.chat(`${site.url}/chat`)
  // What is approved on the page of the link is told here, as long as this runs.
  if (staysOpen) await site.ended
  feed.close()
  site.stop()
}
