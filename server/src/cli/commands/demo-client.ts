import { CommandFailure } from '../failure.ts'
import { sentEvents } from '../sent-events.ts'

export type TimelineEvent = {
  id: string
  type: string
  sequence: number
  cart_id?: string
  created_at: string
}

/** One line of what a shop testifies. */
export type ShopEntry = { kind: string; result: string; items: string | null; amount: number | null }

type LogEntry = { operation: string; result: string; reference: string; amount: number }

// biome-ignore lint/suspicious/noExplicitAny: answers of our own API, whose shapes its contract fixes
type Answer = any

/** The demo's client: an ordinary client of the public interface. */
export type DemoClient = {
  rest(key: string, method: string, path: string, body?: unknown): Promise<Answer>
  attempt(
    key: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Answer }>
  tool(key: string, name: string, args: object): Promise<Answer>
  /** Follows an intent's event stream to its end, or to an event that is enough. */
  follow(
    key: string,
    intentId: string,
    onEvent: (event: TimelineEvent) => void,
    isEnough?: (event: TimelineEvent) => boolean,
  ): Promise<void>
  log(url: string): Promise<LogEntry[]>
  shopLog(url: string): Promise<ShopEntry[]>
}

export function createDemoClient(baseUrl: string): DemoClient {
  const attempt: DemoClient['attempt'] = async (key, method, path, body) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  return {
    attempt,
    async rest(key, method, path, body) {
      const answer = await attempt(key, method, path, body)
      if (answer.status >= 400)
        throw new CommandFailure(`${method} ${path} answered ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    async tool(key, name, args) {
      const response = await fetch(`${baseUrl}/mcp/v1`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: args },
        }),
      })
      const message = rpcMessage(await response.text())
      // A refused call gives the reason in its text; a refused request is an error of its own.
      const refused = message.result?.isError ? message.result.content[0].text : message.error
      if (refused) throw new CommandFailure(`The tool ${name} answered ${JSON.stringify(refused)}`)
      return message.result.structuredContent
    },
    async follow(key, intentId, onEvent, isEnough = () => false) {
      const url = `${baseUrl}/v1/purchase_intents/${intentId}/events`
      for await (const event of eventsOf(url, key)) {
        onEvent(event)
        if (isEnough(event)) return
      }
    },
    async log(url) {
      return (await (await fetch(url)).json()) as LogEntry[] // the sandbox documents its log
    },
    async shopLog(url) {
      return (await (await fetch(url)).json()) as ShopEntry[] // and that of its shops
    },
  }
}

/** A Streamable HTTP answer is a JSON document, or one server-sent event that holds it. */
function rpcMessage(text: string): Answer {
  const data = text.startsWith('{') ? text : /^data: (.*)$/m.exec(text)?.[1]
  if (data === undefined)
    throw new CommandFailure(`The tool call was answered with no message: ${text.slice(0, 200)}`)
  return JSON.parse(data)
}

async function* eventsOf(url: string, key: string): AsyncGenerator<TimelineEvent> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
  })
  if (!response.ok || !response.body)
    throw new CommandFailure(`The event stream answered ${response.status}.`)
  for await (const { data } of sentEvents(response.body)) yield JSON.parse(data)
}
