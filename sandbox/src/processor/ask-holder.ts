import { answeredPayment, questionPage } from '../bank/page.ts'
import { BadRequest } from '../fields.ts'
import type { Answer, Call, Route } from '../json-server.ts'
import type { Decision } from './decision.ts'
import type { Authorization, Credential, LedgerLine, Stored, VirtualCard } from './ledger.ts'
import type { MoneyCall } from './money-call.ts'
import type { Processor } from './with-faults.ts'

type Held = Authorization | Credential | VirtualCard

/** How long the holder of a card has to answer. */
const answerMinutes = 30

/** Whether its holder is asked and has not answered, so that nothing is held. */
export function isAsked(held: Held): boolean {
  if (held.object !== 'virtual_card') return held.status === 'requires_action'
  return (held.next_action ?? null) !== null && held.revoked_at === null
}

/** An issuer that asks the holder of a card first: what was to be held waits, and its page is in the answer. */
export function askHolder(decision: Decision, money: MoneyCall, call: Call, at: Date): Decision {
  const [held] = decision.objects
  const asks = 'card' in money && money.card.issuer.kind === 'asks' && decision.result === 'approved'
  if (!asks || held === undefined || !isHeld(held)) return decision
  const next_action = {
    url: `http://${call.header('host')}/bank/payments/${held.id}`,
    expires_at: new Date(at.getTime() + answerMinutes * 60_000).toISOString(),
  }
  const status = 'requires_action'
  const asked: Held =
    held.object === 'virtual_card' ? { ...held, next_action } : { ...held, status, next_action }
  return {
    ...decision,
    status: 202,
    answer: { ...decision.answer, status, next_action },
    objects: [asked],
    result: 'asked',
  }
}

/** The page on which the holder answers. */
export function holderRoutes(processor: Processor): Route[] {
  const path = '/bank/payments/:id'
  return [
    { method: 'GET', path, handle: (call) => page(find(processor, call), new Date()) },
    { method: 'POST', path, handle: (call) => takeAnswer(processor, call) },
  ]
}

function find({ ledger }: Processor, call: Call): Held {
  const found = ledger.objects.get(call.params.id ?? '')
  if (found === undefined || !isHeld(found) || found.next_action === undefined)
    throw new BadRequest('Nobody is asked about this payment', 'not_found', 404)
  return found
}

function isHeld(object: Stored): object is Held {
  return (
    object.object === 'authorization' || object.object === 'credential' || object.object === 'virtual_card'
  )
}

function takeAnswer(processor: Processor, call: Call): Answer {
  const held = find(processor, call)
  const said = new URLSearchParams(call.raw.toString()).get('answer')
  if (said !== 'confirmed' && said !== 'refused') throw new BadRequest('answer must be confirmed or refused')
  const at = new Date()
  // An answer that comes twice, or too late, changes nothing.
  if (canAnswer(held, at)) processor.commit(answered(held, said === 'confirmed', at))
  return { kind: 'json', status: 303, body: {}, headers: { location: call.path } }
}

function canAnswer(held: Held, at: Date): boolean {
  return isAsked(held) && at < new Date(held.next_action?.expires_at ?? 0)
}

function answered(held: Held, isConfirmed: boolean, at: Date): LedgerLine {
  const entry = {
    at: at.toISOString(),
    key: `answer:${held.id}`,
    operation: 'answer',
    amount: held.object === 'authorization' ? held.amount : held.limit,
    currency: held.currency,
    reference: held.reference,
    result: isConfirmed ? 'approved' : `declined:${refusedByHolder}`,
  } as const
  return { kind: 'answered', objects: [isConfirmed ? confirmed(held) : declined(held)], entry }
}

const refusedByHolder = 'authentication_failed'

function confirmed(held: Held): Held {
  switch (held.object) {
    case 'authorization':
      return { ...held, next_action: null, status: 'authorized' }
    case 'credential':
      return { ...held, next_action: null, status: 'active' }
    case 'virtual_card':
      return { ...held, next_action: null }
    default:
      return held satisfies never
  }
}

function declined(held: Held): Held {
  const refused = { next_action: null, decline_code: refusedByHolder }
  return held.object === 'virtual_card'
    ? { ...held, ...refused }
    : { ...held, ...refused, status: 'declined' }
}

function page(held: Held, at: Date): Answer {
  const { text: markup } = canAnswer(held, at)
    ? questionPage({
        heading: 'Confirm a payment',
        action: `/bank/payments/${held.id}`,
        facts: {
          card: held.card,
          shops: [held.merchant ?? ''],
          amount: held.object === 'authorization' ? held.amount : held.limit,
          currency: held.currency,
        },
      })
    : answeredPayment(isAsked(held) ? 'late' : held.decline_code === null ? 'over' : 'refused')
  return { kind: 'raw', status: 200, type: 'text/html; charset=utf-8', chunks: [markup] }
}
