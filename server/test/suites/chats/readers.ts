import { isDeepStrictEqual } from 'node:util'
import { patientMs } from '../../gate/pace.ts'
import { type ChatEvent, replayed } from '../../harness/replay-chat.ts'
import { queryStored } from '../load/query-stored.ts'
import { seededRandom } from '../random.ts'
import type { SuiteRun, Tally } from '../suite.ts'
import type { Service } from '../whole-product.ts'
import { type Person, personAt } from './talk-once.ts'

const sizes = { gate: { chats: 4, readers: 20, messages: 6 }, long: { chats: 8, readers: 20, messages: 60 } }

type Chat = { id: string; isOver: boolean }

/** Clients that lose their connection at any moment read each event of a chat once and in order. */
export async function checkReaders({ size, seed, tally }: SuiteRun, service: Service): Promise<void> {
  const { chats: count, readers, messages } = sizes[size]
  const worker = await service.runRole('worker')
  try {
    const person = personAt(service)
    const chats: Chat[] = await Promise.all(
      Array.from({ length: count }, async () => ({ id: (await person.newChat()).chat, isOver: false })),
    )
    const drops = { count: 0 }
    const reading = Array.from({ length: readers }, async (_, index) => {
      const chat = chats[index % chats.length]
      if (!chat) throw new Error('there is no chat')
      const read = await readOn(service, chat, { random: seededRandom(seed + index), drops })
      return { chat, read }
    })
    await Promise.all(chats.map((chat) => talk(service, person, chat, { messages, tally })))
    for (const { chat, read } of await Promise.all(reading)) await judge(service, chat, read, tally)
    tally.figure('readers: connections that broke', drops.count)
    if (drops.count < readers) tally.fail(`readers: only ${drops.count} connections broke`)
  } finally {
    worker.kill('SIGTERM')
    await worker.ended
  }
}

const wishes = ['find a whistling teapot', 'show me the first one', 'buy the first one', 'cancel it']

/** Writes, and lets one client of each answer read it from its start, as the AI SDK does. */
async function talk(
  service: Service,
  person: Person,
  chat: Chat,
  { messages, tally }: { messages: number; tally: Tally },
): Promise<void> {
  for (let index = 0; index < messages; index++) {
    const text = wishes[index % wishes.length] ?? ''
    if (index % 2 === 0) {
      await person.ask(chat.id, text)
      continue
    }
    const body = {
      id: chat.id,
      messages: [{ id: `ui-${index}`, role: 'user', parts: [{ type: 'text', text }] }],
      trigger: 'submit-message',
    }
    const [one, again] = [await asSdk(service, chat.id, body), await asSdk(service, chat.id, body)]
    const first = one.at(0)?.data
    const isWhole = first?.type === 'start' && one.at(-1)?.data === '[DONE]'
    if (isWhole && isDeepStrictEqual(one, again)) tally.pass()
    else tally.fail(`readers: the AI SDK reads ${one.length} chunks, and ${again.length} the second time`)
  }
  chat.isOver = true
}

async function asSdk(service: Service, chat: string, body: object): Promise<Partial<ChatEvent>[]> {
  const response = await fetch(`${service.ready.base_url}/v1/chats/${chat}/messages?format=ai-sdk`, {
    method: 'POST',
    headers: { ...headersOf(service), 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patientMs(60_000)),
  })
  return eventsIn(await response.text()).events
}

type Reading = { random: () => number; drops: { count: number } }

/** Reads until the chat is over and nothing more comes, over connections that break after some bytes. */
async function readOn(service: Service, chat: Chat, { random, drops }: Reading): Promise<ChatEvent[]> {
  const read: ChatEvent[] = []
  for (;;) {
    const wasOver = chat.isOver
    const breaking = new AbortController()
    const last = read.at(-1)?.id ?? '0'
    const response = await fetch(`${service.ready.base_url}/v1/chats/${chat.id}/stream`, {
      headers: { ...headersOf(service), 'last-event-id': last },
      signal: AbortSignal.any([breaking.signal, AbortSignal.timeout(patientMs(60_000))]),
    })
    if (response.status === 204) {
      if (wasOver) return read
      await new Promise((resolve) => setTimeout(resolve, 20))
      continue
    }
    let left = Math.floor(random() * 6_000)
    let text = ''
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      left -= bytes.length
      if (left > 0 || chat.isOver) continue
      drops.count++
      break
    }
    breaking.abort()
    // What came of an event that is not whole is not an event.
    read.push(...eventsIn(text).events.filter(({ id }) => id !== ''))
  }
}

function headersOf(service: Service): Record<string, string> {
  return { authorization: `Bearer ${service.person}`, accept: 'text/event-stream' }
}

function eventsIn(text: string): { events: ChatEvent[] } {
  const whole = text.split('\n\n').slice(0, -1)
  const events = whole.flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const data = field('data')
    if (data === undefined) return []
    return [
      {
        id: field('id') ?? '',
        event: field('event') ?? '',
        data: data === '[DONE]' ? data : JSON.parse(data),
      },
    ]
  })
  return { events }
}

async function judge(service: Service, chat: Chat, read: readonly ChatEvent[], tally: Tally): Promise<void> {
  const rows = await queryStored<{ id: string }>(
    service.ready.database_url,
    'select position::text as id from chat_events where chat_id = $1 order by position',
    [chat.id],
  )
  const { broken } = replayed(read)
  for (const what of broken) tally.fail(`readers: ${chat.id}: ${what}`)
  if (read.length !== rows.length)
    tally.fail(`readers: ${chat.id}: ${read.length} of ${rows.length} events were read`)
  if (broken.length === 0 && read.length === rows.length) tally.pass()
}
