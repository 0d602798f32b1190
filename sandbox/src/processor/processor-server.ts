import { join } from 'node:path'
import { openBank } from '../bank/challenges.ts'
import { openDurableLog } from '../durable-log.ts'
import { amount, BadRequest, text } from '../fields.ts'
import {
  type Answer,
  type Call,
  json,
  list,
  problem,
  type Route,
  type RunningServer,
  serveJson,
} from '../json-server.ts'
import { askHolder, holderRoutes } from './ask-holder.ts'
import { closeKey } from './close-key.ts'
import { decideOperation } from './decide-operation.ts'
import type { Forced } from './decision.ts'
import { loggedAs, subjectOf } from './fault-subject.ts'
import { parseFaultRule } from './faults.ts'
import { applyLine, emptyLedger, type Ledger, type LedgerLine, type Recorded, type Stored } from './ledger.ts'
import { listHolds, parsePage } from './list-holds.ts'
import { listMovements } from './list-movements.ts'
import {
  digestOf,
  type MoneyCall,
  parseAuthorize,
  parseAuthorizeCard,
  parseCaptureCard,
  parseCharge,
  parseChargeCredential,
  parseIssueCard,
  parseIssueCredential,
  parseReverseCard,
} from './money-call.ts'
import { type ProcessorSettings, processorDefaults } from './processor-settings.ts'
import { showCard, showSecrets } from './virtual-card.ts'
import { type Processor, withFaults } from './with-faults.ts'

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
  const bank = await openBank(options.stateDir)
  const server = await serveJson({
    ...options,
    routes: [...routesOf(processor), ...bank.routes],
    settled: async () => {
      await Promise.all([log.durable(), bank.settled()])
    },
  })
  return {
    url: server.url,
    async close() {
      await server.close()
      await Promise.all([log.close(), bank.close()])
    },
  }
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
    money('/v1/credentials/:id/authorizations', (call) => parseChargeCredential(param(call), call.body())),
    money('/v1/credentials/:id/revoke', (call) => ({ operation: 'revoke', credentialId: param(call) })),
    money('/v1/captures/:id/refunds', (call) => ({
      operation: 'refund',
      captureId: param(call),
      amount: amount(call.body(), 'amount', 1),
    })),
    money('/v1/virtual_cards', (call) => parseIssueCard(call.body())),
    money('/v1/virtual_cards/:id/revoke', (call) => ({ operation: 'revoke_card', cardId: param(call) })),
    money('/v1/card_authorizations', (call) => parseAuthorizeCard(call.body())),
    money('/v1/card_authorizations/:id/captures', (call) => parseCaptureCard(param(call), call.body())),
    money('/v1/card_authorizations/:id/reversals', (call) =>
      parseReverseCard(param(call), call.raw.length === 0 ? {} : call.body()),
    ),
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
    {
      method: 'GET',
      path: '/v1/virtual_cards/:id',
      handle: (call) => answerObject(processor, call, 'virtual_card'),
    },
    { method: 'GET', path: '/v1/virtual_cards/:id/number', handle: (call) => answerNumber(processor, call) },
    {
      method: 'GET',
      path: '/v1/card_authorizations/:id',
      handle: (call) => answerObject(processor, call, 'card_authorization'),
    },
    { method: 'GET', path: '/v1/card_movements', handle: (call) => answerMovements(processor, call) },
    { method: 'GET', path: '/v1/holds', handle: (call) => answerHolds(processor, call) },
    { method: 'GET', path: '/v1/objects', handle: (call) => answerMade(processor, call) },
    ...holderRoutes(processor),
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
      { money, call },
      forced,
    ),
  )
}

/** Synchronous from lookup to commit: two equal calls at once can not both find the key free. */
function runMoneyCall(
  processor: Processor,
  key: string,
  digest: string,
  { money, call }: { money: MoneyCall; call: Call },
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

  const decision = askHolder(decideOperation(ledger, money, at, forced), money, call, at)
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
      operation: loggedAs(money),
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
    current: shownAt(ledger, objectId),
  }
}

function answerObject(processor: Processor, call: Call, object: string): Promise<Answer> {
  const reference = referenceOf(processor.ledger, param(call))
  return withFaults(processor, call, { operation: 'query', key: null, reference, card: null }, () => {
    const found = processor.ledger.objects.get(param(call))
    return found?.object === object
      ? json(200, shown(found))
      : problem(404, 'not_found', `There is no such ${object}`)
  })
}

/** What makes a card usable is handed out here and nowhere else. */
function answerNumber(processor: Processor, call: Call): Promise<Answer> {
  const reference = referenceOf(processor.ledger, param(call))
  return withFaults(processor, call, { operation: 'query', key: null, reference, card: null }, () => {
    const found = processor.ledger.objects.get(param(call))
    return found?.object === 'virtual_card'
      ? json(200, showSecrets(found))
      : problem(404, 'not_found', 'There is no such virtual_card')
  })
}

function answerMovements(processor: Processor, call: Call): Promise<Answer> {
  return withFaults(processor, call, { operation: 'query', key: null, reference: null, card: null }, () =>
    json(200, listMovements(processor.ledger, call.query)),
  )
}

function shownAt({ objects }: Ledger, id: string | null): object | null {
  const found = objects.get(id ?? '')
  return found === undefined ? null : shown(found)
}

/** With its state at this moment, and without its number. */
function shown(object: Stored): object {
  return object.object === 'virtual_card' ? showCard(object, new Date()) : object
}

function answerHolds(processor: Processor, call: Call): Promise<Answer> {
  const page = parsePage(call.query)
  return withFaults(processor, call, { operation: 'query', key: null, reference: null, card: null }, () =>
    json(200, listHolds(processor.ledger, page, new Date())),
  )
}

/** What real processors can find by the metadata that a caller put on its objects. */
function answerMade(processor: Processor, call: Call): Promise<Answer> {
  const { ledger } = processor
  const key = keyIn(call)
  return withFaults(processor, call, { operation: 'query', key, reference: null, card: null }, () =>
    json(200, { data: (ledger.madeUnder.get(key) ?? []).map((id) => shownAt(ledger, id)) }),
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
