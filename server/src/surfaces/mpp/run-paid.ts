import type { Operation } from '../../contract/operation.ts'
import { callerSignalOnUse } from '../../platform/calls/caller-signal.ts'
import type { Call } from '../../platform/calls/dispatch.ts'
import type { Outcome } from '../../platform/calls/outcome.ts'
import type { Principal } from '../../platform/calls/principal.ts'
import type { MppCall } from '../../protocols/mpp/mpp-call.ts'
import {
  digestOfJson,
  type ReadCredential,
  readCredential,
  type SentChallenge,
  writeChallenge,
  writeReceipt,
} from '../../protocols/mpp/payment-scheme.ts'
import type { Business } from '../http/businesses.ts'
import { countedAddress } from '../http/client-address.ts'
import type { Exchange } from '../http/exchange.ts'
import { lineOf } from '../http/request-line.ts'
import { type MppAnswer, type PaymentProblem, refusedAnswer } from './mpp-answer.ts'
import { type Mpp, type PaidMethod, signingFor } from './mpp-parts.ts'

/** For how many minutes a challenge can be answered. */
const challengeMinutes = 10

/** A request of a payer at a merchant, as a transport has read it. */
export type Asked = {
  readonly exchange: Exchange
  readonly business: Business
  /** As a header has it, or as JSON. */
  readonly credential: string | object | undefined
  readonly idempotencyKey: string | undefined
} & Pick<Call, 'path' | 'query' | 'body' | 'bodyError' | 'rawBody' | 'coerce'>

/** Runs an operation that costs nothing. */
export async function runFree(mpp: Mpp, operation: Operation, asked: Asked): Promise<MppAnswer> {
  const principal = principalOf(asked.business, null)
  const call = callOf(mpp, asked, { source: null, payment: null })
  const outcome = await mpp.context.dispatch(principal, operation, call)
  return logged(mpp, { asked, operation, principal }, answerOf(mpp, outcome))
}

type Logged = { asked: Asked; operation: Operation; principal: Principal }

function logged(mpp: Mpp, { asked, operation, principal }: Logged, answer: MppAnswer): MppAnswer {
  const code = answer.kind === 'refused' ? answer.code : answer.kind === 'payment' ? answer.problem : null
  const status = statusOf(answer)
  mpp.context.onRequest(lineOf(asked.exchange, operation, { status, code, principal }))
  return answer
}

function statusOf(answer: MppAnswer): number {
  return answer.kind === 'payment' ? 402 : answer.kind === 'paid' ? 201 : answer.status
}

/** Orders: without a payment that is good for this request it answers with what to pay. */
export async function runPaid(mpp: Mpp, asked: Asked): Promise<MppAnswer> {
  const read = await readPayment(mpp, asked)
  const { create: operation } = mpp.offered
  const source = read.kind === 'payment' ? read.source : null
  const principal = principalOf(asked.business, source)
  const answer = read.kind === 'payment' ? await pay(mpp, asked, read) : await challenge(mpp, asked, read)
  return logged(mpp, { asked, operation, principal }, answer)
}

type Unpaid = { readonly kind: 'unpaid'; readonly problem: PaymentProblem; readonly detail: string }

type Paying = {
  readonly kind: 'payment'
  readonly source: string | null
  readonly payment: NonNullable<MppCall['payment']>
}

async function readPayment(mpp: Mpp, asked: Asked): Promise<Paying | Unpaid> {
  const { business, exchange } = asked
  const credential = await readCredential(asked.credential, signingFor(mpp, exchange.request.headers.host))
  if (credential === null)
    return unpaid('payment-required', 'Pay with one of the challenges, and send the same request again.')
  if (credential === 'malformed') return unpaid('malformed-credential', 'The credential cannot be read.')
  const { challenge, isOurs, payload, source } = credential
  const { amount, currency, recipient } = challenge.request
  const method = mpp.methods[business.mode].find(({ name }) => name === challenge.method)
  const { payment: id, request: forRequest } = challenge.bound
  if (
    !isOurs ||
    !method ||
    recipient !== recipientOf(business) ||
    typeof amount !== 'string' ||
    typeof currency !== 'string' ||
    typeof id !== 'string' ||
    challenge.expires === null
  )
    return unpaid('invalid-challenge', 'The challenge was not issued by this merchant.')
  if (forRequest !== (await digestOfJson(asked.body ?? null)))
    return unpaid('invalid-challenge', 'The challenge was issued for another request.')
  const token = tokenIn(method, payload)
  if (token === null)
    return unpaid('invalid-payload', `The payload of the method ${method.name} has another form.`)
  return {
    kind: 'payment',
    source,
    payment: {
      id,
      challenge_id: challenge.id,
      expires_at: challenge.expires,
      amount: Number(amount),
      currency: currency.toUpperCase(),
      method: method.name,
      token,
    },
  }
}

function tokenIn(method: PaidMethod, payload: ReadCredential['payload']): string | null {
  if (typeof payload !== 'object' || payload === null) return null
  const token = method.tokenOf(payload as Record<string, unknown>)
  return token !== null && token.length > 0 && token.length <= 4096 ? token : null
}

function unpaid(problem: PaymentProblem, detail: string): Unpaid {
  return { kind: 'unpaid', problem, detail }
}

/** A merchant is one recipient in each mode. */
function recipientOf({ mode, slug }: Business): string {
  return `${mode}:${slug}`
}

/** What to pay for this request, at its price now; or why it cannot be ordered at all. */
async function challenge(mpp: Mpp, asked: Asked, { problem, detail }: Unpaid): Promise<MppAnswer> {
  const { business, exchange } = asked
  const principal = principalOf(business, null)
  const call = callOf(mpp, asked, { source: null, payment: null })
  const quoted = answerOf(mpp, await mpp.context.dispatch(principal, mpp.offered.quote, call))
  if (quoted.kind !== 'document') return quoted
  const quote: Quote = JSON.parse(quoted.body) // of a handler
  if (!quote.is_ready) {
    const missing = quote.missing.map(({ message }) => message).join(' ')
    return { kind: 'refused', status: 422, code: 'order_incomplete', detail: missing, headers: {} }
  }
  const methods = mpp.methods[business.mode]
  if (methods.length === 0)
    return { kind: 'refused', status: 409, code: 'not_paid_here', detail: noMethod, headers: {} }
  const request = await digestOfJson(asked.body ?? null)
  if (request === null) throw new Error('a request that was priced has no canonical form')
  const now = await mpp.clock.now()
  const bound = { payment: mpp.newId(now), request }
  const challenges: SentChallenge[] = []
  for (const { name, details } of methods) {
    const terms = {
      amount: String(quote.totals.total),
      currency: quote.currency.toLowerCase(),
      recipient: recipientOf(business),
      methodDetails: { ...details, testMode: business.mode === 'test' },
    }
    const description = `Order at ${business.slug}`
    const expiresAt = new Date(now.getTime() + challengeMinutes * 60_000)
    const signing = signingFor(mpp, exchange.request.headers.host)
    challenges.push(
      await writeChallenge(signing, { method: name, request: terms, expiresAt, bound, description }),
    )
  }
  return { kind: 'payment', problem, detail, challenges }
}

type Quote = {
  is_ready: boolean
  missing: { message: string }[]
  currency: string
  totals: { total: number }
}

const noMethod = 'No payment method is offered in this mode.'

async function pay(mpp: Mpp, asked: Asked, { source, payment }: Paying): Promise<MppAnswer> {
  const principal = principalOf(asked.business, source)
  // Without a key of the caller's own, a payment is its own key.
  const idempotencyKey = asked.idempotencyKey ?? payment.challenge_id
  const call = callOf(mpp, { ...asked, idempotencyKey }, { source, payment })
  const outcome = await mpp.context.dispatch(principal, mpp.offered.create, call)
  if (outcome.kind === 'answered') {
    const order: Order = JSON.parse(outcome.body) // of a handler
    const receipt = await writeReceipt({
      method: order.payment.method,
      reference: order.payment.reference,
      at: new Date(order.created_at),
      challengeId: payment.challenge_id,
      externalId: order.id,
    })
    return { kind: 'paid', body: outcome.body, receipt }
  }
  const answer = answerOf(mpp, outcome)
  const problem = answer.kind === 'refused' ? paymentProblems[answer.code] : undefined
  if (answer.kind !== 'refused' || !problem) return answer
  return challenge(mpp, asked, unpaid(problem, answer.detail))
}

type Order = { id: string; created_at: string; payment: { method: string; reference: string } }

/** The refusals after which another payment may help. */
const paymentProblems: Readonly<Record<string, PaymentProblem>> = {
  payment_not_accepted: 'verification-failed',
  payment_challenge_over: 'payment-expired',
}

/** A payer acts in the account and mode of the merchant that it pays. What it calls itself proves nothing. */
function principalOf({ accountId, mode }: Business, source: string | null): Principal {
  const principal: Principal = {
    kind: 'payer',
    tenant: { accountId, mode },
    actor: { type: 'payer', id: source },
    keyId: null,
    profileId: null,
    scopes: new Set(),
    renew: () => principal,
  }
  return principal
}

function callOf({ context }: Mpp, asked: Asked, said: MppCall): Call {
  const { exchange, business: _, credential: __, idempotencyKey, ...call } = asked
  return {
    ...call,
    requestId: exchange.id,
    address: countedAddress(exchange.client),
    signal: callerSignalOnUse(exchange.response, context.draining),
    headers: {
      // Nothing else that the caller sends as a header is an argument.
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      'mpp-call': said,
    },
    acceptsStream: false,
    accepts: null,
  }
}

function answerOf({ problems }: Mpp, outcome: Outcome): MppAnswer {
  switch (outcome.kind) {
    case 'answered': {
      const { status, headers, body } = outcome
      return { kind: 'document', status, headers, body }
    }
    case 'refused':
      return refusedAnswer(outcome.refusal, problems)
    default:
      throw new Error(`MPP has no words for a ${outcome.kind}`)
  }
}
