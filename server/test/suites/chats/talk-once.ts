import { setTimeout as delay } from 'node:timers/promises'
import { patience } from '../../gate/pace.ts'
import { bodyOf, newProfile, type Service } from '../whole-product.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of the interface, which its own client holds to the document
type Json = any

/** What was written in a chat, with the run that answers it. */
type Asked = { readonly text: string; readonly run: string }

/** A chat of a profile of its own, in which was found, bought, cancelled, and bought again under a policy. */
export type Talked = { readonly chat: string; readonly profile: string; readonly asked: readonly Asked[] }

const answerPatienceMs = 60_000
const overPatienceMs = 60_000
const foundPatienceMs = 60_000

export type Person = ReturnType<typeof personAt>

/** Somebody who writes in chats by REST. */
export function personAt(service: Service) {
  async function post(path: string, body: object, status: number): Promise<Json> {
    const request = { method: 'POST', path, key: service.person, body: JSON.stringify(body) }
    return bodyOf(await service.client().rest(request), status)
  }

  async function messagesOf(chat: string): Promise<Json[]> {
    const body: Json = await service.get(`/v1/chats/${chat}/messages?limit=200`)
    return body.data
  }

  async function say(chat: string, text: string): Promise<Asked> {
    const { run_id } = await post(`/v1/chats/${chat}/messages`, { parts: [{ type: 'text', text }] }, 202)
    return { text, run: run_id }
  }

  /** The first answer of a run, once it is complete. */
  async function answerTo(chat: string, { text, run }: Asked): Promise<Json> {
    for (const wait = patience(answerPatienceMs); ; ) {
      const answer = (await messagesOf(chat)).find(
        (message) => message.role === 'assistant' && message.run_id === run && message.status !== 'writing',
      )
      if (answer !== undefined) return answer
      if (wait.isOver()) throw new Error(`${chat}: nobody answers "${text}" (${run})`)
      await delay(50)
    }
  }

  return {
    post,
    messagesOf,
    say,
    answerTo,
    async newChat(): Promise<{ chat: string; profile: string }> {
      const profile = await newProfile(service)
      const { id } = await post('/v1/chats', { profile_id: profile }, 201)
      return { chat: id, profile }
    },
    async ask(chat: string, text: string): Promise<{ asked: Asked; answer: Json }> {
      const asked = await say(chat, text)
      return { asked, answer: await answerTo(chat, asked) }
    },
  }
}

/** What is bought: the merchant of the sandbox confirms it at once. */
export async function publishTeapot(service: Service): Promise<void> {
  const { post } = personAt(service)
  const { items, item_price: price } = service.ready.sandbox
  const item = {
    title: 'Whistling teapot',
    url: `${items.ok}?teapot`,
    item_type: 'product',
    variants: [{ sku: 'TEAPOT', price }],
  }
  const { id } = await post('/v1/merchant/catalog_items', item, 201)
  await post(`/v1/merchant/catalog_items/${id}/publish`, {}, 200)
  // Workers list what is published a moment later.
  const isFound = async () =>
    (await post('/v1/catalog', { query: 'whistling teapot' }, 200)).products.length > 0
  for (const wait = patience(foundPatienceMs); !(await isFound()); await delay(100))
    if (wait.isOver()) throw new Error('what is published is not found')
}

type Watching = { onAnswer: () => void; beforeBuying: () => Promise<void> }

/** Finds, buys what a person would have to approve, cancels it, and buys under a policy, until the chat has told the end of that. */
export async function talkOnce(person: Person, { onAnswer, beforeBuying }: Watching): Promise<Talked> {
  const { chat, profile } = await person.newChat()
  const asked: Asked[] = []
  const ask = async (text: string) => {
    const one = await person.ask(chat, text)
    asked.push(one.asked)
    onAnswer()
    return one.answer
  }
  await ask('find a whistling teapot')
  await beforeBuying()
  await ask('buy the first one')
  await ask('cancel it')
  await person.post('/v1/policies', policyFor(profile), 201)
  await ask('find a whistling teapot')
  await beforeBuying()
  await ask('buy the first one')
  const isTold = ({ type, status }: Json) => type === 'purchase_intent' && status === 'succeeded'
  const isOver = async () => (await person.messagesOf(chat)).some(({ parts }) => parts.some(isTold))
  for (const wait = patience(overPatienceMs); !(await isOver()); await delay(100))
    if (wait.isOver()) throw new Error(`${chat}: nobody says that its purchase is over`)
  return { chat, profile, asked }
}

function policyFor(profile: string): object {
  return {
    name: 'Unattended',
    currency: 'USD',
    scope: { profile_ids: [profile] },
    limits: { per_transaction_max: 10_000 },
    approval: { mode: 'never' },
  }
}
