import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, type Call, destroy, json, problem } from '../json-server.ts'
import type { Forced } from './decision.ts'
import { type Fault, type FaultSubject, findRule, parseFault, turnAwayCodes } from './faults.ts'
import type { Ledger, LedgerLine, Operation } from './ledger.ts'
import type { ProcessorSettings } from './processor-settings.ts'

export type Processor = {
  ledger: Ledger
  settings: ProcessorSettings
  commit: (line: LedgerLine) => void
}

/** A fault is used up on disk before it acts, so that a restart does not bring it back. */
export async function withFaults(
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
