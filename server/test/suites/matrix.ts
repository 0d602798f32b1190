import { operations, product } from '../../src/composition.ts'
import { type OperationFacts, standsOn, takesIdempotencyKey } from '../../src/contract/operation.ts'
import { factsOf, type ProblemCode } from '../../src/contract/problem-codes.ts'
import { refusalsOf } from '../../src/contract/refusals.ts'
import type { ScopePreset } from '../../src/contract/scopes.ts'
import { isObject } from '../../src/schema/schema-node.ts'
import { liftedLimits, startTestApp } from '../harness/app.ts'
import { payoutAccountsOfTests } from '../harness/payout-accounts.ts'
import { doneMeanwhile, everyStandIn } from '../harness/stand-ins.ts'
import { walletsOfTests } from '../harness/wallets.ts'
import { anonymousBody, memberOf, openClient, type Sent } from './client.ts'
import { type Credential, issueCredentials } from './credentials.ts'
import { aliases, canaryOf, factories, type Ids, unknownIdLike, type World } from './fixtures.ts'
import { createForeignIds, type ForeignIds } from './foreign-ids.ts'
import { bodyFor, parentsOf } from './request-bodies.ts'
import { pathParams, setScene } from './scenes.ts'
import { eachOf, type SuiteRun, type Tally } from './suite.ts'

/** Whose object an id names, from the credential's point of view. */
type Whose = 'own' | 'other tenant' | 'other mode' | 'other profile' | 'never existed'

type Cell = {
  operation: OperationFacts
  credential: Credential
  whose: Whose
  param: string | null
  where: 'path' | 'body'
}

type Expected = { status: number; code: string } | 'served'

/** Every operation and tool × credentials × ids. The expected answer follows from the operation's declaration alone. */
export async function runMatrix({ server, tally }: SuiteRun): Promise<void> {
  const app = await startTestApp({
    server,
    limits: liftedLimits,
    payoutAccounts: payoutAccountsOfTests,
    walletKeeper: walletsOfTests,
  })
  const client = openClient(app.url)
  const world: World = { app, client }
  await doneMeanwhile(app, everyStandIn, () => checkCells(world, tally))
  await client.close()
  await app.stop()
}

async function checkCells(world: World, tally: Tally): Promise<void> {
  const credentials = await issueCredentials(world.app)
  const foreign = createForeignIds(world)
  for (const operation of operations) {
    const cells = cellsOf(operation, credentials)
    if (cells.length === 0) tally.fail(`${operation.id} has no cells`)
    const before = tally.passed + tally.failed
    await eachOf(cells, 8, async (cell) => {
      try {
        const fault = await checkCell(world, cell, foreign)
        if (fault === null) tally.pass()
        else tally.fail(`${nameOf(cell)}: ${fault}`)
      } catch (error) {
        tally.fail(`${nameOf(cell)}: ${error instanceof Error ? error.message : error}`)
      }
    })
    if (tally.passed + tally.failed === before) tally.fail(`${operation.id} ran no cells`)
  }
  tally.figure('operations', operations.length)
  tally.figure('tools', operations.filter((each) => standsOn(each, 'mcp')).length)
  tally.figure('credentials', credentials.length)
  for (const problem of await foreign.touched()) tally.fail(problem)
  for (const { id } of operations.filter(isUndecided))
    tally.fail(`${id} does not say whether it serves agents of one profile: forBound`)
  await checkBoundLists(world, credentials, tally)
}

/** Finds operations that the scopes of a bound agent's key allow, and that do not declare what such an agent may do with them. */
export function isUndecided({ auth, scope, forBound }: OperationFacts): boolean {
  const isWithin = auth !== 'none' && (scope === null || product.scopes.bound.has(scope))
  return isWithin && forBound === 'undecided'
}

/** By now there are objects of every kind, of the agent's profile and of another one. Every list shows the first and not the second. */
async function checkBoundLists(
  world: World,
  credentials: readonly Credential[],
  tally: Tally,
): Promise<void> {
  let lists = 0
  for (const credential of credentials) {
    if (credential.kind !== 'bound') continue
    for (const operation of operations) {
      // What is there for callers without a key is nobody's own.
      const isOpen = operation.auth === 'optional'
      const isList = operation.method === 'GET' && pathParams(operation).length === 0 && !isOpen
      if (!isList || !isForBound(operation, credential.preset)) continue
      lists += 1
      const { text } = await world.client.rest({ method: 'GET', path: operation.path, key: credential.token })
      const fault = leakOf({ operation, credential }, { text })
      const isEmpty =
        !text.includes(credential.owner.profileId ?? 'nobody') && !text.includes(canaryOf(credential.owner))
      if (fault) tally.fail(`${operation.id} with ${credential.name}: ${fault}`)
      else if (isEmpty)
        tally.fail(`${operation.id} shows ${credential.name} nothing of its own: ${text.slice(0, 200)}`)
      else tally.pass()
    }
  }
  if (lists === 0) tally.fail('no list was read for an agent of one profile')
}

/** No answer holds anything of another profile. */
function leakOf(
  { operation, credential }: Pick<Cell, 'operation' | 'credential'>,
  { text }: Pick<Sent, 'text'>,
): string | null {
  if (credential.kind !== 'bound' || operation.auth === 'none') return null
  const marks = [credential.neighbour.profileId ?? '', canaryOf(credential.neighbour)]
  const shown = marks.find((mark) => text.includes(mark))
  return shown === undefined ? null : `it shows ${shown}, which is another profile's: ${text.slice(0, 300)}`
}

/** Objects that callers without a key may read belong to nobody: of their ids, only those that never existed are refused. */
function cellsOf(operation: OperationFacts, credentials: readonly Credential[]): Cell[] {
  const inPath = pathParams(operation)
  const inBody = bodyParams(operation)
  return credentials.flatMap((credential): Cell[] => {
    const base = { operation, credential }
    const own: Cell = { ...base, whose: 'own', param: null, where: 'path' }
    const strangers: Whose[] = ['other tenant', 'other mode', 'never existed']
    if (credential.kind === 'bound') strangers.push('other profile')
    const others = strangers.flatMap((whose): Cell[] => [
      ...inPath
        .filter(() => whose === 'never existed' || operation.auth !== 'optional')
        .map((param): Cell => ({ ...base, whose, param, where: 'path' })),
      ...inBody.map((param): Cell => ({ ...base, whose, param, where: 'body' })),
    ])
    return [own, ...others]
  })
}

/** Over REST and MCP, and for foreign ids also that they look like unknown ones. Answers the fault, or null. */
async function checkCell(world: World, cell: Cell, foreign: ForeignIds): Promise<string | null> {
  const [rest, tool] = await Promise.all([
    callRest(world, cell, await idsOf(world, cell, foreign)),
    standsOn(cell.operation, 'mcp') ? callTool(world, cell, await idsOf(world, cell, foreign)) : null,
  ])
  if (await isRefusedEarlier(world, cell, rest, foreign)) return null
  const fault = faultOf(cell, expectation(cell), rest) ?? leakOf(cell, rest)
  if (fault) return `REST ${fault}`
  if (tool === null) return null
  const toolFault = faultOf(cell, expectation(cell, 'tool'), tool) ?? leakOf(cell, tool)
  if (toolFault) return `MCP ${toolFault}`
  if (isForPages(cell)) return null
  if (rest.status !== tool.status) return `REST answered ${rest.status}, MCP ${tool.status}`
  if (
    rest.status >= 400 &&
    !lacksSignature(rest, tool) &&
    anonymousBody(rest.body) !== anonymousBody(tool.body)
  ) {
    return `REST and MCP differ: ${rest.text} and ${tool.text}`
  }
  return null
}

/** Without a key, REST asks for a signature where one is accepted instead. A tool carries no signature and asks for the key. */
function lacksSignature(rest: Sent, tool: Sent): boolean {
  const codeOf = ({ body }: Sent) => memberOf(memberOf(body, 'detail'), 'code')
  return codeOf(rest) === 'signature_invalid' && codeOf(tool) === 'unauthorized'
}

/**
 * The id in a body may never be read, because the object is in no state for the call. Then the refusal must be word for word that
 * of an id that never existed.
 */
async function isRefusedEarlier(world: World, cell: Cell, rest: Sent, foreign: ForeignIds): Promise<boolean> {
  if (cell.where !== 'body' || rest.status !== 409) return false
  const unknown: Cell = { ...cell, whose: 'never existed' }
  const other = await callRest(world, unknown, await idsOf(world, unknown, foreign))
  return anonymousBody(other.body) === anonymousBody(rest.body)
}

/** A page calls it over REST alone, so the two answers differ. */
function isForPages({ operation, credential }: Cell): boolean {
  return credential.kind === 'publishable' && operation.auth === 'optional'
}

function expectation({ operation, credential, whose, where }: Cell, how: 'rest' | 'tool' = 'rest'): Expected {
  const { auth, scope } = operation
  if (auth === 'none') return whose === 'own' || where === 'body' ? 'served' : refused('not_found')
  if (credential.kind === 'none' && auth !== 'optional') return refused('unauthorized')
  if (credential.kind === 'dead') return refused('unauthorized')
  if (credential.kind === 'publishable') {
    if (auth !== 'optional' || how === 'tool') return refused('publishable_key_not_allowed')
    if (credential.origin === null) return refused('origin_not_allowed')
  }
  if (credential.kind === 'secret' && scope !== null) {
    const granted: readonly string[] = product.scopes.presets[credential.preset]
    if (!granted.includes(scope)) return refused('insufficient_scope')
    if (tellsAddress(operation) && whose === 'own' && !granted.includes('purchase_intents:approve'))
      return refused('insufficient_scope')
  }
  if (credential.kind === 'bound' && !isForBound(operation, credential.preset))
    return refused('insufficient_scope')
  return whose === 'own' ? 'served' : refused('not_found')
}

/** What is answered there is an address, which takes more than a choice or a date. Who may is judged by what the purchase asks. */
function tellsAddress({ id }: OperationFacts): boolean {
  return id === 'v1_answer_purchase_intent_input'
}

/** What an agent of one profile may do, by the interface: not read from what the server grants. */
function isForBound({ scope, forBound }: OperationFacts, preset: ScopePreset): boolean {
  const granted: readonly (string | null)[] = product.scopes.presets[preset]
  const isOfAccount = /^(?:event_destinations|merchant|merchant_orders):/.test(scope ?? '')
  return granted.includes(scope) && !isOfAccount && forBound === 'served'
}

function refused(code: ProblemCode): Expected {
  return { code, status: factsOf(product.problems, code).status }
}

function faultOf(cell: Cell, expected: Expected, sent: Sent): string | null {
  const detail = memberOf(sent.body, 'detail')
  const code = memberOf(detail, 'code')
  if (expected !== 'served') {
    // A missing signature of a destination has its own code.
    const isExpected =
      code === expected.code || (cell.operation.auth === 'signed' && code === 'signature_invalid')
    if (sent.status !== expected.status || !isExpected) {
      return `expected ${expected.status} ${expected.code}, got ${sent.status} ${sent.text.slice(0, 300)}`
    }
    if (
      expected.status === 401 &&
      !/^Bearer\b/.test(sent.headers['www-authenticate'] ?? '') &&
      !isResult(sent)
    )
      return '401 without WWW-Authenticate'
    const param = memberOf(detail, 'param')
    // Under a foreign parent nothing is found, and the refusal may name either id.
    const chain = pathParams(cell.operation)
    const names =
      cell.param === null ? [] : cell.where === 'path' ? chain.slice(chain.indexOf(cell.param)) : [cell.param]
    if (expected.code === 'not_found' && names.length > 0 && !names.includes(String(param)))
      return `404 names ${param}`
    return null
  }
  if (sent.status in cell.operation.responses) return null
  if (mustSucceed(cell)) return `expected to succeed, got ${sent.status} ${sent.text.slice(0, 300)}`
  if (sent.status === 422) return `a request made to be valid was refused: ${sent.text.slice(0, 400)}`
  const codes: readonly string[] = refusalsOf(cell.operation, product.problems).get(sent.status) ?? []
  const isCredentials =
    code === 'unauthorized' ||
    code === 'insufficient_scope' ||
    code === 'publishable_key_not_allowed' ||
    code === 'origin_not_allowed'
  const isOwnUnknown =
    code === 'not_found' && pathParams(cell.operation).includes(String(memberOf(detail, 'param')))
  if (sent.status >= 500 || isCredentials || isOwnUnknown || !codes.includes(String(code))) {
    return `expected to be served, got ${sent.status} ${sent.text.slice(0, 300)}`
  }
  return null
}

/** With every authority over objects made for it, an operation must succeed: only then do the other cells prove something. */
function mustSucceed({ credential, whose }: Cell): boolean {
  return (
    whose === 'own' &&
    credential.kind === 'secret' &&
    credential.preset === 'full' &&
    credential.owner.mode === 'test'
  )
}

/** Over MCP a refusal is a result, which carries no headers. */
function isResult(sent: Sent): boolean {
  return (
    sent.headers['www-authenticate'] === undefined &&
    sent.headers['content-type']?.startsWith('application/json') === true
  )
}

type CellIds = { path: Ids; body: Ids }

async function idsOf(world: World, cell: Cell, foreign: ForeignIds): Promise<CellIds> {
  const { operation, credential, whose, param, where } = cell
  const names = pathParams(operation)
  const owner = credential.owner
  // A request that is refused by its credential needs no objects of its own, and one that changes its object needs a fresh one.
  const expected = expectation(cell)
  const isAdmitted =
    expected === 'served' || tellsAddress(operation) || (where === 'body' && expected.code === 'not_found')
  const own =
    isAdmitted && operation.method !== 'GET'
      ? await setScene(operation, world, owner)
      : await foreign.shared(names, owner)
  if (param === null) return { path: own, body: {} }
  const foreignOwner =
    whose === 'other tenant'
      ? credential.stranger
      : whose === 'other mode'
        ? credential.otherMode
        : whose === 'other profile' && credential.kind === 'bound'
          ? credential.neighbour
          : owner
  const parents = names.slice(0, names.indexOf(param) + 1)
  const chain = await foreign.shared(
    where === 'path' ? parents : [...(parentsOf[param] ?? []), aliases[param] ?? param],
    foreignOwner,
  )
  const id = chain[aliases[param] ?? param] ?? ''
  const shown = whose === 'never existed' ? unknownIdLike(id) : id
  return where === 'path'
    ? { path: { ...own, [param]: shown }, body: {} }
    : { path: own, body: { [param]: shown } }
}

async function callRest(world: World, cell: Cell, ids: CellIds): Promise<Sent> {
  const { operation, credential } = cell
  const sent = bodyOverRest(operation, await bodyFor(world, operation, credential.owner, ids))
  const key = operation.requiresIdempotencyKey ? { 'idempotency-key': `matrix-rest-${Math.random()}` } : {}
  const page = credential.kind === 'publishable' && credential.origin ? { origin: credential.origin } : {}
  return world.client.rest({
    method: operation.method,
    path: operation.path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) =>
      encodeURIComponent(ids.path[name] ?? ''),
    ),
    key: credential.token,
    ...sent,
    headers: { ...sent.headers, ...key, ...page },
  })
}

/** A file is sent as it is, with its own media type. */
export function bodyOverRest(
  { content }: OperationFacts,
  body: unknown,
): { body?: string; headers?: Record<string, string> } {
  if (body === undefined) return {}
  const [type] = Object.keys(content ?? {})
  if (type === undefined) return { body: JSON.stringify(body) }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { body: text.toWellFormed(), headers: { 'content-type': type } }
}

async function callTool(world: World, cell: Cell, ids: CellIds): Promise<Sent> {
  const { operation, credential } = cell
  const body = await bodyFor(world, operation, credential.owner, ids)
  const fields = isObject(body) ? body : body === undefined ? {} : { body }
  const key = takesIdempotencyKey(operation) ? { idempotency_key: `matrix-${Math.random()}` } : {}
  return world.client.tool(operation.id, { ...ids.path, ...fields, ...key }, credential.token)
}

function bodyParams(operation: OperationFacts): string[] {
  const properties: unknown = isObject(operation.body) ? operation.body.properties : undefined
  const names = Object.keys(isObject(properties) ? properties : {})
  const repeated = [...pathParams(operation), ...(echoes[operation.id] ?? [])]
  return names.filter((name) => (aliases[name] ?? name) in factories && !repeated.includes(name))
}

/** Body members that only repeat a part of the request and name no object. */
const echoes: Readonly<Record<string, string[]>> = {
  v1_create_order_response: ['event_id'],
  v1_create_quote_response: ['event_id'],
  // The merchant's own number, in the merchant's own words.
  v1_reconcile_purchase_intent: ['order_id'],
}

function nameOf({ operation, credential, whose, param }: Cell): string {
  return `${operation.id} with ${credential.name}${param === null ? '' : `, ${param} of ${whose}`}`
}
