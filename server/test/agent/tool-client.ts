import { isObject } from '../../src/schema/schema-node.ts'

export type Members = Readonly<Record<string, unknown>>

/** A tool as the list shows it: all that an agent knows of it. */
export type SeenTool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, Members>>
    readonly required?: string[]
  }
  readonly annotations: { readonly readOnlyHint: boolean }
}

/** The result of a call as a model sees it, which is text. */
export type Seen = { readonly isError: boolean; readonly body: Members; readonly retryAfter: number | null }

/** Thrown where a call was sent and no answer came. */
export class NoAnswer extends Error {}

/** The three things that an agent can do with the server. */
export type ToolClient = {
  list(): Promise<SeenTool[]>
  call(name: string, args: Members): Promise<Seen>
}

type ToolClientOptions = {
  url: string
  key: () => string
  /** Whether the answer to a call is lost on its way. */
  isLost: (name: string) => boolean
}

/** A client that knows the protocol and nothing else. */
export function openToolClient({ url, key, isLost }: ToolClientOptions): ToolClient {
  async function ask(method: string, params: object): Promise<Members> {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key()}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return membersOf(JSON.parse(await response.text()))
  }
  return {
    async list() {
      const { tools } = membersOf((await ask('tools/list', {})).result)
      return tools as SeenTool[] // as the protocol has it
    },
    async call(name, args) {
      const answer = await ask('tools/call', { name, arguments: args })
      if (isLost(name)) throw new NoAnswer(name)
      // A key that no longer opens anything: hosts show their model the words of the error.
      if (answer.error !== undefined) {
        const { message } = membersOf(answer.error)
        return { isError: true, body: { detail: { message } }, retryAfter: null }
      }
      const { content, isError, _meta } = membersOf(answer.result)
      const [first] = Array.isArray(content) ? content : []
      const { retry_after: seconds } = membersOf(_meta)
      return {
        isError: isError === true,
        body: membersOf(JSON.parse(String(membersOf(first).text))),
        retryAfter: typeof seconds === 'number' ? seconds : null,
      }
    },
  }
}

export function membersOf(value: unknown): Members {
  return isObject(value) ? value : {}
}
