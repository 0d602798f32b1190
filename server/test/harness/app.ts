import { expect } from 'vitest'
import { operations } from '../../src/api.ts'
import { type Api, createApi, openParts, type Parts } from '../../src/app.ts'
import type { Mode } from '../../src/contract/context.ts'
import type { Operation } from '../../src/contract/operation.ts'
import type { ScopePreset } from '../../src/contract/scopes.ts'
import { compileSchema } from '../../src/contract/validation.ts'
import type { Id } from '../../src/core/id.ts'
import { issueKey, openAccount, type StartingKeys } from '../../src/features/api-keys/public.ts'
import { act, inTenant } from '../../src/platform/calls/act.ts'
import { createMemoryHints } from '../../src/platform/hints/memory-hints.ts'
import { envKeyProvider } from '../../src/platform/secrets/keys.ts'
import { createTestDatabase } from './database.ts'

export type TestAccount = { accountId: Id<'acct'>; keys: StartingKeys }

export type Answer = {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
  body: any
}

export type RequestOptions = {
  key?: string | null
  headers?: Record<string, string>
  body?: unknown
  raw?: string | Uint8Array
}

/** The API on a database of its own, listening on loopback, and accounts to call it as. */
export type TestApp = {
  url: string
  databaseUrl: string
  parts: Parts
  api: Api
  /** The account most tests call as, and a stranger to it. */
  account: TestAccount
  stranger: TestAccount
  /** Calls as `account.keys.secret_test` unless another key, or null for none, is given. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
  get(path: string, options?: RequestOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  newAccount(name?: string): Promise<TestAccount>
  newKey(account: TestAccount, mode: Mode, preset: ScopePreset): Promise<{ id: string; token: string }>
  bugs: unknown[]
  stop(): Promise<void>
}

const testKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`

export async function startTestApp(options: { testClock?: boolean } = {}): Promise<TestApp> {
  const database = await createTestDatabase()
  const bugs: unknown[] = []
  const parts = await openParts({
    databaseUrl: database.url,
    role: 'test',
    keys: envKeyProvider(testKeys),
    hints: createMemoryHints(),
    settings: { publicUrl: 'http://127.0.0.1', allowLoopback: true, livePayments: false },
    testClock: options.testClock ?? false,
    writers: 8,
    readers: 2,
    onDatabaseError: (error) => bugs.push(error),
  })
  const api = createApi(parts, {
    anonymousDiscovery: true,
    onRequest: () => undefined,
    onBug: (error) => {
      bugs.push(error)
    },
    checkReply: createReplyCheck(),
  })
  const url = await api.http.listen({ host: '127.0.0.1', port: 0 })
  const account = await newAccount(parts, 'Integrator')
  const stranger = await newAccount(parts, 'Stranger')
  const request: TestApp['request'] = (method, path, given = {}) =>
    send(`${url}${path}`, method, { key: account.keys.secret_test, ...given })
  return {
    url,
    databaseUrl: database.url,
    parts,
    api,
    account,
    stranger,
    bugs,
    request,
    get: (path, given) => request('GET', path, given),
    post: (path, body, given) => request('POST', path, { body, ...given }),
    newAccount: (name = 'Another') => newAccount(parts, name),
    newKey: (owner, mode, preset) =>
      act(
        parts,
        { tenant: { accountId: owner.accountId, mode }, actor: { type: 'system', id: 'test' } },
        async (ctx) => {
          const { key, token } = issueKey(ctx, { kind: 'secret', name: preset, preset })
          return { id: key.id, token }
        },
      ),
    async stop() {
      await api.stop()
      await parts.close()
      await database.drop()
      expect(bugs).toEqual([])
    },
  }
}

export async function newAccount(parts: Parts, name: string): Promise<TestAccount> {
  const accountId = parts.newId('acct', Date.now())
  const tenant = { accountId, mode: 'test' } as const
  const keys = await act(parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) =>
    openAccount((mode) => inTenant(ctx, { accountId, mode }, parts.sealer({ accountId, mode })), {
      id: accountId,
      name,
    }),
  )
  return { accountId, keys }
}

async function send(
  url: string,
  method: string,
  { key, headers, body, raw }: RequestOptions,
): Promise<Answer> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(url, {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

/** Every reply that any test receives is checked against the schema its operation declares for that status. */
function createReplyCheck(): (operation: Operation, status: number, body: unknown) => void {
  const validators = new Map<string, ReturnType<typeof compileSchema>>()
  return (operation, status, body) => {
    const schema = operations.find(({ id }) => id === operation.id)?.responses[status]
    if (!schema) throw new Error(`${operation.id} answered ${status}, which it does not declare`)
    const name = `${operation.id} ${status}`
    const validator = validators.get(name) ?? compileSchema(schema, 'body')
    validators.set(name, validator)
    const wire: unknown = JSON.parse(JSON.stringify(body))
    if (!validator.check(wire)) {
      throw new Error(`${name} answered outside its schema: ${JSON.stringify(validator.errors(wire))}`)
    }
  }
}
