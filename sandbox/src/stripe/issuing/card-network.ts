import { amount, BadRequest, currency, type Fields, text } from '../../fields.ts'
import { type Answer, type Call, json, problem, type Route } from '../../json-server.ts'
import {
  authorizeCard,
  captureAuthorization,
  captureByForce,
  incrementAuthorization,
  type Network,
  refundTransaction,
  reverseAuthorization,
  type Told,
} from './charge-card.ts'
import { merchantIn } from './merchants.ts'

/**
 * What merchants do with a number that Stripe has issued, in the words of the processor of the sandbox: a shop knows by the number where it
 * charges a card. The number is all that it takes.
 */
export function cardNetwork(network: Network): Route[] {
  const { issuing } = network.memory
  const change = (path: string, work: (call: Call) => Promise<Told | null> | Told | null): Route => ({
    method: 'POST',
    path: `/network/v1/${path}`,
    handle: (call) => once(network, call, () => work(call)),
  })
  return [
    change('card_authorizations', (call) => authorizeCard(network, chargeIn(call.body()))),
    change('card_authorizations/:id/increments', (call) =>
      incrementAuthorization(network, idOf(call), amount(call.body(), 'amount', 1)),
    ),
    change('card_authorizations/:id/captures', (call) => {
      const { is_final: isFinal = false, is_over: isOver = false, ...body } = call.body()
      const how = { isFinal: isFinal === true, isOver: isOver === true }
      return captureAuthorization(network, { id: idOf(call), amount: amount(body, 'amount', 1), ...how })
    }),
    change('card_authorizations/:id/reversals', (call) => {
      const body = call.raw.length === 0 ? {} : call.body()
      return reverseAuthorization(network, idOf(call), body.amount == null ? null : amount(body, 'amount', 1))
    }),
    change('forced_captures', (call) => {
      const body = call.body()
      return captureByForce(network, { number: numberIn(body), ...termsIn(body) })
    }),
    change('captures/:id/refunds', (call) =>
      refundTransaction(network, idOf(call), amount(call.body(), 'amount', 1)),
    ),
    {
      method: 'GET',
      path: '/network/v1/operations',
      handle: async (call) => {
        const key = call.query.get('key') ?? ''
        await issuing.underWay.get(key)
        const kept = issuing.charges.get(key)
        return kept === undefined
          ? problem(404, 'not_found', 'There is no operation with this key')
          : json(200, { status: kept?.status ?? null, answer: kept?.answer ?? null })
      },
    },
    {
      method: 'POST',
      path: '/network/v1/operations/close',
      handle: async (call) => {
        const key = text(call.body(), 'key')
        await issuing.underWay.get(key)
        const kept = issuing.charges.get(key) ?? null
        if (!issuing.charges.has(key))
          network.commit({ kind: 'issuing', fact: { kind: 'charge', key, value: null } })
        return json(200, { status: kept?.status ?? null, answer: kept?.answer ?? null })
      },
    },
  ]
}

/** A key makes one charge: whoever comes with it while it is made waits for it. */
async function once(
  { memory: { issuing }, commit }: Network,
  call: Call,
  work: () => Promise<Told | null> | Told | null,
): Promise<Answer> {
  const key = call.header('idempotency-key')
  if (key === undefined) throw new BadRequest('Idempotency-Key is required', 'idempotency_key_required')
  const kept = issuing.charges.get(key)
  if (kept === null) return problem(409, 'closed', 'This key is closed, so calls with it have no effect')
  if (kept !== undefined) return json(kept.status, kept.answer)
  const running = issuing.underWay.get(key)
  if (running) return toldAs(await running)
  const run = Promise.resolve(work()).then((told) => {
    const value = told ?? { status: 404, answer: { error: { code: 'not_found', message: 'No such object' } } }
    if (told !== null) commit({ kind: 'issuing', fact: { kind: 'charge', key, value } })
    return value
  })
  issuing.underWay.set(key, run)
  try {
    return toldAs(await run)
  } finally {
    issuing.underWay.delete(key)
  }
}

function toldAs({ status, answer }: { status: number; answer: unknown }): Answer {
  return json(status, answer)
}

function chargeIn(body: Fields) {
  const typed = { expiry: text(body, 'expiry'), securityCode: text(body, 'security_code') }
  return { number: numberIn(body), ...typed, ...termsIn(body) }
}

function termsIn(body: Fields) {
  return { amount: amount(body, 'amount'), currency: currency(body), merchant: merchantIn(body) }
}

function numberIn(body: Fields): string {
  return text(body, 'number').replaceAll(/[ -]/g, '')
}

function idOf({ params }: Call): string {
  return params.id ?? ''
}
