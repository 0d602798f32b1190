import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BadRequest, type Fields, isObject } from '../fields.ts'
import type { IntegratorOptions } from './options.ts'

type Asked = { id: string | undefined; request: IncomingMessage; response: ServerResponse }

/** The chats of the site's visitor. Their page talks to this server, which adds the key and hands on what the service streams. */
export class Chats {
  readonly #options: Pick<IntegratorOptions, 'url' | 'key'>
  readonly #profileId: string

  constructor(options: Pick<IntegratorOptions, 'url' | 'key'>, profileId: string) {
    this.#options = options
    this.#profileId = profileId
  }

  /** The chat that the visitor talks in; it is begun where there is none. */
  async open(): Promise<string> {
    const { data } = await this.#read(`/v1/chats?profile_id=${this.#profileId}&status=active&limit=1`)
    const [newest] = data as Fields[]
    if (newest) return String(newest.id)
    const body = JSON.stringify({ profile_id: this.#profileId })
    return String((await this.#read('/v1/chats', { method: 'POST', body })).id)
  }

  /** Answers a request of the page; false: it is about something else. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const [path, id, what = ''] = /^\/chats(?:\/(\w+)\/(\w+))?$/.exec(request.url ?? '') ?? []
    const route = path === undefined ? undefined : this.#routes[`${request.method} ${what}`]
    if (route === undefined) return false
    await route({ id, request, response })
    return true
  }

  readonly #routes: Readonly<Record<string, (asked: Asked) => Promise<unknown>>> = {
    /** What `useChat` posts, to the chat that it names. */
    'POST ': async ({ request, response }) => {
      const body = await textOf(request)
      const said: unknown = JSON.parse(body)
      const id = await this.#own(isObject(said) ? said.id : undefined)
      const options = { method: 'POST', body, headers: { accept: 'text/event-stream' } }
      await this.#handOn(response, `/v1/chats/${id}/messages?format=ai-sdk`, options)
    },
    /** `useChat` asks for this when its page is opened again: 204, unless an answer is being written. */
    'GET stream': async ({ id, response }) =>
      this.#handOn(response, `/v1/chats/${await this.#own(id)}/stream?format=ai-sdk`),
    /** What happens later, such as the end of a purchase. */
    'GET events': async ({ id, request, response }) => {
      const last = request.headers['last-event-id']
      const options = typeof last === 'string' ? { headers: { 'last-event-id': last } } : {}
      await this.#handOn(response, `/v1/chats/${await this.#own(id)}/stream`, options)
    },
    'GET messages': async ({ id, response }) => {
      const messages = await this.#newestMessages(await this.#own(id), messagesMax)
      // An answer that is being written comes by its stream, from its beginning.
      sendJson(response, messages.filter(({ status }) => status !== 'writing').map(asOfSdk))
    },
    /** The run of the last message: what answers it, or what wrote it. */
    'POST stop': async ({ id, response }) => {
      const chat = await this.#own(id)
      const [last] = await this.#newestMessages(chat, 1)
      if (last) await this.#read(`/v1/chats/${chat}/runs/${last.run_id}/stop`, { method: 'POST' })
      sendJson(response, {})
    },
  }

  /** Only a chat of the visitor: an id that comes from a page is what anybody may have typed. */
  async #own(id: unknown): Promise<string> {
    const isId = typeof id === 'string' && /^chat_[0-9a-z]{26}$/.test(id)
    const chat = isId ? await this.#read(`/v1/chats/${id}`) : {}
    if (!isId || chat.profile_id !== this.#profileId)
      throw new BadRequest('There is no such chat.', 'not_found', 404)
    return id
  }

  async #newestMessages(id: string, count: number): Promise<Message[]> {
    const { message_count } = await this.#read(`/v1/chats/${id}`)
    const after = Math.max(0, Number(message_count) - count)
    return (await this.#read(`/v1/chats/${id}/messages?after=${after}&limit=${count}`)).data as Message[]
  }

  /** The stream of the service as it is, as long as the page reads it. */
  async #handOn(response: ServerResponse, path: string, options: RequestInit = {}): Promise<void> {
    const reading = new AbortController()
    response.once('close', () => reading.abort())
    const answer = await this.#ask(path, { ...options, signal: reading.signal })
    if (!answer.ok) throw refused(answer.status, await answer.json())
    for (const name of ['content-type', 'cache-control', 'x-vercel-ai-ui-message-stream']) {
      const value = answer.headers.get(name)
      if (value !== null) response.setHeader(name, value)
    }
    response.writeHead(answer.status)
    // A page that is closed ends the stream, and stops nothing.
    if (answer.body) await pipeline(Readable.fromWeb(answer.body), response).catch(() => undefined)
    else response.end()
  }

  async #read(path: string, options?: RequestInit): Promise<Fields> {
    const answer = await this.#ask(path, options)
    const said = (await answer.json()) as Fields
    if (!answer.ok) throw refused(answer.status, said)
    return said
  }

  #ask(path: string, { headers, ...options }: RequestInit = {}): Promise<Response> {
    const { url, key } = this.#options
    const own = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return fetch(`${url}${path}`, { ...options, headers: { ...own, ...(headers as Record<string, string>) } })
  }
}

type Message = { id: string; role: string; status: string; run_id: string; parts: Fields[] }

const messagesMax = 50

/** A message as `useChat` keeps it: a page that is opened again begins with these. */
function asOfSdk({ id, role, parts }: Message) {
  const shown = parts.filter(({ type }) => type !== 'tool_call' && type !== 'tool_result')
  return {
    id,
    role,
    parts: shown.map((part) => (part.type === 'text' ? part : { type: `data-${part.type}`, data: part })),
  }
}

function refused(status: number, said: unknown): BadRequest {
  const detail = isObject(said) && isObject(said.detail) ? said.detail : {}
  const words = typeof detail.message === 'string' ? detail.message : 'The service refused this.'
  return new BadRequest(words, 'refused', status)
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
