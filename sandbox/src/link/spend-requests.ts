import { randomBytes } from 'node:crypto'
import { cardRanges, newNumber } from '../card-number.ts'
import { BadRequest, currency, integer, objectField, text } from '../fields.ts'
import { type Answer, type Call, destroy, json, type Route } from '../json-server.ts'
import { isUndecided, limitOf, type Memory, nowOf, passTime, type SpendRequest } from './memory.ts'

/** In Link's test mode every request has the same card; here each has its own, so that a shop charges the right one. */
function newCard(memory: Memory) {
  const isTaken = (number: string) => [...memory.requests.values()].some(({ card }) => card.number === number)
  return { number: newNumber(cardRanges.link, isTaken), cvc: '123', exp_month: 12, exp_year: 2034 }
}

/** The requests of a wallet, for the program that its person has signed in to it. */
export function spendRequestRoutes(memory: Memory, urlOf: () => string): Route[] {
  const route = (
    method: 'GET' | 'POST',
    path: string,
    operation: string,
    handle: (call: Call, wallet: string) => Answer,
  ): Route => ({
    method,
    path,
    handle(call) {
      const at = memory.faults.findIndex((one) => one.operation === operation)
      const how = at < 0 ? null : (memory.faults.splice(at, 1)[0]?.how ?? null)
      if (how === 'drop_request') return destroy
      if (how === 'further_page') return json(200, { data: [], has_more: true })
      const status = /^status=(\d{3})$/.exec(how ?? '')?.[1]
      if (status !== undefined) return wrong(Number(status), 'turned_away')
      passTime(memory)
      const wallet = memory.tokens.get((call.header('authorization') ?? '').replace(/^Bearer /, ''))
      const answer = wallet === undefined ? wrong(401, 'invalid_token') : handle(call, wallet)
      return how === 'lose_answer' ? destroy : answer
    },
  })
  const own = (call: Call, wallet: string) => {
    const request = memory.requests.get(call.params.id ?? '')
    return request?.wallet === wallet ? request : null
  }
  return [
    route('POST', '/spend_requests', 'create', (call, wallet) =>
      create(memory, call, { wallet, url: urlOf() }),
    ),
    route('GET', '/payment-details', 'payment_details', (_, wallet) =>
      json(200, {
        payment_details: memory.emptyWallets.has(wallet)
          ? []
          : [
              { id: `csmrpd_other_${wallet}`, type: 'CARD', is_default: false },
              { id: `csmrpd_${wallet}`, type: 'CARD', is_default: true },
            ],
      }),
    ),
    route('GET', '/spend_requests', 'list', (_, wallet) => {
      const all = [...memory.requests.values()].filter((one) => one.wallet === wallet)
      return json(200, { data: all.map((one) => shown(one, { url: urlOf() })) })
    }),
    route('GET', '/spend_requests/:id', 'read', (call, wallet) => {
      const request = own(call, wallet)
      const withCard = call.query.get('include') === 'card'
      return request ? json(200, shown(request, { url: urlOf(), withCard })) : wrong(404, 'not_found')
    }),
    route('POST', '/agent_observations', 'observe', (call, wallet) => {
      const body = call.body()
      const { id } = own({ ...call, params: { id: text(body, 'spend_request_id') } }, wallet) ?? { id: null }
      if (id === null || !['success', 'blocked', 'abandoned'].includes(text(body, 'outcome')))
        return wrong(400, 'invalid_observation')
      memory.observations.push({
        domain: text(body, 'domain'),
        outcome: text(body, 'outcome'),
        spend_request_id: id,
      })
      return json(201, {})
    }),
    route('POST', '/spend_requests/:id/cancel', 'cancel', (call, wallet) => {
      const request = own(call, wallet)
      if (!request) return wrong(404, 'not_found')
      if (!isUndecided(request) && request.status !== 'approved')
        return wrong(400, 'spend_request_not_cancelable')
      request.status = 'canceled'
      memory.log.push({ operation: 'cancel', id: request.id, status: request.status })
      return json(200, shown(request, { url: urlOf() }))
    }),
  ]
}

function wrong(status: number, code: string): Answer {
  return json(status, { error: { code, message: `Link says ${code}` } })
}

function create(memory: Memory, call: Call, { wallet, url }: { wallet: string; url: string }): Answer {
  const key = call.header('idempotency-key')
  const known = memory.requests.get(memory.byKey.get(`${wallet} ${key}`) ?? '')
  if (known) return json(200, shown(known, { url }))
  const asked = call.body()
  const context = text(asked, 'context')
  if (context.length < 100) throw new BadRequest('context must have at least 100 characters')
  for (const name of ['payment_details', 'merchant_name', 'merchant_url']) text(asked, name)
  if (text(asked, 'credential_type') !== 'card') throw new BadRequest('only cards are simulated')
  // The simulator charges nobody, so a request that is none of test mode is a mistake.
  if (asked.test !== true) throw new BadRequest('only test mode is simulated')
  objectField(asked, 'metadata')
  const amount = integer(asked, 'amount', { min: 1, max: 500_000 })
  const limit = limitOf(memory, wallet, amount)
  if (limit !== null) return wrong(400, limit)
  const request: SpendRequest = {
    id: `lsrq_${randomBytes(9).toString('hex')}`,
    wallet,
    asked,
    amount,
    currency: currency(asked),
    createdAtMs: nowOf(memory),
    status: asked.request_approval === true ? 'pending_approval' : 'created',
    goesOn: true,
    charged: 0,
    refunded: 0,
    card: newCard(memory),
  }
  memory.requests.set(request.id, request)
  if (key !== undefined) memory.byKey.set(`${wallet} ${key}`, request.id)
  memory.log.push({ operation: 'create', id: request.id, status: request.status })
  return json(200, shown(request, { url }))
}

type Shown = { readonly url: string; readonly withCard?: boolean }

function shown(request: SpendRequest, { url, withCard = false }: Shown): object {
  const { id, asked, amount, status, charged, refunded } = request
  const page = `${url}/approve/${id}`
  const {
    payment_details,
    merchant_name,
    merchant_url,
    context,
    metadata,
    line_items = [],
    totals = [],
  } = asked
  return {
    id,
    ...{ payment_details, merchant_name, merchant_url, context, metadata, line_items, totals },
    amount,
    currency: request.currency.toLowerCase(),
    credential_type: 'card',
    status,
    created_at: new Date(request.createdAtMs).toISOString(),
    updated_at: new Date(request.createdAtMs).toISOString(),
    ...(isUndecided(request) && status !== 'requires_action' ? { approval_url: page } : {}),
    ...(status === 'requires_action' ? { status_details: actionOf(request, page) } : {}),
    ...(withCard && status === 'approved'
      ? {
          card: {
            id: `card_${id}`,
            brand: 'visa',
            ...request.card,
            billing_address: { name: 'Ada Lovelace', country: 'US' },
          },
        }
      : {}),
    ...(charged > 0
      ? {
          link_transaction_id: `ltxn_${id}`,
          payment_status_details: {
            outcome: 'success',
            amount: charged,
            currency: request.currency.toLowerCase(),
            refund_details: refunded > 0 ? { amount: refunded, state: 'succeeded' } : null,
          },
        }
      : {}),
  }
}

function actionOf({ goesOn }: SpendRequest, page: string): object {
  const next_action = goesOn
    ? { type: 'three_d_secure', resolution: 'auto_resume', action_url: page }
    : { type: 'contact_support', resolution: 'create_new_spend_request', action_url: null }
  return { requires_action: { next_action: { ...next_action, display_message: 'Your bank asks.' } } }
}
