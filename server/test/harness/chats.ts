import { expect, vi } from 'vitest'
import { patientMs } from '../gate/pace.ts'
import type { Answer, RequestOptions, TestAccount, TestApp } from './app.ts'
import { replayed } from './replay-chat.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
type Json = any

type ChatEvent = { id: string; event: string; data: Json }

/** A shop of ours that sells kettles in two colors, a mug in three sizes, and soap. */
export async function openHouseholdShop(app: TestApp): Promise<{ seller: TestAccount; domain: string }> {
  const slug = `household-${app.parts.newId('req', Date.now()).slice(-6)}`
  const domain = `${slug}.example`
  const seller = await app.newAccount('Household')
  const key = seller.keys.secret_test
  await app.post('/v1/merchant', { name: 'Household', slug, domain, currency: 'EUR' }, { key })
  await app.sql('update merchants set domain_verified_at = now() where account_id = $1', [seller.accountId])
  const color = (value: string, price: number) => ({
    sku: `K-${value}`,
    price,
    options: [{ name: 'Color', value }],
  })
  const size = (value: string) => ({ sku: `M-${value}`, price: 900, options: [{ name: 'Size', value }] })
  const items = [
    {
      title: 'Quiet kettle 1.7 l',
      url: `https://${domain}/quiet-kettle`,
      options: [{ name: 'Color', values: ['Red', 'Blue'] }],
      variants: [color('Red', 3900), color('Blue', 4100)],
    },
    {
      title: 'Travel kettle',
      url: `https://${domain}/travel-kettle`,
      variants: [{ sku: 'TK', price: 2400 }],
    },
    { title: 'Glass kettle', url: `https://${domain}/glass-kettle`, variants: [{ sku: 'GK', price: 5500 }] },
    {
      title: 'Stoneware mug',
      url: `https://${domain}/mug`,
      options: [{ name: 'Size', values: ['S', 'M', 'L'] }],
      variants: [size('S'), size('M'), size('L')],
    },
    { title: 'Olive soap', url: `https://${domain}/soap`, variants: [{ sku: 'SOAP', price: 450 }] },
  ]
  for (const item of items) {
    const made = await app.post('/v1/merchant/catalog_items', item, { key })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const published = await app.post(`/v1/merchant/catalog_items/${made.body.id}/publish`, undefined, { key })
    expect(published.status, JSON.stringify(published.body)).toBe(200)
  }
  // What is published is found a moment later.
  const search = async () => {
    const { body } = await app.post('/v1/catalog', { query: 'olive soap' })
    expect(body.products, JSON.stringify(body)).not.toHaveLength(0)
  }
  await vi.waitFor(search, { interval: 100, timeout: patientMs(20_000) })
  return { seller, domain }
}

/** Writes in a chat, and waits until the message is answered. */
export async function talk(
  app: TestApp,
  chatId: string,
  text: string,
  options: RequestOptions = {},
): Promise<Json> {
  const posted = await app.post(`/v1/chats/${chatId}/messages`, { parts: [{ type: 'text', text }] }, options)
  expect(posted.status, JSON.stringify(posted.body)).toBe(202)
  return await answerTo(app, posted.body, options)
}

/** The answer of a run, once it is complete. */
export async function answerTo(
  app: TestApp,
  { chat_id, run_id }: { chat_id: string; run_id: string },
  options: RequestOptions = {},
): Promise<Json> {
  let answer: Json
  await expect
    .poll(
      async () => {
        const { body } = await app.get(`/v1/chats/${chat_id}/messages?limit=200`, options)
        answer = body.data.findLast(
          (message: Json) => message.role === 'assistant' && message.run_id === run_id,
        )
        return answer?.status
      },
      { interval: 10, timeout: patientMs(20_000) },
    )
    .toMatch(/completed|stopped|failed/)
  return answer
}

export function partsOf(message: Json, type: string): Json[] {
  return message.parts.filter((part: Json) => part.type === type)
}

export function textOf(message: Json): string {
  return partsOf(message, 'text')
    .map(({ text }) => text)
    .join(' ')
}

/** Every event of a stream, until it ends. */
export async function eventsOf(response: Response): Promise<ChatEvent[]> {
  const text = await response.text()
  return text.split('\n\n').flatMap((block) => {
    const field = (name: string) =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2)
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
}

export function openStream(
  app: TestApp,
  path: string,
  {
    key = app.account.keys.secret_test,
    lastEventId,
    body,
  }: { key?: string; lastEventId?: string; body?: unknown } = {},
): Promise<Response> {
  return fetch(`${app.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patientMs(30_000)),
  })
}

export async function newChat(
  app: TestApp,
  profileId: string,
  options: RequestOptions = {},
): Promise<string> {
  const made: Answer = await app.post('/v1/chats', { profile_id: profileId }, options)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.id
}

/** Nothing is streamed that is not kept, and nothing kept that was not streamed. The chat is at rest. */
export async function expectStreamedAsKept(app: TestApp, chat: string): Promise<void> {
  const rows: { id: string; event: string; data: string }[] = await app.sql(
    'select position::text as id, type as event, data from chat_events where chat_id = $1 order by position',
    [chat],
  )
  const events = rows.map((row) => ({ ...row, data: JSON.parse(row.data) }))
  const { messages, broken } = replayed(events)
  expect(broken).toEqual([])
  const { body } = await app.get(`/v1/chats/${chat}/messages?limit=200`)
  expect(body.data).toEqual([...messages.values()])
  const runs: { id: string }[] = await app.sql('select id from chat_runs where chat_id = $1', [chat])
  for (const { id } of runs) {
    const answers = body.data.filter(({ role, run_id }: Json) => role === 'assistant' && run_id === id)
    expect(answers, `answers of ${id}`).toHaveLength(1)
  }
}
