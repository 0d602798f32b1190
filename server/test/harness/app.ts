import { type Api, createApi } from '../../src/app.ts'
import { everyOperation } from '../../src/composition.ts'
import type { Mode, Settings } from '../../src/contract/context.ts'
import { type Limits, limitsTable, mapLimits } from '../../src/contract/limits.ts'
import type { Operation } from '../../src/contract/operation.ts'
import type { Binding } from '../../src/contract/port.ts'
import type { ScopePreset } from '../../src/contract/scopes.ts'
import type { Id } from '../../src/core/id.ts'
import {
  issueKey,
  type KeyKind,
  openAccount,
  type StartingKeys,
} from '../../src/domain/accounts/api-keys/public.ts'
import type { CardKeeper } from '../../src/domain/buyers/card-setups/port.ts'
import type { WalletKeeper } from '../../src/domain/buyers/wallets/port.ts'
import type { CardBank } from '../../src/domain/buying/verifications/port.ts'
import type { CatalogSources } from '../../src/domain/discovery/sources/port.ts'
import type { PayoutAccounts } from '../../src/domain/selling/payouts/public.ts'
import type { StripeWebhook } from '../../src/inbound-options.ts'
import { openParts, type Parts, type PartsOptions } from '../../src/parts.ts'
import { inTenant, runAs } from '../../src/platform/calls/run-as.ts'
import type { Pools } from '../../src/platform/database/pool.ts'
import type { SandboxNames } from '../../src/platform/egress/egress.ts'
import type { Hints } from '../../src/platform/hints/hints.ts'
import { createMemoryHints } from '../../src/platform/hints/memory-hints.ts'
import { envKeyProvider } from '../../src/platform/secrets/keys.ts'
import type { AuthorizationSecrets } from '../../src/rails/stripe/authorization-request.ts'
import { compileSchema } from '../../src/schema/validation.ts'
import type { RequestLine } from '../../src/surfaces/http/request-line.ts'
import type { Surface } from '../../src/surfaces/http/surface.ts'
import { createTestDatabase, type TestServer } from './database.ts'
import { defaultLimits } from './default-limits.ts'
import { assertDocumented, createDocumented, type Documented, documented } from './documented.ts'
import { createMemoryBank, type MemoryBank } from './memory-bank.ts'
import { createMemoryTickets, type MemoryTickets } from './memory-tickets.ts'
import { createMemoryVault, type MemoryVault } from './memory-vault.ts'

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

/** The answer of a tool: the status and body as REST would have sent them. */
type ToolAnswer = {
  status: number
  isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
  body: any
  meta: Record<string, unknown>
}

/** The API on a database of its own, listening on loopback, and accounts to call it as. */
export type TestApp = {
  url: string
  databaseUrl: string
  parts: Parts
  api: Api
  /** Where people's cards are. */
  vault: MemoryVault
  /** Where what people type at merchants is left. */
  tickets: MemoryTickets
  /** The bank of all cards, unless the test has one of its own. */
  bank: MemoryBank
  /** The account that most tests use, and a stranger to it. */
  account: TestAccount
  stranger: TestAccount
  /** Calls as `account.keys.secret_test` unless another key, or null for none, is given. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
  get(path: string, options?: RequestOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  /** Calls a tool, as `request` calls an operation. Throws when the answer is no result of a tool. */
  mcp(tool: string, args?: Record<string, unknown>, options?: { key?: string | null }): Promise<ToolAnswer>
  /** Reads the database, or changes it in a way that no call can. The test names the shape of the rows. */
  sql<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  newAccount(name?: string): Promise<TestAccount>
  newKey(
    account: TestAccount,
    mode: Mode,
    preset: ScopePreset,
    kind?: KeyKind,
  ): Promise<{ id: string; agentId: Id<'agent'>; token: string }>
  bugs: unknown[]
  /** The log lines of the last requests. */
  lines: RequestLine[]
  stop(): Promise<void>
}

/** Where components stand in tests. */
export const framesOfTests = {
  url: 'http://elements.localhost:4000',
  vaultUrl: 'http://vault.localhost:4001',
} as const

export const testKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`

/** Suites send too many requests for a reader. */
const linesMax = 1000

export type TestAppOptions = {
  testClock?: boolean
  /** Off as in the single roles. */
  sharesTestDomains?: boolean
  /** Outside vitest: the PostgreSQL to make the database on. */
  server?: TestServer
  operations?: readonly Operation[]
  /** The ports that operations of the test need. */
  ports?: readonly Binding[]
  /** The catalogs of others; by default none. */
  catalogs?: CatalogSources
  /** Surfaces besides those of the product. */
  surfaces?: readonly Surface[]
  /** Watches the statements that the API sends to the database. */
  wrapPools?: (pools: Pools) => Pools
  /** Instead of hints within this process alone. */
  hints?: (databaseUrl: string) => Promise<Hints>
  /** Suites that check every answer themselves turn off the check in the server. */
  checkReplies?: boolean
  contentBytesMax?: number
  /** Other numbers of connections and times than the defaults. */
  serving?: Partial<NonNullable<PartsOptions['serving']>>
  /** Other limits than the defaults. */
  limits?: Partial<Limits>
  trustedProxies?: readonly string[]
  /** The name below which merchants have hosts of their own. */
  ucpHost?: string
  /** Where others find it: its documents are there, and it listens there. */
  port?: number
  /** The shops of the sandbox. */
  sandboxNames?: SandboxNames
  publicUrl?: string
  /** The networks whose shared payment tokens pay merchants. */
  sharedTokenNetworks?: Partial<Record<Mode, string>>
  cardBank?: CardBank
  /** Live mode has a payment rail, which keeps cards itself. */
  cardKeeper?: CardKeeper
  /** The rail that keeps the wallets of people. */
  walletKeeper?: WalletKeeper
  payoutAccounts?: PayoutAccounts
  /** The most that live mode spends in a day. */
  liveCapDaily?: ReadonlyMap<string, bigint>
  /** What proves that Stripe asks about charges of issued cards. */
  authorizationSecrets?: AuthorizationSecrets
  /** What proves that Stripe tells of live mode. */
  stripeWebhook?: StripeWebhook | null
  /** Where components are shown; null: nowhere. */
  elements?: NonNullable<Settings['elements']> | null
  /** Where the payment processor takes cards of live mode. */
  cards?: NonNullable<Settings['cards']>
}

/** For suites that send very many requests. The limits have tests of their own, and here they would refuse almost every request. */
export const liftedLimits: Limits = mapLimits((name) => limitsTable[name].max)

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = await createTestDatabase(options.server ? { server: options.server } : {})
  const bugs: unknown[] = []
  const lines: RequestLine[] = []
  const opened = await openParts({
    databaseUrl: database.url,
    role: 'test',
    keys: envKeyProvider(testKeys),
    hints: options.hints ? await options.hints(database.url) : createMemoryHints(),
    settings: {
      publicUrl:
        options.publicUrl ?? (options.port ? `http://127.0.0.1:${options.port}` : 'http://127.0.0.1'),
      allowLoopback: true,
      livePayments: options.cardKeeper !== undefined,
      liveCapDaily: options.liveCapDaily ?? new Map([['USD', 100_000_000n]]),
      ...(options.sharedTokenNetworks ? { sharedTokenNetworks: options.sharedTokenNetworks } : {}),
      sharesTestDomains: options.sharesTestDomains ?? false,
      ...(options.elements === null ? {} : { elements: options.elements ?? framesOfTests }),
      ...(options.cards ? { cards: options.cards } : {}),
      limits: { ...defaultLimits, ...options.limits },
    },
    testClock: options.testClock ?? false,
    writers: 8,
    readers: 2,
    serving: { longReaders: 6, bulkReaders: 2, ...options.serving },
    onDatabaseError: (error) => bugs.push(error),
  })
  const parts = options.wrapPools ? { ...opened, pools: options.wrapPools(opened.pools) } : opened
  const [vault, tickets, bank] = [createMemoryVault(), createMemoryTickets(), createMemoryBank()]
  const api = createApi(parts, {
    vault,
    ticketVault: tickets,
    cardBank: options.cardBank ?? bank,
    ...(options.cardKeeper ? { cardKeeper: options.cardKeeper } : {}),
    ...(options.walletKeeper ? { walletKeeper: options.walletKeeper } : {}),
    ...(options.payoutAccounts ? { payoutAccounts: options.payoutAccounts } : {}),
    anonymousDiscovery: true,
    // Callers of tests are near, and there are as many stops as files.
    quietMs: 100,
    onRequest: (line) => {
      if (lines.push(line) > linesMax) lines.splice(0, linesMax / 2)
    },
    onBug: (error) => {
      bugs.push(error)
    },
    ...(options.checkReplies === false ? {} : { checkReply: createReplyCheck() }),
    ...(options.operations ? { operations: options.operations } : {}),
    ...(options.ports ? { ports: options.ports } : {}),
    ...(options.catalogs ? { catalogs: options.catalogs } : {}),
    ...(options.surfaces ? { surfaces: options.surfaces } : {}),
    ...(options.sandboxNames ? { sandboxNames: options.sandboxNames } : {}),
    ...(options.authorizationSecrets ? { authorizationSecrets: options.authorizationSecrets } : {}),
    ...(options.stripeWebhook ? { stripeWebhook: options.stripeWebhook } : {}),
    ...(options.ucpHost ? { ucpHost: options.ucpHost } : {}),
    ...(options.trustedProxies ? { trustedProxies: options.trustedProxies } : {}),
    ...(options.contentBytesMax ? { contentBytesMax: options.contentBytesMax } : {}),
  })
  const url = await api.http.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  const account = await newAccount(parts, 'Integrator')
  const stranger = await newAccount(parts, 'Stranger')
  const documents = options.operations ? createDocumented(options.operations) : documented()
  const request: TestApp['request'] = async (method, path, given = {}) => {
    const answer = await send(`${url}${path}`, method, { key: account.keys.secret_test, ...given })
    const { status, headers, body } = answer
    assertDocumented(documents.answer({ method, path, status, header: (name) => headers.get(name), body }))
    return answer
  }
  return {
    url,
    databaseUrl: database.url,
    parts,
    api,
    vault,
    tickets,
    bank,
    account,
    stranger,
    bugs,
    lines,
    request,
    get: (path, given) => request('GET', path, given),
    post: (path, body, given) => request('POST', path, { body, ...given }),
    sql: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await parts.pools.single<Row>({ name: '', text, values })).rows,
    newAccount: (name = 'Another') => newAccount(parts, name),
    mcp: (tool, args = {}, given = {}) =>
      callTool(url, documents, { tool, args, key: account.keys.secret_test, ...given }),
    newKey: (owner, mode, preset, kind = 'secret') =>
      runAs(
        parts,
        { tenant: { accountId: owner.accountId, mode }, actor: { type: 'system', id: 'test' } },
        async (ctx) => {
          const { key, token } = issueKey(ctx, { kind, name: preset, preset })
          return { id: key.id, agentId: key.agent_id, token }
        },
      ),
    async stop() {
      await api.stop()
      await parts.close()
      await database.drop()
      if (bugs.length > 0) throw new AggregateError(bugs, `the server had ${bugs.length} bugs: ${bugs[0]}`)
    },
  }
}

export async function newAccount(parts: Parts, name: string): Promise<TestAccount> {
  const accountId = parts.newId('acct', Date.now())
  const tenant = { accountId, mode: 'test' } as const
  const keys = await runAs(parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) =>
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
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : text || null,
  }
}

async function callTool(
  url: string,
  documents: Documented,
  { tool, args, key }: { tool: string; args: Record<string, unknown>; key: string | null },
): Promise<ToolAnswer> {
  const answer = await send(`${url}/mcp/v1`, 'POST', {
    key,
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } },
  })
  const result = answer.body?.result
  if (!result) throw new Error(`${tool} answered ${answer.status} ${JSON.stringify(answer.body)}`)
  assertDocumented(documents.tool(tool, result))
  return {
    status: result._meta.http_status,
    isError: result.isError === true,
    body: JSON.parse(result.content[0].text),
    meta: result._meta,
  }
}

/** Of the product's operations, whose schemas are compiled once for all files. */
const validators = new Map<string, ReturnType<typeof compileSchema>>()

/** Every reply that any test receives is checked against the schema its operation declares for that status. */
function createReplyCheck(): (operation: Operation, status: number, body: unknown) => void {
  return (operation, status, body) => {
    const schema = everyOperation.find(({ id }) => id === operation.id)?.responses[status]
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
