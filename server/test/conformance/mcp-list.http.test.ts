import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations, product } from '../../src/composition.ts'
import { standsOn } from '../../src/contract/operation.ts'
import { belongsTo, type Scope, scopePresets, type Toolset, toolsetNames } from '../../src/contract/scopes.ts'
import type { ListedTool, ToolDefinition } from '../../src/contract/tools.ts'
import { issueBoundKey } from '../../src/domain/accounts/api-keys/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { isObject } from '../../src/schema/schema-node.ts'
import { protocolVersions } from '../../src/surfaces/v1/mcp/revisions.ts'
import { type Answer, startTestApp, type TestApp } from '../harness/app.ts'
import { person } from '../harness/person.ts'

let app: TestApp
let manifest: { protocol_versions: string[]; tools: ToolDefinition[] }
beforeAll(async () => {
  app = await startTestApp()
  manifest = (await app.get('/mcp/v1/manifest.json', { key: null })).body
})
afterAll(() => app.stop())

const revisions = ['2025-11-25', '2025-06-18', '2025-03-26']
const asTool = operations.filter((each) => standsOn(each, 'mcp'))

function ask(key: string | null, query = '', revision = '2025-11-25'): Promise<Answer> {
  return app.request('POST', `/mcp/v1${query}`, {
    key,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': revision },
  })
}

async function listed(key: string | null, query = '', revision?: string): Promise<ListedTool[]> {
  const { status, body } = await ask(key, query, revision)
  expect([status, JSON.stringify(body.error)]).toEqual([200, undefined])
  return body.result.tools
}

const namesOf = (tools: { name: string }[]) => tools.map(({ name }) => name)

describe('a list', () => {
  test('shows the tools whose scopes the key has, in the order of the interface, and no answers', async () => {
    for (const preset of scopePresets) {
      const { token } = await app.newKey(app.account, 'test', preset)
      const granted: readonly (string | null)[] = product.scopes.presets[preset]
      const expected = asTool.filter(({ scope }) => scope === null || granted.includes(scope))
      const tools = await listed(token)
      expect([preset, namesOf(tools)]).toEqual([preset, expected.map(({ id }) => id)])
      expect(await listed(token)).toEqual(tools)
      for (const tool of tools) expect(tool).not.toHaveProperty('outputSchema')
    }
  })

  test('shows tools that need a key only with a key, and shows nothing to a publishable key', async () => {
    const open = asTool.filter(({ auth }) => auth === 'optional' || auth === 'none')
    expect(namesOf(await listed(null))).toEqual(open.map(({ id }) => id))
    expect(await listed(app.account.keys.publishable_test)).toEqual([])
  })

  test('shows an agent of one profile what serves such agents', async () => {
    const profileId = (await app.post('/v1/profiles', person)).body.id
    const tenant = { accountId: app.account.accountId, mode: 'test' } as const
    const { token } = await runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, (ctx) =>
      issueBoundKey(ctx, { kind: 'secret', name: 'agent', preset: 'buyer_agent', profileId }),
    )
    const granted: readonly (string | null)[] = product.scopes.presets.buyer_agent
    const expected = asTool.filter(({ scope, forBound }) => granted.includes(scope) && forBound === 'served')
    expect(namesOf(await listed(token))).toEqual(expected.map(({ id }) => id))
  })

  test('is the same in every revision, and shared caches may not keep it', async () => {
    const { token } = await app.newKey(app.account, 'test', 'buyer_agent')
    const tools = await listed(token)
    for (const revision of revisions) expect(await listed(token, '', revision)).toEqual(tools)
    const newest = await app.request('POST', '/mcp/v1', {
      key: token,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: modernMeta } },
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
      },
    })
    expect(newest.body.result).toMatchObject({ tools, ttlMs: 300_000, cacheScope: 'private' })
  })

  test('of an agent leaves room for its work: at most 50,000 characters', async () => {
    const { token } = await app.newKey(app.account, 'test', 'buyer_agent')
    const { body } = await ask(token)
    expect(body.result.tools.length).toBeGreaterThan(20)
    expect(JSON.stringify(body).length).toBeLessThanOrEqual(50_000)
  })

  test('asks of arguments nothing but what the manifest asks', async () => {
    const tools = new Map(manifest.tools.map((tool) => [tool.name, tool]))
    for (const { name, inputSchema, ...rest } of await listed(app.account.keys.secret_test)) {
      const { outputSchema: _, annotations, ...whole } = tools.get(name) ?? ({} as ToolDefinition)
      const { title: __, ...hints } = annotations
      expect({ ...rest, name }).toEqual({
        title: whole.title,
        description: whole.description,
        name,
        annotations: hints,
      })
      expect(additions(inputSchema, whole.inputSchema, name)).toEqual([])
      expect(inputSchema.required).toEqual(whole.inputSchema.required)
    }
  })
})

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The instructions that a client reads first: of a revision that has a greeting, and of the newest. */
async function greetings(key: string | null, query: string): Promise<string[]> {
  const accept = 'application/json, text/event-stream'
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const older = await app.request('POST', `/mcp/v1${query}`, {
    key,
    body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    headers: { accept },
  })
  const newest = await app.request('POST', `/mcp/v1${query}`, {
    key,
    body: { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: modernMeta } },
    headers: { accept, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' },
  })
  return [older, newest].map(({ body }) => body.result.instructions)
}

/** What the shorter schema says and the whole one does not. */
function additions(short: unknown, whole: unknown, at: string): string[] {
  if (!isObject(short) && !Array.isArray(short)) return short === whole ? [] : [at]
  if (typeof whole !== 'object' || whole === null) return [at]
  const others = new Map<string, unknown>(Object.entries(whole))
  return Object.entries(short).flatMap(([name, value]) => additions(value, others.get(name), `${at}.${name}`))
}

describe('?toolset=', () => {
  test('narrows the list of a key, and gives it nothing that it lacks', async () => {
    const { token: agent } = await app.newKey(app.account, 'test', 'buyer_agent')
    for (const key of [app.account.keys.secret_test, agent]) {
      const all = namesOf(await listed(key))
      for (const toolset of toolsetNames) {
        const expected = asTool.filter(
          (each) => all.includes(each.id) && belongsTo(toolset, each, product.scopes),
        )
        expect(namesOf(await listed(key, `?toolset=${toolset}`))).toEqual(expected.map(({ id }) => id))
      }
    }
    expect(namesOf(await listed(agent, '?toolset=merchant'))).toEqual([])
    expect(namesOf(await listed(agent, '?toolset=buyer'))).toContain('v1_create_purchase_intent')
  })

  test('that leaves nothing of a list is explained where a model is greeted, in every revision', async () => {
    const { token: agent } = await app.newKey(app.account, 'test', 'buyer_agent')
    const { publishable_test: publishable } = app.account.keys
    for (const [key, query, said] of [
      [agent, '?toolset=merchant', 'may call no tool of the toolset "merchant"'],
      [publishable, '', 'Its API key may call no tool.'],
      [null, '?toolset=merchant', 'It has no API key'],
    ] as const) {
      expect([query, namesOf(await listed(key, query))]).toEqual([query, []])
      for (const instructions of await greetings(key, query)) {
        expect(instructions).toContain('This connection has no tools')
        expect(instructions).toContain(said)
      }
    }
    const [greeting] = await greetings(agent, '?toolset=merchant')
    expect(greeting).toContain('a toolset that this key has tools of: buyer, discovery, admin.')
    for (const instructions of await greetings(agent, '?toolset=buyer'))
      expect(instructions).toContain('To buy:')
  })

  test('of every scope names at least one', () => {
    const scopes = product.scopes.presets.full
    expect(scopes.length).toBeGreaterThan(20)
    const belongs = (scope: Scope) =>
      toolsetNames.some((toolset: Toolset) => belongsTo(toolset, { scope }, product.scopes))
    expect(scopes.filter((scope) => !belongs(scope))).toEqual([])
  })

  test('that does not exist is refused with the names of those that do, for every request', async () => {
    for (const query of ['?toolset=buyers', '?toolset=', '?toolset=buyer&toolset=admin']) {
      const { status, body } = await ask(app.account.keys.secret_test, query)
      expect([status, body.error.code]).toEqual([400, -32_600])
      expect(body.error.message).toContain('buyer, merchant, discovery, admin')
      expect(body.error.data.detail).toMatchObject({ code: 'bad_request', param: 'toolset' })
    }
  })
})

test('the manifest is public, whole, and in the order of the interface', () => {
  expect(namesOf(manifest.tools)).toEqual(asTool.map(({ id }) => id))
  expect(manifest.protocol_versions).toEqual(protocolVersions)
  for (const tool of manifest.tools) {
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(tool.outputSchema.type).toBe('object')
    expect(JSON.stringify(tool)).not.toMatch(/noCardNumber|x-component|patternProperties|"~/)
    const { annotations } = tool
    for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const) {
      expect([tool.name, hint, typeof annotations[hint]]).toEqual([tool.name, hint, 'boolean'])
    }
  }
})
