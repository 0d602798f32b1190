import { amount, BadRequest, type Fields, integer, optionalText, text } from '../../fields.ts'
import { json, problem, type Route } from '../../json-server.ts'
import type { Stripe } from '../keyed-answers.ts'
import { type Dispute, nowOf } from '../memory.ts'
import { newId } from '../work.ts'
import { endedStatuses } from './dispute.ts'

const answerWithinMs = 7 * 86_400_000

const statuses: readonly Dispute['status'][] = [
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'needs_response',
  'under_review',
  'won',
  'lost',
]

/** What banks do to charges, and what accounts that were paid have left. */
export function disputeControls({ memory, commit }: Stripe): Route[] {
  const control = { method: 'POST', isControl: true } as const
  return [
    {
      ...control,
      path: '/control/disputes',
      handle: (call) => {
        const body = call.body()
        const intent = memory.intents.get(text(body, 'payment_intent'))
        if (intent?.status !== 'succeeded')
          return problem(409, 'nothing_captured', 'Only what was captured can be disputed')
        const nowMs = nowOf(memory)
        const status = body.status === undefined ? 'needs_response' : statusIn(body)
        const value: Dispute = {
          id: newId('du'),
          payment_intent: intent.id,
          amount: body.amount === undefined ? intent.amount_received : amount(body, 'amount', 1),
          currency: intent.currency,
          reason: optionalText(body, 'reason') ?? 'fraudulent',
          status,
          withdrawn_ms: status.startsWith('warning_') ? null : nowMs,
          reinstated_ms: null,
          due_by_ms: nowMs + answerWithinMs,
          created_ms: nowMs,
        }
        commit({ kind: 'dispute', value })
        return json(201, { id: value.id })
      },
    },
    {
      ...control,
      path: '/control/disputes/:id',
      handle: (call) => {
        const before = memory.disputes.get(call.params.id ?? '')
        if (before === undefined) return problem(404, 'not_found', 'No such dispute')
        if (endedStatuses.includes(before.status)) return problem(409, 'ended', 'The dispute is over')
        const status = statusIn(call.body())
        const nowMs = nowOf(memory)
        const isWarning = status.startsWith('warning_')
        const withdrawn_ms = before.withdrawn_ms ?? (isWarning ? null : nowMs)
        const reinstated_ms = status === 'won' && withdrawn_ms !== null ? nowMs : null
        const value = { ...before, status, withdrawn_ms, reinstated_ms }
        commit({ kind: 'dispute', value })
        return json(200, { id: value.id, status })
      },
    },
    {
      ...control,
      path: '/control/accounts',
      handle: (call) => {
        const body = call.body()
        const available = integer(body, 'available', { min: 0, max: 1_000_000_000_000 })
        commit({ kind: 'available', account: text(body, 'id'), amount: available })
        return json(200, { available })
      },
    },
  ]
}

function statusIn(body: Fields): Dispute['status'] {
  const status = statuses.find((one) => one === body.status)
  if (status === undefined) throw new BadRequest(`status must be one of ${statuses.join(', ')}`)
  return status
}
