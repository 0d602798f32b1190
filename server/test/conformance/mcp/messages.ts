import fc from 'fast-check'

/** What a client sends: the headers that the protocol speaks of, and one message. */
export type Sent = { headers: Record<string, string>; message: Record<string, unknown> }

export const newest = '2026-07-28'
export const older: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26']

/** What each request of the newest revision says of itself. */
export const requestMeta = {
  'io.modelcontextprotocol/protocolVersion': newest,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export const greetingParams = {
  protocolVersion: '2025-11-25',
  capabilities: { roots: { listChanged: true } },
  clientInfo: { name: 'test', version: '1' },
}

const paramsOf: readonly (readonly [string, Record<string, unknown>])[] = [
  ['tools/call', { name: 'good', arguments: { a: [1] } }],
  ['tools/call', { name: 'good' }],
  ['tools/call', { name: 'refused', arguments: {} }],
  ['tools/call', { name: 'unknown', arguments: {} }],
  ['tools/call', { name: 'broken', arguments: {} }],
  ['tools/list', {}],
  ['tools/list', { cursor: 'x' }],
  ['initialize', greetingParams],
  ['ping', {}],
  ['server/discover', {}],
  ['subscriptions/listen', { notifications: { toolsListChanged: true, resourceSubscriptions: ['a'] } }],
  ['logging/setLevel', { level: 'info' }],
  ['prompts/get', { name: 'p' }],
  ['resources/read', { uri: 'a:b' }],
  ['tasks/get', { taskId: 't' }],
  ['completion/complete', {}],
  ['constructor', {}],
  ['', {}],
]
const notifications: readonly (readonly [string, Record<string, unknown>])[] = [
  ['notifications/initialized', {}],
  ['notifications/cancelled', { requestId: 1, reason: 'r' }],
  ['notifications/progress', { progressToken: 1, progress: 2 }],
  ['notifications/nothing', { a: 1 }],
  ['tools/call', { name: 'good' }],
]
const progress = fc.constantFrom<Record<string, unknown>>(
  {},
  {},
  { progressToken: 'p' },
  { progressToken: 7 },
)

/** As a client of this revision sends it; null: of one that has no header for its revision. */
export function wellFormed(revision: string | null): fc.Arbitrary<Sent> {
  const request = fc
    .tuple(fc.constantFrom(...paramsOf), fc.constantFrom<string | number>('seven', 7, 0, -1, ''), progress)
    .map(([[method, params], id, meta]) => sent(revision, { method, id }, { params, meta }))
  const notification = fc
    .tuple(fc.constantFrom(...notifications), progress)
    .map(([[method, params], meta]) => sent(revision, { method }, { params, meta }))
  const answer = fc
    .constantFrom<Record<string, unknown>>(
      { id: 1, result: {} },
      { id: 'x', result: { a: 1, _meta: {} } },
      { id: 1, error: { code: -1, message: 'm' } },
      { error: { code: -1, message: 'm', data: 5 } },
    )
    .map((members) => ({ headers: revisionHeader(revision), message: { jsonrpc: '2.0', ...members } }))
  return fc.oneof(
    { weight: 6, arbitrary: request },
    { weight: 2, arbitrary: notification },
    { weight: 1, arbitrary: answer },
  )
}

type Given = { params: Record<string, unknown>; meta: Record<string, unknown> }

function sent(
  revision: string | null,
  named: { method: string; id?: string | number },
  { params, meta }: Given,
): Sent {
  const isNewest = revision === newest
  const whole = { ...meta, ...(isNewest && 'id' in named ? requestMeta : {}) }
  const withMeta = Object.keys(whole).length === 0 ? params : { ...params, _meta: whole }
  const message = {
    jsonrpc: '2.0',
    ...named,
    ...(Object.keys(withMeta).length === 0 ? {} : { params: withMeta }),
  }
  const name = params.name ?? params.uri ?? params.taskId
  return {
    headers: {
      ...revisionHeader(revision),
      ...(isNewest ? { 'mcp-method': named.method } : {}),
      ...(isNewest && typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    message,
  }
}

function revisionHeader(revision: string | null): Record<string, string> {
  return revision === null ? {} : { 'mcp-protocol-version': revision }
}

const oddValues = [
  null,
  true,
  0,
  -1,
  1.5,
  '',
  'x',
  '2025-11-25',
  '2026-07-28',
  '2099-01-01',
  [],
  [1],
  {},
  { a: 1 },
]
const addedMembers: readonly (readonly [string, unknown])[] = [
  ['more', 1],
  ['id', 3],
  ['method', 'ping'],
  ['result', {}],
  ['error', { code: 1, message: 'm' }],
  ['_meta', requestMeta],
  ['_meta', { progressToken: 1 }],
  ['cursor', 'x'],
  ['inputResponses', {}],
  ['requestState', 'x'],
  ['requestState', 5],
  ['io.modelcontextprotocol/protocolVersion', '2025-11-25'],
  ['io.modelcontextprotocol/logLevel', 'info'],
  ['io.modelcontextprotocol/logLevel', 'loud'],
  ['sampling', 5],
  ['extensions', { 'a/b': 5 }],
  ['title', 5],
  ['websiteUrl', 5],
  ['traceparent', '00-1-1-01'],
]
const headerValues = [
  undefined,
  '',
  'x',
  'good',
  'tools/call',
  'tools/list',
  '=?base64?Z29vZA==?=',
  '=?base64?Z29vZA?=',
  '=?base64?/w==?=',
  '=?base64?=',
  '2024-11-05',
  '2099-01-01',
  newest,
  ...older,
]

type Change =
  | { kind: 'replaced' | 'added' | 'removed'; at: number; value: unknown; member: readonly [string, unknown] }
  | { kind: 'header'; name: string; value: string | undefined }

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('replaced' as const, 'added' as const, 'removed' as const),
    at: fc.nat(30),
    value: fc.constantFrom<unknown>(...oddValues),
    member: fc.constantFrom(...addedMembers),
  }),
  fc.record({
    kind: fc.constant('header' as const),
    name: fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name'),
    value: fc.constantFrom(...headerValues),
  }),
)

/** What was well-formed, with up to three things about it changed. */
export function malformed(revision: string | null): fc.Arbitrary<Sent> {
  return fc
    .tuple(wellFormed(revision), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([good, changes]) => changes.reduce(changed, good))
}

function changed({ headers, message }: Sent, one: Change): Sent {
  if (one.kind === 'header') {
    const { [one.name]: _, ...others } = headers
    return { message, headers: one.value === undefined ? others : { ...others, [one.name]: one.value } }
  }
  const copy: Record<string, unknown> = structuredClone(message)
  const places = placesIn(copy)
  const place = places[one.at % places.length]
  if (place) change1(place, one)
  return { headers, message: copy }
}

function change1({ holder, name }: Place, one: Exclude<Change, { kind: 'header' }>): void {
  if (one.kind === 'removed') delete holder[name]
  else if (one.kind === 'replaced') holder[name] = structuredClone(one.value)
  else holder[one.member[0]] = structuredClone(one.member[1])
}

type Place = { holder: Record<string, unknown>; name: string }

function placesIn(holder: Record<string, unknown>): Place[] {
  return Object.entries(holder).flatMap(([name, value]) => [
    { holder, name },
    ...(isRecord(value) ? placesIn(value) : []),
  ])
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
