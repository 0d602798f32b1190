import { BadRequest, type Fields, integer, text } from '../fields.ts'
import type { FaultRule, Memory } from './memory.ts'

/**
 * `lose_answer`: it is done, and the answer does not arrive. `drop_request`: nothing is done. `delay`: it is done later. `fail`: Stripe
 * fails before it does anything, and repeats that to the key; `fail_after`: it fails after it has done it. `status`: turned away.
 */
type Fault =
  | { kind: 'delay'; ms: number }
  | { kind: 'lose_answer' | 'drop_request' | 'fail' | 'fail_after' }
  | { kind: 'status'; status: number; retryAfter: string | null }

const operations = [
  'create',
  'confirm',
  'capture',
  'cancel',
  'refund',
  'read',
  'list',
  'search',
  'list_refunds',
  'read_refund',
  'create_customer',
  'read_customer',
  'delete_customer',
  'create_method',
  'read_method',
  'list_methods',
  'list_customers',
  'list_setups',
  'read_account',
  'attach_method',
  'detach_method',
  'create_setup',
  'confirm_setup',
  'read_setup',
  'cancel_setup',
  'token',
  'issue',
  'read_issued',
  'revoke_issued',
  'create_cardholder',
  'read_cardholder',
  'create_card',
  'read_card',
  'update_card',
  'list_cards',
  'list_authorizations',
  'read_authorization',
  'list_transactions',
  'read_transaction',
  'balance',
  'list_entries',
  'create_account',
  'list_accounts',
  'read_connected',
  'create_account_link',
  'list_disputes',
  'read_dispute',
  'list_events',
  'read_event',
  'create_endpoint',
  'update_endpoint',
  'delete_endpoint',
  'list_endpoints',
  'read_endpoint',
  'create_transfer',
  'list_transfers',
  'read_transfer',
  'reverse_transfer',
  'list_reversals',
]

export function parseFaultRule(body: Fields): FaultRule {
  const operation = text(body, 'operation')
  if (!operations.includes(operation))
    throw new BadRequest(`operation must be one of ${operations.join(', ')}`)
  const fault = text(body, 'fault')
  parseFault(fault)
  const times = body.times === undefined ? 1 : integer(body, 'times', { min: 1, max: 1_000_000 })
  return { operation, fault, times }
}

/** Takes one use of the oldest rule that fits. */
export function takeFault(memory: Memory, operation: string): Fault | null {
  const rule = memory.faults.find((one) => one.operation === operation)
  if (rule === undefined) return null
  rule.times -= 1
  if (rule.times === 0) memory.faults.splice(memory.faults.indexOf(rule), 1)
  return parseFault(rule.fault)
}

function parseFault(value: string): Fault {
  const [, ms] = /^delay=(\d{1,5})$/.exec(value) ?? []
  if (ms !== undefined) return { kind: 'delay', ms: Number(ms) }
  const [, status, retryAfter] =
    /^status=(400|401|403|404|409|429)(?:;retry_after=(\d{1,6}))?$/.exec(value) ?? []
  if (status !== undefined) return { kind: 'status', status: Number(status), retryAfter: retryAfter ?? null }
  if (value === 'lose_answer' || value === 'drop_request' || value === 'fail' || value === 'fail_after')
    return { kind: value }
  throw new BadRequest(
    'fault must be delay=MS, lose_answer, drop_request, fail, fail_after or status=CODE[;retry_after=SECONDS]',
  )
}
