import { isExpiry } from '../card-number.ts'
import { amount, BadRequest, type Fields, text } from '../fields.ts'
import { type Answer, type Call, json, problem, type Route } from '../json-server.ts'
import { type Memory, passTime, type SpendRequest } from './memory.ts'

type Told = { readonly status: number; readonly answer: object }

/**
 * What merchants do with a number that Link has issued, in the words of the processor of the sandbox. A card is good for one charge: what a
 * merchant authorizes is taken, and it may say in the end that it was less.
 */
export function cardNetwork(memory: Memory): Route[] {
  const change = (path: string, work: (call: Call) => Told | null): Route => ({
    method: 'POST',
    path: `/network/v1/${path}`,
    handle: (call) => once(memory, call, () => work(call)),
  })
  const requestOf = ({ params }: Call) => memory.requests.get((params.id ?? '').replace(/^l(auth|pi)_/, ''))
  return [
    change('card_authorizations', (call) => authorize(memory, call.body())),
    change('card_authorizations/:id/captures', (call) => {
      const request = requestOf(call)
      if (request === undefined) return null
      const taken = amount(call.body(), 'amount', 1)
      if (taken > request.charged) return refused('amount_too_large')
      request.charged = taken
      return { status: 201, answer: { id: `lpi_${request.id}` } }
    }),
    change('card_authorizations/:id/reversals', (call) => {
      const request = requestOf(call)
      if (request === undefined) return null
      Object.assign(request, { status: 'failed', charged: 0 })
      return { status: 201, answer: { id: `lauth_${request.id}` } }
    }),
    change('captures/:id/refunds', (call) => {
      const request = requestOf(call)
      if (request === undefined) return null
      const back = amount(call.body(), 'amount', 1)
      if (request.refunded + back > request.charged) return refused('amount_too_large')
      request.refunded += back
      return { status: 201, answer: { id: `lre_${request.id}` } }
    }),
    {
      method: 'GET',
      path: '/network/v1/operations',
      handle({ query }) {
        const kept = memory.charges.get(query.get('key') ?? '')
        return kept === undefined
          ? problem(404, 'not_found', 'There is no operation with this key')
          : json(200, { status: kept?.status ?? null, answer: kept?.answer ?? null })
      },
    },
    {
      method: 'POST',
      path: '/network/v1/operations/close',
      handle(call) {
        const key = text(call.body(), 'key')
        if (!memory.charges.has(key)) memory.charges.set(key, null)
        const kept = memory.charges.get(key) ?? null
        return json(200, { status: kept?.status ?? null, answer: kept?.answer ?? null })
      },
    },
  ]
}

function once({ charges }: Memory, call: Call, work: () => Told | null): Answer {
  const key = call.header('idempotency-key')
  if (key === undefined) throw new BadRequest('Idempotency-Key is required', 'idempotency_key_required')
  const kept = charges.get(key)
  if (kept === null) return problem(409, 'closed', 'This key is closed, so calls with it have no effect')
  const told = kept ??
    work() ?? { status: 404, answer: { error: { code: 'not_found', message: 'No such object' } } }
  charges.set(key, told)
  return json(told.status, told.answer)
}

function refused(code: string): Told {
  return { status: 402, answer: { error: { code, decline_code: code, message: `Link says ${code}` } } }
}

/** An amount of 0 only checks the card. */
function authorize(memory: Memory, body: Fields): Told {
  passTime(memory)
  const number = text(body, 'number').replaceAll(/[ -]/g, '')
  const request = [...memory.requests.values()].find((one) => one.card.number === number)
  if (request === undefined) return refused('invalid_number')
  const asked = amount(body, 'amount')
  const why = whyNot(request, asked, body)
  memory.log.push({
    operation: why === null ? 'charge' : `decline ${why}`,
    id: request.id,
    status: request.status,
  })
  if (why !== null) {
    // A card that was declined is used up.
    if (request.status === 'approved' && why === 'insufficient_funds') request.status = 'failed'
    return refused(why)
  }
  if (asked > 0) Object.assign(request, { status: 'succeeded', charged: asked })
  return { status: 201, answer: { id: `lauth_${request.id}` } }
}

function whyNot(
  { status, card, amount: most, currency }: SpendRequest,
  asked: number,
  body: Fields,
): string | null {
  if (status !== 'approved') return 'card_inactive'
  if (!isExpiry(text(body, 'expiry'), card) || text(body, 'security_code') !== card.cvc)
    return 'incorrect_cvc'
  if (text(body, 'currency').toUpperCase() !== currency) return 'currency_not_supported'
  return asked > most ? 'insufficient_funds' : null
}
