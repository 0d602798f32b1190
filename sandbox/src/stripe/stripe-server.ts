import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openDurableLog } from '../durable-log.ts'
import { integer } from '../fields.ts'
import {
  type Answer,
  type Call,
  destroy,
  json,
  list,
  type Route,
  type RunningServer,
  serveJson,
} from '../json-server.ts'
import { accounts, profileOf } from './accounts.ts'
import { parseFaultRule, takeFault } from './faults.ts'
import { type Form, formOf } from './form.ts'
import { grantToken, noSuch, payBy, renderIssuedToken, renderToken, tokenNamedIn } from './granted-tokens.ts'
import { emptyMemory, type Fact, type Intent, type Memory, remember, type Token } from './memory.ts'
import {
  cancelIntent,
  captureIntent,
  confirmIntent,
  confirmsAtOnce,
  createIntent,
  refundIntent,
  renderIntent,
  renderRefund,
  unexpectedState,
} from './payment-intents.ts'
import { StripeError } from './stripe-error.ts'

type Stripe = { memory: Memory; commit: (...facts: Fact[]) => void }

/** The part of Stripe's API that takes shared payment tokens, with its idempotent keys, its late search, and a memory of its own. */
export async function startStripe(options: {
  stateDir: string
  port: number
  controlToken: string
}): Promise<RunningServer> {
  const memory = emptyMemory()
  const log = await openDurableLog<Fact>(join(options.stateDir, 'stripe.jsonl'), (fact) =>
    remember(memory, fact),
  )
  const stripe: Stripe = {
    memory,
    commit: (...facts) => {
      for (const fact of facts) {
        remember(memory, fact)
        void log.append(fact)
      }
    },
  }
  const server = await serveJson({
    port: options.port,
    routes: routes(stripe),
    settled: () => log.durable(),
    controlToken: options.controlToken,
  })
  return {
    url: server.url,
    async close() {
      await server.close()
      await log.close()
    },
  }
}

/** What a request does: the answer, and the facts that it makes. */
type Work = (form: Form, call: Call) => { body: object; facts?: Fact[]; status?: number }

function routes(stripe: Stripe): Route[] {
  const { memory } = stripe
  const intents = '/v1/payment_intents'
  const post = (path: string, operation: string, work: Work): Route => ({
    method: 'POST',
    path,
    handle: (call) => answer(stripe, { call, operation, work, isChange: true }),
  })
  const get = (path: string, operation: string, work: Work): Route => ({
    method: 'GET',
    path,
    handle: (call) => answer(stripe, { call, operation, work, isChange: false }),
  })
  return [
    post(intents, 'create', (form, call) => {
      const intent = createIntent(form, Date.now())
      return confirmsAtOnce(form) ? confirm(memory, intent, { form, call }) : made(intent)
    }),
    get(`${intents}/search`, 'search', (_, call) => searchIntents(memory, call)),
    get(`${intents}/:id`, 'read', (_, call) => ({
      body: renderIntent(intentIn(memory, call), call.query.get('expand[]') === 'latest_charge'),
    })),
    post(`${intents}/:id/confirm`, 'confirm', (form, call) =>
      confirm(memory, intentIn(memory, call), { form, call }),
    ),
    post(`${intents}/:id/capture`, 'capture', (form, call) => {
      const intent = captureIntent(intentIn(memory, call), form)
      const facts = [put(intent), entry(intent, call, 'capture', intent.amount_received)]
      return { ...made(intent), facts: [...facts, ...capturedBy(memory, intent)] }
    }),
    post(`${intents}/:id/cancel`, 'cancel', (_, call) => {
      const before = intentIn(memory, call)
      const intent = cancelIntent(before)
      const wasHeld = before.status === 'requires_capture'
      return {
        ...made(intent),
        facts: [put(intent), ...(wasHeld ? [entry(intent, call, 'void', intent.amount)] : [])],
      }
    }),
    post('/v1/refunds', 'refund', (form, call) => refund(memory, form, call)),
    get('/v1/refunds', 'list_refunds', (_, call) => ({
      body: {
        object: 'list',
        has_more: false,
        data: [...memory.refunds.values()]
          .filter((one) => one.payment_intent === call.query.get('payment_intent'))
          .map(renderRefund),
      },
    })),
    get('/v1/shared_payment/granted_tokens/:id', 'token', (_, call) => {
      const token = memory.tokens.get(call.params.id ?? '')
      if (token === undefined) throw noSuch('SharedPaymentGrantedToken', 'id', 404)
      return { body: renderToken(token, Date.now()) }
    }),
    post(issuedTokens, 'issue', (form, call) => issue(form, call)),
    get(`${issuedTokens}/:id`, 'read_issued', (_, call) => ({
      body: renderIssuedToken(issuedIn(memory, call), Date.now()),
    })),
    post(`${issuedTokens}/:id/revoke`, 'revoke_issued', (_, call) => revokeIssued(memory, call)),
    ...testHelpers(stripe, post),
  ]
}

const issuedTokens = '/v1/shared_payment/issued_tokens'

/** A token that an agent shares with one seller. */
function issue(form: Form, call: Call): ReturnType<Work> {
  const seller = form.required('seller_details[network_business_profile]')
  if (!Object.values(accounts).includes(seller))
    throw noSuch('profile', 'seller_details[network_business_profile]')
  const token = { ...grantToken(form), seller, issued_by: profileOf(call) }
  if (token.expires_at * 1000 <= Date.now())
    throw new StripeError(400, { param: 'usage_limits[expires_at]', message: 'It has expired already' })
  return {
    body: renderIssuedToken(token, Date.now()),
    facts: [{ kind: 'token', value: token }, tokenEntry(token, call, 'issue')],
  }
}

function revokeIssued(memory: Memory, call: Call): ReturnType<Work> {
  const before = issuedIn(memory, call)
  if (before.deactivated_reason !== null || before.expires_at * 1000 <= Date.now())
    throw new StripeError(400, { message: 'The shared payment token was deactivated.' })
  const token = { ...before, deactivated_reason: 'revoked' as const }
  return {
    body: renderIssuedToken(token, Date.now()),
    facts: [{ kind: 'token', value: token }, tokenEntry(token, call, 'revoke')],
  }
}

function issuedIn(memory: Memory, call: Call): Token {
  const token = memory.tokens.get(call.params.id ?? '')
  if (token === undefined || token.issued_by !== profileOf(call))
    throw noSuch('SharedPaymentIssuedToken', 'id', 404)
  return token
}

function capturedBy(memory: Memory, { paid_by, amount_received }: Intent): Fact[] {
  const token = paid_by === null ? undefined : memory.tokens.get(paid_by)
  return token ? [{ kind: 'token', value: { ...token, amount_captured: amount_received } }] : []
}

/** Whoever has the id of a token could not pay by it elsewhere; it stands in no log all the same. */
function tokenEntry(
  { max_amount: amount, currency, seller: reference }: Token,
  call: Call,
  operation: string,
): Fact {
  const key = call.header('idempotency-key') ?? null
  const at = new Date().toISOString()
  const about = { payment_intent: null, reference, amount, currency }
  return { kind: 'entry', value: { at, operation, key, ...about, result: 'succeeded' } }
}

function testHelpers(
  { memory, commit }: Stripe,
  post: (path: string, operation: string, work: Work) => Route,
): Route[] {
  const helpers = '/v1/test_helpers/shared_payment/granted_tokens'
  const control = { method: 'POST', isControl: true } as const
  return [
    post(helpers, 'grant', (form) => {
      const value = grantToken(form)
      return { body: renderToken(value, Date.now()), facts: [{ kind: 'token', value }] }
    }),
    post(`${helpers}/:id/revoke`, 'revoke', (_, call) => {
      const token = memory.tokens.get(call.params.id ?? '')
      if (token === undefined) throw noSuch('SharedPaymentGrantedToken', 'id', 404)
      const value = { ...token, deactivated_reason: 'revoked' as const }
      return { body: renderToken(value, Date.now()), facts: [{ kind: 'token', value }] }
    }),
    {
      ...control,
      path: '/control/faults',
      handle: (call) => json(201, memory.faults[memory.faults.push(parseFaultRule(call.body())) - 1]),
    },
    {
      ...control,
      method: 'DELETE',
      path: '/control/faults',
      handle: () => json(200, { cleared: memory.faults.splice(0).length }),
    },
    {
      ...control,
      path: '/control/keys/forget',
      handle: () => {
        const forgotten = memory.keys.size
        commit({ kind: 'keys_forgotten' })
        return json(200, { forgotten })
      },
    },
    {
      ...control,
      path: '/control/search',
      handle: (call) => {
        memory.searchDelayMs = integer(call.body(), 'delay_ms', { min: 0, max: 3_600_000 })
        return json(200, { delay_ms: memory.searchDelayMs })
      },
    },
    { method: 'GET', path: '/log', handle: () => list(memory.log) },
    { method: 'GET', path: '/health', handle: () => json(200, { ok: true, service: 'stripe' }) },
  ]
}

function made(intent: Intent) {
  return { body: renderIntent(intent, false), facts: [put(intent)] }
}

function put(value: Intent): Fact {
  return { kind: 'intent', value }
}

function confirm(
  memory: Memory,
  before: Intent,
  { form, call }: { form: Form; call: Call },
): ReturnType<Work> {
  if (before.status !== 'requires_payment_method') throw unexpectedState(before)
  const token = memory.tokens.get(tokenNamedIn(form))
  const outcome = payBy(token, before, { profile: profileOf(call), nowMs: Date.now() })
  const intent = { ...confirmIntent(before, outcome), paid_by: token?.id ?? null }
  const used: Fact[] =
    token && outcome === 'approved'
      ? [
          {
            kind: 'token',
            value: { ...token, deactivated_reason: 'consumed', amount_captured: intent.amount_received },
          },
        ]
      : []
  const result = intent.last_payment_error === null ? intent.status : 'declined'
  const facts = [put(intent), ...used, entry(intent, call, 'confirm', intent.amount, result)]
  if (intent.last_payment_error === null) return { body: renderIntent(intent, false), facts }
  const error = { ...intent.last_payment_error, payment_intent: renderIntent(intent, false) }
  return { status: 402, body: { error }, facts }
}

function refund(memory: Memory, form: Form, call: Call): ReturnType<Work> {
  const before = memory.intents.get(form.required('payment_intent'))
  if (before === undefined) throw noSuch('payment_intent', 'payment_intent', 404)
  const { intent, refund: value } = refundIntent(before, form)
  const facts: Fact[] = [put(intent), { kind: 'refund', value }, entry(intent, call, 'refund', value.amount)]
  return { body: renderRefund(value), facts }
}

/** The index learns of an intent a while after it was made, and shows it as it was. */
function searchIntents(memory: Memory, call: Call): ReturnType<Work> {
  const [, name = '', value] = /^metadata\['(\w+)'\]:'([^']*)'$/.exec(call.query.get('query') ?? '') ?? []
  if (value === undefined)
    throw new StripeError(400, { param: 'query', message: 'The query is not understood' })
  const until = Date.now() - memory.searchDelayMs
  const data = [...memory.intents.values()]
    .filter((one) => one.metadata[name] === value && one.created_ms <= until)
    .map((one) => renderIntent(one, false))
  return { body: { object: 'search_result', has_more: false, data } }
}

function intentIn(memory: Memory, call: Call): Intent {
  const intent = memory.intents.get(call.params.id ?? '')
  if (intent === undefined) throw noSuch('payment_intent', 'intent', 404)
  return intent
}

function entry(intent: Intent, call: Call, operation: string, amount: number, result = 'succeeded'): Fact {
  const { id, description: reference, currency } = intent
  const key = call.header('idempotency-key') ?? null
  const at = new Date().toISOString()
  return {
    kind: 'entry',
    value: { at, operation, key, payment_intent: id, reference, amount, currency, result },
  }
}

type Request = { call: Call; operation: string; work: Work; isChange: boolean }

async function answer(stripe: Stripe, request: Request): Promise<Answer> {
  const { call, operation, isChange } = request
  if (profileOf(call) === null)
    return errorAnswer(new StripeError(401, { message: 'Invalid API Key provided' }))
  const fault = takeFault(stripe.memory, operation)
  if (fault?.kind === 'drop_request') return destroy
  if (fault?.kind === 'status') {
    const headers = fault.retryAfter === null ? {} : { 'retry-after': fault.retryAfter }
    return { ...errorAnswer(new StripeError(fault.status, { message: 'An injected fault' })), headers }
  }
  const key = isChange ? call.header('idempotency-key') : undefined
  if (key !== undefined && stripe.memory.busyKeys.has(key))
    return errorAnswer(
      new StripeError(409, {
        code: 'idempotency_key_in_use',
        type: 'idempotency_error',
        message: 'Under way',
      }),
    )
  if (key !== undefined) stripe.memory.busyKeys.add(key)
  try {
    if (fault?.kind === 'delay') await wait(fault.ms)
    const said = keyed(
      stripe,
      request,
      key,
      fault?.kind === 'fail' || fault?.kind === 'fail_after' ? fault.kind : null,
    )
    return fault?.kind === 'lose_answer' ? destroy : said
  } finally {
    if (key !== undefined) stripe.memory.busyKeys.delete(key)
  }
}

/** Synchronous from lookup to commit. What was done, a decline and a failure are kept under the key; a request that is wrong is not. */
function keyed(
  stripe: Stripe,
  request: Request,
  key: string | undefined,
  failure: 'fail' | 'fail_after' | null,
): Answer {
  const { call } = request
  const digest = createHash('sha256').update(`${call.path}\n`).update(call.raw).digest('hex')
  const kept = key === undefined ? undefined : stripe.memory.keys.get(key)
  if (kept !== undefined) {
    if (kept.digest !== digest)
      return errorAnswer(
        new StripeError(400, {
          type: 'idempotency_error',
          message: 'The key was used with other parameters',
        }),
      )
    return { kind: 'json', status: kept.status, body: kept.body, headers: { 'idempotent-replayed': 'true' } }
  }
  const keep = (status: number, body: unknown, facts: Fact[] = []) => {
    if (key !== undefined) facts.push({ kind: 'key', id: key, value: { digest, status, body } })
    stripe.commit(...facts)
    return json(status, body)
  }
  const failed = { error: { type: 'api_error', message: 'An injected fault' } }
  if (failure === 'fail') return keep(500, failed)
  try {
    const { status = 200, body, facts = [] } = request.work(formOf(call), call)
    return failure === 'fail_after' ? keep(500, failed, facts) : keep(status, body, facts)
  } catch (error) {
    if (error instanceof StripeError) return errorAnswer(error)
    throw error
  }
}

function errorAnswer({ status, fields }: StripeError): Extract<Answer, { kind: 'json' }> {
  return { kind: 'json', status, body: { error: fields } }
}
