import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openDurableLog } from '../durable-log.ts'
import { amount, BadRequest, text } from '../fields.ts'
import {
  type Answer,
  type Call,
  destroy,
  json,
  list,
  problem,
  type Route,
  type RunningServer,
  serveJson,
} from '../json-server.ts'
import { closeKey } from './close-key.ts'
import { decideOperation, type Forced } from './decide-operation.ts'
import {
  type Fault,
  type FaultSubject,
  findRule,
  parseFault,
  parseFaultRule,
  turnAwayCodes,
} from './faults.ts'
import {
  applyLine,
  emptyLedger,
  type Ledger,
  type LedgerLine,
  type Operation,
  type Recorded,
} from './ledger.ts'
import { listHolds, parsePage } from './list-holds.ts'
import { digestOf, type MoneyCall, parseAuthorize, parseCharge, parseIssueCredential } from './money-call.ts'
import { type ProcessorSettings, processorDefaults } from './processor-settings.ts'

type Processor = { ledger: Ledger; settings: ProcessorSettings; commit: (line: LedgerLine) => void }

/** The payment processor: it remembers every call by its key and refuses, by itself, every call beyond what was granted. */
export async function startProcessor(options: {
  stateDir: string
  port: number
  settings?: ProcessorSettings
  controlToken: string
}): Promise<RunningServer> {
  const ledger = emptyLedger()
  const log = await openDurableLog<LedgerLine>(join(options.stateDir, 'processor.jsonl'), (line) =>
    applyLine(ledger, line),
  )
  const processor: Processor = {
    ledger,
    settings: options.settings ?? processorDefaults,
    // Memory first, so that the next call already sees it; no answer leaves before the line is on disk.
    commit: (line) => {
      applyLine(ledger, line)
      void log.append(line)
    },
  }
  const server = await serveJson({ ...options, routes: routesOf(processor), settled: log.durable })
  return { url: server.url, close: () => server.close().then(log.close) }
}

function routesOf(processor: Processor): Route[] {
  const money = (path: string, parse: (call: Call) => MoneyCall): Route => ({
    method: 'POST',
    path,
    handle: (call) => answerMoneyCall(processor, call, parse(call)),
  })
  return [
    money('/v1/authorizations', (call) => parseAuthorize(call.body())),
    money('/v1/authorizations/:id/captures', (call) => ({
      operation: 'capture',
      authorizationId: param(call),
      amount: amount(call.body(), 'amount'),
    })),
    money('/v1/authorizations/:id/void', (call) => ({ operation: 'void', authorizationId: param(call) })),
    money('/v1/credentials', (call) => parseIssueCredential(call.body())),
    money('/v1/credentials/:id/charges', (call) => parseCharge(param(call), call.body())),
    money('/v1/credentials/:id/revoke', (call) => ({ operation: 'revoke', credentialId: param(call) })),
    money('/v1/captures/:id/refunds', (call) => ({
      operation: 'refund',
      captureId: param(call),
      amount: amount(call.body(), 'amount', 1),
    })),
    { method: 'POST', path: '/v1/operations/close', handle: (call) => answerClose(processor, call) },
    { method: 'GET', path: '/v1/operations', handle: (call) => answerOperation(processor, call) },
    {
      method: 'GET',
      path: '/v1/authorizations/:id',
      handle: (call) => answerObject(processor, call, 'authorization'),
    },
    {
      method: 'GET',
      path: '/v1/credentials/:id',
      handle: (call) => answerObject(processor, call, 'credential'),
    },
    { method: 'GET', path: '/v1/captures/:id', handle: (call) => answerObject(processor, call, 'capture') },
    { method: 'GET', path: '/v1/holds', handle: (call) => answerHolds(processor, call) },
    { method: 'GET', path: '/v1/objects', handle: (call) => answerMade(processor, call) },
    ...controlRoutes(processor),
    { method: 'GET', path: '/log', handle: () => list(processor.ledger.entries) },
    { method: 'GET', path: '/health', handle: () => json(200, { ok: true, service: 'processor' }) },
  ]
}

function controlRoutes(processor: Processor): Route[] {
  const control = { path: '/control/faults', isControl: true } as const
  return [
    { ...control, method: 'POST', handle: (call) => addFault(processor, call) },
    { ...control, method: 'GET', handle: () => list([...processor.ledger.faults.values()]) },
    { ...control, method: 'DELETE', handle: () => clearFaults(processor) },
    { path: '/control/keys/forget', isControl: true, method: 'POST', handle: () => forgetKeys(processor) },
  ]
}

async function answerMoneyCall(processor: Processor, call: Call, money: MoneyCall): Promise<Answer> {
  const key = idempotencyKey(call)
  return withFaults(processor, call, subjectOf(processor.ledger, key, money), (forced) =>
    runMoneyCall(
      processor,
      key,
      digestOf(call.path, call.raw.length === 0 ? {} : call.body()),
      money,
      forced,
    ),
  )
}

/** Synchronous from lookup to commit: two equal calls at once can not both find the key free. */
function runMoneyCall(
  processor: Processor,
  key: string,
  digest: string,
  money: MoneyCall,
  forced: Forced | undefined,
): Answer {
  const { ledger, commit } = processor
  const at = new Date()
  const earlier = ledger.operations.get(key)
  if (earlier !== undefined && earlier.digest !== digest) {
    commit(refusalLine(processor, key, money, at, 'idempotency_key_conflict'))
    return problem(409, 'idempotency_key_conflict', 'This key was already used with another request')
  }
  if (ledger.closedKeys.has(key)) {
    commit(refusalLine(processor, key, money, at, 'closed'))
    return problem(409, 'closed', 'This key is closed, so calls with it have no effect')
  }
  if (earlier !== undefined) return json(earlier.status, earlier.answer)

  const decision = decideOperation(ledger, money, at, forced)
  const { operation, status, answer, objectId, objects, result, facts } = decision
  const recorded: Recorded = {
    key,
    digest,
    operation,
    at: at.toISOString(),
    status,
    answer,
    result: result ?? 'unchanged',
    objectId,
  }
  const entry = result === null ? null : { at: recorded.at, key, operation, ...facts, result }
  commit({ kind: 'operation', recorded, objects, entry })
  return json(status, answer)
}

function refusalLine(
  processor: Processor,
  key: string,
  money: MoneyCall,
  at: Date,
  code: string,
): LedgerLine {
  const { reference } = subjectOf(processor.ledger, key, money)
  return {
    kind: 'refusal',
    entry: {
      at: at.toISOString(),
      key,
      operation: money.operation === 'charge' ? 'capture' : money.operation,
      amount: 'amount' in money ? money.amount : 'limit' in money ? money.limit : null,
      currency: 'currency' in money ? money.currency : null,
      reference,
      result: `refused:${code}`,
    },
  }
}

function answerClose(processor: Processor, call: Call): Promise<Answer> {
  const key = text(call.body(), 'key')
  const reference = referenceOf(processor.ledger, processor.ledger.operations.get(key)?.objectId)
  return withFaults(processor, call, { operation: 'close', key, reference, card: null }, () => {
    if (!processor.settings.closesKeys)
      return problem(404, 'not_supported', 'This processor does not close keys')
    const line = closeKey(processor.ledger, key, new Date())
    if (line !== undefined) processor.commit(line)
    return json(200, describeKey(processor.ledger, key))
  })
}

function answerOperation(processor: Processor, call: Call): Promise<Answer> {
  const key = keyIn(call)
  const { ledger } = processor
  const reference = referenceOf(ledger, ledger.operations.get(key)?.objectId)
  return withFaults(processor, call, { operation: 'query', key, reference, card: null }, () =>
    ledger.operations.has(key) || ledger.closedKeys.has(key)
      ? json(200, describeKey(ledger, key))
      : problem(404, 'not_found', 'There is no operation with this key'),
  )
}

function keyIn(call: Call): string {
  const key = call.query.get('key')
  if (key === null || key === '') throw new BadRequest('key is required')
  return key
}

/** `answer` is what the caller was told, `current` how the object stands by now. */
function describeKey(ledger: Ledger, key: string): object {
  const recorded = ledger.operations.get(key)
  const closed = ledger.closedKeys.has(key)
  if (recorded === undefined)
    return { key, operation: null, status: null, result: 'closed', closed, answer: null, current: null }
  const { operation, at, status, result, answer, objectId } = recorded
  return {
    key,
    operation,
    at,
    status,
    result,
    closed,
    answer,
    current: ledger.objects.get(objectId ?? '') ?? null,
  }
}

function answerObject(processor: Processor, call: Call, object: string): Promise<Answer> {
  const reference = referenceOf(processor.ledger, param(call))
  return withFaults(processor, call, { operation: 'query', key: null, reference, card: null }, () => {
    const found = processor.ledger.objects.get(param(call))
    return found?.object === object
      ? json(200, found)
      : problem(404, 'not_found', `There is no such ${object}`)
  })
}

function answerHolds(processor: Processor, call: Call): Promise<Answer> {
  const page = parsePage(call.query)
  return withFaults(processor, call, { operation: 'query', key: null, reference: null, card: null }, () =>
    json(200, listHolds(processor.ledger, page)),
  )
}

/** What real processors can find by the metadata that a caller put on its objects. */
function answerMade(processor: Processor, call: Call): Promise<Answer> {
  const { ledger } = processor
  const key = keyIn(call)
  return withFaults(processor, call, { operation: 'query', key, reference: null, card: null }, () =>
    json(200, { data: (ledger.madeUnder.get(key) ?? []).map((id) => ledger.objects.get(id)) }),
  )
}

/** As real processors do a day or a month later. */
function forgetKeys({ ledger, commit }: Processor): Answer {
  const forgotten = ledger.operations.size
  commit({ kind: 'keys_forgotten' })
  return json(200, { forgotten })
}

function addFault(processor: Processor, call: Call): Answer {
  const rule = parseFaultRule(call.body())
  processor.commit({ kind: 'fault', rule })
  return json(201, rule)
}

function clearFaults(processor: Processor): Answer {
  processor.commit({ kind: 'faults_cleared' })
  return json(200, { cleared: true })
}

/** A fault is used up on disk before it acts, so that a restart does not bring it back. */
async function withFaults(
  processor: Processor,
  call: Call,
  subject: FaultSubject,
  work: (forced: Forced | undefined) => Answer,
): Promise<Answer> {
  const fault = takeFault(processor, call, subject)
  switch (fault?.kind) {
    case undefined:
      return work(undefined)
    case 'delay':
      await wait(fault.ms)
      return work(undefined)
    case 'lose_answer':
      work(undefined)
      return destroy
    case 'drop_request':
      return destroy
    case 'error_500_once':
      return problem(500, 'internal_error', 'This is an injected fault, and nothing was done')
    case 'decline':
      return work({ kind: 'decline', code: fault.code })
    case 'refuse_release':
      return work({ kind: 'refuse_release' })
    case 'turn_away':
      return turnAway(processor, subject, fault)
    default:
      return fault satisfies never
  }
}

/** Testifies that nothing was done: the log names the call, and no memory is kept of its key. */
function turnAway(
  { commit }: Processor,
  { operation, key, reference }: FaultSubject,
  { status, retryAfter }: Extract<Fault, { kind: 'turn_away' }>,
): Answer {
  const at = new Date()
  if (isOperation(operation) && key !== null) {
    const entry = { at: at.toISOString(), key, operation, amount: null, currency: null, reference }
    commit({ kind: 'refusal', entry: { ...entry, result: `turned_away:${status}` } })
  }
  const message = 'This is an injected fault, and nothing was done'
  const body = { error: { code: turnAwayCodes[status], message } }
  if (retryAfter === null) return json(status, body)
  const { seconds, as } = retryAfter
  const header = as === 'seconds' ? String(seconds) : new Date(at.getTime() + seconds * 1000).toUTCString()
  return { kind: 'json', status, body, headers: { 'retry-after': header } }
}

/** A query leaves no trace in the log. */
function isOperation(operation: string): operation is Operation {
  return operation !== 'query'
}

function takeFault({ ledger, commit }: Processor, call: Call, subject: FaultSubject): Fault | undefined {
  const header = call.header('sandbox-fault')
  if (header !== undefined) {
    const fault = parseFault(header)
    if (fault.kind !== 'error_500_once') return fault
    // A caller that repeats its request repeats the header too: the key says that this is the second time.
    const onceKey = `${subject.operation} ${subject.key ?? call.path}`
    if (ledger.faultedKeys.has(onceKey)) return undefined
    commit({ kind: 'fault_once', key: onceKey, fault: fault.kind })
    return fault
  }
  if (ledger.faults.size === 0) return undefined
  const rule = findRule(ledger.faults.values(), subject)
  if (rule === undefined) return undefined
  commit({ kind: 'fault_used', id: rule.id })
  return parseFault(rule.fault)
}

function subjectOf(ledger: Ledger, key: string, money: MoneyCall): FaultSubject {
  const operation = money.operation === 'charge' ? 'capture' : money.operation
  if (money.operation === 'authorize' || money.operation === 'issue_credential') {
    return { operation, key, reference: money.reference, card: money.card.name }
  }
  const id =
    'authorizationId' in money
      ? money.authorizationId
      : 'credentialId' in money
        ? money.credentialId
        : money.captureId
  const target = ledger.objects.get(id)
  const card = target === undefined || target.object === 'refund' ? null : target.card
  return { operation, key, reference: target?.reference ?? null, card }
}

function referenceOf(ledger: Ledger, id: string | null | undefined): string | null {
  return ledger.objects.get(id ?? '')?.reference ?? null
}

function idempotencyKey(call: Call): string {
  const key = call.header('idempotency-key')
  if (key === undefined || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new BadRequest(
      'Idempotency-Key is required: 1 to 255 visible ASCII characters',
      'idempotency_key_required',
    )
  }
  return key
}

function param(call: Call): string {
  return call.params.id ?? ''
}
