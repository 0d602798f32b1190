import { expect, test } from 'vitest'
import { type ProductApi, Refusal, Unreachable } from '../purchases/product-api.ts'
import { ChatFeed } from './chat-feed.ts'

type Asked = { path: string; after: string | null; message: string | null }
/** What a service answers: blocks of events and then the end, or a connection that breaks. */
type Answer = Error | null | { events: readonly string[]; breaks?: true }

const created = (id: number, run: string, client: string | null = null) =>
  event(id, 'message.created', { run_id: run, message: { place: id, client_message_id: client } })
const done = (id: number, run: string, status: string) => event(id, 'done', { run_id: run, status })

function event(id: number, name: string, data: object): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** A service with one answer for each time that it is asked; a function is given the message. */
function open(
  answers: readonly (Answer | ((message: string) => Answer))[],
  options: { after?: string | null } = {},
) {
  const asked: Asked[] = []
  const posted: string[] = []
  const heard: string[] = []
  const left = [...answers]
  const said = Promise.withResolvers<string>()
  const api = {
    async get() {
      return { data: [{ place: 7, role: 'assistant', status: 'completed', run_id: 'r1', parts: [] }] }
    },
    async post(path: string, body?: { client_message_id: string }) {
      posted.push(path)
      if (body) said.resolve(body.client_message_id)
      return { run_id: 'r2' }
    },
    async stream(path: string, { body, after = null }: { body?: object; after?: string | null }) {
      const message = body && 'client_message_id' in body ? String(body.client_message_id) : null
      asked.push({ path, after, message })
      const next = left.shift()
      if (next === undefined) return new Promise<never>(() => undefined)
      const answer = typeof next === 'function' ? next(message ?? (await said.promise)) : next
      if (answer instanceof Error) throw answer
      return answer && bytesOf(answer)
    },
  } as unknown as ProductApi
  const troubles: unknown[] = []
  const feed = new ChatFeed(
    api,
    {
      event: ({ id, event }) => heard.push(`${id} ${event}`),
      missed: ({ place }) => heard.push(`missed ${place}`),
      trouble: (error) => troubles.push(error),
    },
    { chatId: 'c1', after: options.after === undefined ? '0' : options.after, place: 0 },
  )
  return { feed, asked, heard, posted, troubles }
}

async function* bytesOf({ events, breaks }: { events: readonly string[]; breaks?: true }) {
  const encoder = new TextEncoder()
  // Cut where no event ends.
  for (const one of events) for (const half of [one.slice(0, 9), one.slice(9)]) yield encoder.encode(half)
  if (breaks) throw new TypeError('terminated')
}

test('an answer comes over the connection that posts the message', async () => {
  const { feed, asked, heard } = open([
    (message) => ({ events: [created(1, 'r1', message), ': waiting\n\n', done(2, 'r1', 'completed')] }),
  ])
  expect(await feed.say('a mug')).toBe('completed')
  expect(heard).toEqual(['1 message.created', '2 done'])
  expect(asked.map(({ path }) => path)).toEqual(['/v1/chats/c1/messages'])
})

test('after a break the rest comes, each event once, from behind the last one that was heard', async () => {
  const { feed, asked, heard } = open([
    (message) => ({ events: [created(1, 'r1', message)], breaks: true }),
    { events: [event(2, 'part.delta', {}), event(2, 'part.delta', {})], breaks: true },
    new Unreachable('away'),
    { events: [done(3, 'r1', 'completed')] },
  ])
  expect(await feed.say('a mug')).toBe('completed')
  expect(heard).toEqual(['1 message.created', '2 part.delta', '3 done'])
  expect(asked.slice(1, 4).map(({ path, after }) => [path, after])).toEqual([
    ['/v1/chats/c1/stream', '1'],
    ['/v1/chats/c1/stream', '2'],
    ['/v1/chats/c1/stream', '2'],
  ])
})

test('a message whose connection breaks before any event is posted again as the same message', async () => {
  const { feed, asked } = open([
    { events: [], breaks: true },
    (message) => ({ events: [created(1, 'r1', message), done(2, 'r1', 'completed')] }),
  ])
  await feed.say('a mug')
  expect(new Set(asked.map(({ message }) => message)).size).toBe(1)
  expect(asked).toHaveLength(2)
})

test('what waits for a purchase goes on beside the next message, over one connection', async () => {
  const { feed, asked, posted, heard } = open([
    (message) => ({ events: [created(1, 'r1', message), done(2, 'r1', 'waiting')] }),
    (message) => ({
      events: [
        created(3, 'r2', message),
        created(4, 'r1'),
        done(5, 'r1', 'completed'),
        done(6, 'r2', 'completed'),
      ],
    }),
    null,
  ])
  expect([await feed.say('buy it'), feed.isWaiting]).toEqual(['waiting', true])
  expect([await feed.say('and a lamp'), feed.isWaiting]).toEqual(['completed', false])
  expect(heard.map((one) => Number.parseInt(one, 10))).toEqual([1, 2, 3, 4, 5, 6])
  expect(posted).toEqual(['/v1/chats/c1/messages'])
  // Whatever is asked once all is over.
  expect(asked.slice(0, 2).map(({ path }) => path.split('/').at(-1))).toEqual(['messages', 'stream'])
})

test('where events are deleted, the messages are read', async () => {
  const { feed, heard } = open([
    (message) => ({ events: [created(1, 'r1', message)], breaks: true }),
    { events: ['event: cursor.expired\ndata: {}\n\n'] },
    null,
  ])
  expect(await feed.say('a mug')).toBe('completed')
  expect(heard).toEqual(['1 message.created', 'missed 7'])
})

test('a run is stopped by a call once it is known', async () => {
  const { feed, posted } = open([(message) => ({ events: [created(1, 'r1', message)], breaks: true })])
  void feed.say('a mug')
  await feed.stop()
  expect(posted).toEqual(['/v1/chats/c1/runs/r1/stop'])
  feed.close()
})

test('a refusal ends the message, and what fails while nobody waits is told', async () => {
  const refusal = new Refusal(429, { detail: { code: 'rate_limited', message: 'Wait.' } })
  const { feed, troubles } = open([refusal, refusal])
  await expect(feed.say('a mug')).rejects.toBe(refusal)
  feed.follow()
  await expect.poll(() => troubles).toEqual([refusal])
})
