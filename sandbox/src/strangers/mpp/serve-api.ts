import { setTimeout as wait } from 'node:timers/promises'
import type { Desk } from '../shop/desk.ts'
import { drawing } from '../web/layout.ts'
import { bytes, data, type Reply, type Visit } from '../web/site.ts'
import type { Api } from './apis.ts'
import { challengesFor, type Problem, testify } from './ask-payment.ts'
import {
  bodyDigest,
  type Challenge,
  type Credential,
  encoded,
  headerOf,
  ownChallenge,
  readCredential,
  receiptOf,
  scopeOf,
  secretOf,
  termsOf,
} from './challenge.ts'
import { forecastOf } from './forecast.ts'
import { type Method, methods, type Payment, takePayment } from './take-payment.ts'

const lateMs = 25_000
const largeBytes = 1_500_000
const elsewhere = 'https://elsewhere.example/v1/forecast'

type Request = { desk: Desk; name: string; api: Api; visit: Visit }

/** One request to a paid address: what has to be paid for it, or what was bought. */
export async function serveApi(request: Request): Promise<Reply> {
  const { api, visit, desk, name } = request
  const free = withoutPayment(request)
  if (free !== undefined) return free
  const credential = readCredential(visit.headers.authorization)
  if (credential === undefined) return askFor(request, 'payment-required')
  if (credential === 'malformed') return askFor(request, 'malformed-credential')
  const own = ownChallenge(secretOf(desk.memory), credential)
  if (own === undefined || scopeOf(own) !== scopeIn(visit) || own.digest !== bodyDigest(visit.raw))
    return askFor(request, 'invalid-challenge')
  if (Date.now() > Date.parse(own.expires)) return askFor(request, 'payment-expired')
  const means = meansOf(desk, own, credential)
  if (means === undefined) {
    testify(desk, name, 'method-unsupported')
    return data(problemOf('method-unsupported', 400, 'This method is not taken.'), 400)
  }
  return (await paidReply(request, own, means)) ?? askFor(request, 'verification-failed', api.about)
}

function withoutPayment({ desk, name, api, visit }: Request): Reply | undefined {
  const { unpaid } = api
  if (unpaid === undefined) return undefined
  testify(desk, name, unpaid)
  switch (unpaid) {
    case 'free':
      return data(forecastOf(askedIn(visit)))
    case 'redirect':
      return { kind: 'redirect', to: elsewhere }
    case 'none':
      return data(problemOf('payment-required', 402, 'Pay first.'), 402)
    case 'garbage':
      return bytes(402, '<!doctype html><title>Pay</title>', {
        'content-type': 'text/html',
        'www-authenticate': 'Payment id="", request="!!!", method=',
      })
    default:
      return unpaid satisfies never
  }
}

type Means = { method: Method; token: string }

function meansOf(desk: Desk, { method }: Challenge, { payload }: Credential): Means | undefined {
  const isTaken = method === 'processor' || (method === 'stripe' && desk.stripeUrl !== undefined)
  if (!isTaken) return undefined
  const token = payload[methods[method]]
  return { method, token: typeof token === 'string' ? token.slice(0, 500) : '' }
}

/** Nothing: it was not paid. */
async function paidReply(request: Request, challenge: Challenge, means: Means): Promise<Reply | undefined> {
  const { desk, name, api } = request
  const said = { cart: challenge.id, ...termsOf(challenge) }
  const note = `broke:${challenge.id}`
  if (api.breaks === 'always' || (api.breaks === 'before' && !desk.memory.notes.has(note))) {
    desk.memory.commit({ kind: 'note', name: note, value: 'yes' })
    testify(desk, name, 'broken', said)
    return { kind: 'break' }
  }
  const payment: Payment =
    api.isDeclined || means.token === ''
      ? { kind: 'declined', code: 'not_good_enough' }
      : await takePayment(desk, { api: name, challenge, ...means, asksMore: api.asksMore ?? 0 })
  if (payment.kind !== 'paid') {
    testify(desk, name, payment.kind === 'used' ? 'used' : `declined:${payment.code}`, said)
    return payment.kind === 'used' ? askFor(request, 'invalid-challenge') : undefined
  }
  testify(desk, name, payment.isRepeated ? 'repeated' : 'paid', said)
  if (api.breaks === 'after' && !payment.isRepeated) return { kind: 'break' }
  return soldReply(request, challenge, payment)
}

async function soldReply(
  request: Request,
  challenge: Challenge,
  { reference }: { reference: string },
): Promise<Reply> {
  const { api, visit, desk } = request
  const headers = { 'cache-control': 'private', ...receiptHeader(api, challenge, reference) }
  const json = { ...headers, 'content-type': 'application/json' }
  switch (api.answers) {
    case undefined:
      return bytes(200, JSON.stringify(forecastOf(askedIn(visit))), json)
    case 'again':
      return askFor(request, 'verification-failed')
    case 'error':
      return data(problemOf('internal-payment-error', 500, 'Something went wrong.'), 500)
    case 'redirect':
      return { kind: 'redirect', to: elsewhere }
    case 'large':
      return bytes(200, JSON.stringify({ weather: 'w'.repeat(largeBytes) }), json)
    case 'picture':
      return bytes(200, drawing('Weather', '#2f5d8a'), { ...headers, 'content-type': 'image/svg+xml' })
    case 'late':
      // It is on disk by then that it was charged.
      await desk.memory.durable()
      await wait(lateMs, undefined, { ref: false })
      return bytes(200, JSON.stringify(forecastOf(askedIn(visit))), json)
    default:
      return api.answers satisfies never
  }
}

function receiptHeader(api: Api, challenge: Challenge, reference: string): Record<string, string> {
  switch (api.receipt) {
    case undefined:
      return { 'payment-receipt': encoded(receiptOf(challenge, reference)) }
    case 'garbage':
      return { 'payment-receipt': 'paid, thank you' }
    case 'none':
      return {}
    default:
      return api.receipt satisfies never
  }
}

function askFor(request: Request, problem: Problem, detail = 'Pay for this request.'): Reply {
  const { desk, name, api, visit } = request
  const digest = bodyDigest(visit.raw)
  const challenges = challengesFor(desk, name, { api, scope: scopeIn(visit), digest })
  const [first] = challenges
  if (first !== undefined) testify(desk, name, problem, { cart: first.id, ...termsOf(first) })
  const body = { ...problemOf(problem, 402, detail), challengeId: first?.id }
  return bytes(402, JSON.stringify(body), {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'www-authenticate': challenges.map((one) => headerOf(one, `Pays ${name}`)).join(', '),
  })
}

function problemOf(type: string, status: number, detail: string): object {
  return {
    type: `https://paymentauth.org/problems/${type}`,
    title: type.replaceAll('-', ' '),
    status,
    detail,
  }
}

/** For which request a challenge is good. */
function scopeIn({ method, url }: Visit): string {
  return `${method} ${url.pathname}${url.search}`
}

function askedIn({ url, raw }: Visit): unknown {
  try {
    return raw.length > 0 ? JSON.parse(raw.toString('utf8')) : Object.fromEntries(url.searchParams)
  } catch {
    return {}
  }
}
