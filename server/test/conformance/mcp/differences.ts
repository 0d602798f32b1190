import { greetingParams, newest, requestMeta, type Sent } from './messages.ts'

export type Outcome = {
  status: number
  type: string | null
  /** The messages of the answer, each error as its code alone: the words are ours. */
  said: unknown
  code: number | null
  /** What was called on the way. */
  calls: readonly string[]
}

export type Compared = {
  sent: Sent
  own: Outcome
  theirs: Outcome
  /** What the package answers to the message without what is not read here. */
  theirsUnread: Outcome
}

/** Where the product answers something else than the official package, on purpose. All are messages that no conforming client sends. */
type Difference = {
  name: string
  why: string
  example: Sent
  explains: (compared: Compared) => boolean
}

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
const listOf = (meta: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } })
const newestHeaders = (method: string) => ({ 'mcp-protocol-version': newest, 'mcp-method': method })
const isGreeting = ({ message }: Sent) => message.method === 'initialize'
const isRefused = ({ status }: Outcome) => status === 400

export const differences: readonly Difference[] = [
  {
    name: 'what nobody reads',
    why: 'No tool asks its caller anything, logs or goes on: what a client says of its abilities beyond an object, its log level, and what it carries from an earlier question is not judged. Parameters, arguments and a cursor that are null are left out: several clients write them so.',
    example: {
      headers: newestHeaders('tools/list'),
      message: listOf({ ...requestMeta, 'io.modelcontextprotocol/logLevel': 'loud' }),
    },
    explains: ({ own, theirsUnread }) => isSame(own, theirsUnread),
  },
  {
    name: 'a revision that is not spoken',
    why: 'The package compares names of revisions as text, and refuses newer ones for what is missing in their `_meta`, and older ones with -32000. Here all are refused with the code of the newest revision for this, with the revisions that are spoken.',
    example: {
      headers: { 'mcp-protocol-version': '2024-11-05' },
      message: { jsonrpc: '2.0', id: 1, method: 'ping' },
    },
    explains: ({ own, theirs }) =>
      own.code === -32_022 && isRefused(theirs) && [-32_000, -32_020, -32_602].includes(theirs.code ?? 0),
  },
  {
    name: 'a greeting with a header that is not spoken',
    why: 'A greeting asks which revisions are spoken, so it is answered with them. One that waits for no answer is no greeting.',
    example: {
      headers: { 'mcp-protocol-version': '2099-01-01' },
      message: { jsonrpc: '2.0', id: 1, method: 'initialize', params: greetingParams },
    },
    explains: ({ sent, own, theirs }) =>
      isGreeting(sent) &&
      ((own.status === 200 && isRefused(theirs)) || (own.code === -32_022 && theirs.status === 202)),
  },
  {
    name: 'a greeting of the newest revision',
    why: 'That revision has none. A greeting that names that revision in its `_meta` or its header is judged like every request of it.',
    example: {
      headers: { 'mcp-protocol-version': newest },
      message: { jsonrpc: '2.0', id: 1, method: 'initialize', params: greetingParams },
    },
    explains: ({ sent, own, theirs }) =>
      isGreeting(sent) && isRefused(own) && (theirs.status === 200 || theirs.code === -32_020),
  },
  {
    name: 'parameters of a greeting or a list that are wrong',
    why: 'They are wrong parameters, and no error of the server.',
    example: { headers: {}, message: { jsonrpc: '2.0', id: 1, method: 'initialize' } },
    explains: ({ own, theirs }) => own.status === 200 && own.code === -32_602 && theirs.code === -32_603,
  },
  {
    name: 'the name in a header of a method that is not served',
    why: 'Whatever its headers say, there is no such method.',
    example: {
      headers: newestHeaders('prompts/get'),
      message: { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'p', _meta: requestMeta } },
    },
    explains: ({ own, theirs }) => own.status === 404 && theirs.code === -32_020,
  },
  {
    name: 'a request that is wrong twice',
    why: 'Its headers are held against the message before the revision is looked up, and a name in a header against nothing but a name. It is refused either way, with the code of another of its faults.',
    example: {
      headers: { 'mcp-protocol-version': '2099-01-01' },
      message: {
        ...call,
        params: {
          name: 'good',
          _meta: { ...requestMeta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
        },
      },
    },
    explains: ({ own, theirs }) =>
      (own.code === -32_020 && isRefused(own) && [-32_022, -32_000].includes(theirs.code ?? 0)) ||
      (own.code === -32_602 && [-32_020, -32_000].includes(theirs.code ?? 0)),
  },
  {
    name: 'the marks of an encoded name, one within the other',
    why: 'No name is encoded in "=?base64?=". The package reads its second question mark twice, and finds an empty name.',
    example: {
      headers: { ...newestHeaders('tools/call'), 'mcp-name': '=?base64?=' },
      message: { ...call, params: { name: '', _meta: requestMeta } },
    },
    explains: ({ sent, own }) => sent.headers['mcp-name'] === '=?base64?=' && own.code === -32_020,
  },
]

export function isSame(one: Outcome, other: Outcome): boolean {
  return sorted(one) === sorted(other)
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => (isRecord(each) ? inOrder(each) : each))
}

function inOrder(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** The message without what the product does not read. */
export function withoutUnread({ headers, message: given }: Sent): Sent {
  const message = given.params === null ? withoutNulls(given, ['params']) : given
  const params = isRecord(message.params)
    ? withoutNulls(message.params, ['_meta', 'arguments', 'cursor'])
    : null
  if (!params) return { headers, message }
  const { inputResponses: _, requestState: __, task: ___, ...read } = params
  const own = isRecord(read.capabilities) ? { ...read, capabilities: {} } : read
  const told = isRecord(own.clientInfo) ? { ...own, clientInfo: shortened(own.clientInfo) } : own
  const meta = isRecord(told._meta) ? { ...told, _meta: metaWithoutUnread(told._meta) } : told
  return { headers, message: { ...message, params: meta } }
}

function withoutNulls(given: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null || !names.includes(name)),
  )
}

function metaWithoutUnread(meta: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { 'io.modelcontextprotocol/logLevel': _, ...read } = meta
  const abilities = 'io.modelcontextprotocol/clientCapabilities'
  const info = 'io.modelcontextprotocol/clientInfo'
  return {
    ...read,
    ...(isRecord(read[abilities]) ? { [abilities]: {} } : {}),
    ...(isRecord(read[info]) ? { [info]: shortened(read[info]) } : {}),
  }
}

function shortened({ name, version }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { name, version }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
