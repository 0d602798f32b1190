import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, type Call, destroy, json } from '../json-server.ts'
import { accountOf } from './accounts.ts'
import { takeFault } from './faults.ts'
import { formOf } from './form.ts'
import { type Fact, type Memory, nowOf } from './memory.ts'
import { StripeError } from './stripe-error.ts'
import type { Asked, Work } from './work.ts'

export type Stripe = {
  readonly memory: Memory
  readonly commit: (...facts: readonly Fact[]) => void
  /** Until those are told of what was done who are to know it before who has asked for it. */
  readonly told: () => Promise<void>
}

/** Stripe forgets a key after a day; a test can have it forget before. */
const keptMs = 86_400_000

type Request = {
  readonly call: Call
  readonly operation: string
  readonly work: Work
  /** A key is remembered for it. */
  readonly isChange: boolean
  /** The key that stands in pages may ask for it, with the client secret. */
  readonly isForPages: boolean
}

/** Works on a request once for each key, with the faults that a test has asked for. */
export async function answer(stripe: Stripe, request: Request): Promise<Answer> {
  const { memory } = stripe
  const { call, operation, isChange } = request
  const account = accountOf(call)
  if (account === null) return errorAnswer(new StripeError(401, { message: 'Invalid API Key provided' }))
  if (account.isPage && !request.isForPages)
    return errorAnswer(
      new StripeError(401, {
        code: 'secret_key_required',
        message: 'This API call cannot be made with a publishable API key. Please use a secret API key.',
      }),
    )
  const fault = takeFault(memory, operation)
  if (fault?.kind === 'drop_request') return destroy
  if (fault?.kind === 'status') {
    const headers = fault.retryAfter === null ? {} : { 'retry-after': fault.retryAfter }
    return { ...errorAnswer(new StripeError(fault.status, { message: 'An injected fault' })), headers }
  }
  const key = isChange ? call.header('idempotency-key') : undefined
  if (key !== undefined && memory.busyKeys.has(key))
    return errorAnswer(
      new StripeError(409, {
        code: 'idempotency_key_in_use',
        type: 'idempotency_error',
        message: 'Under way',
      }),
    )
  if (key !== undefined) memory.busyKeys.add(key)
  try {
    if (fault?.kind === 'delay') await wait(fault.ms)
    const failure = fault?.kind === 'fail' || fault?.kind === 'fail_after' ? fault.kind : null
    const said = keyed(stripe, request, { key, failure })
    if (isChange) await stripe.told()
    return fault?.kind === 'lose_answer' ? destroy : said
  } finally {
    if (key !== undefined) memory.busyKeys.delete(key)
  }
}

type Keyed = { readonly key: string | undefined; readonly failure: 'fail' | 'fail_after' | null }

/** Synchronous from lookup to commit. What was done, a decline and a failure are kept under the key; a request that is wrong is not. */
function keyed({ memory, commit }: Stripe, request: Request, { key, failure }: Keyed): Answer {
  const { call } = request
  const digest = createHash('sha256').update(`${call.path}\n`).update(call.raw).digest('hex')
  const known = key === undefined ? undefined : memory.keys.get(key)
  const nowMs = nowOf(memory)
  const kept = known !== undefined && nowMs < known.at_ms + keptMs ? known : undefined
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
  const keep = (status: number, body: object, facts: readonly Fact[] = []) => {
    commit(
      ...facts,
      ...(key === undefined
        ? []
        : [{ kind: 'key', id: key, value: { digest, status, body, at_ms: nowMs } } as const]),
    )
    return json(status, body)
  }
  const failed = { error: { type: 'api_error', message: 'An injected fault' } }
  if (failure === 'fail') return keep(500, failed)
  try {
    const asked = askedIn(memory, call)
    const { status = 200, body, facts = [] } = request.work(asked)
    asked.form.end()
    return failure === 'fail_after' ? keep(500, failed, facts) : keep(status, body, facts)
  } catch (error) {
    if (error instanceof StripeError) return errorAnswer(error)
    throw error
  }
}

function askedIn(memory: Memory, call: Call): Asked {
  const account = accountOf(call)
  if (account === null) throw new Error('a request of nobody')
  const form = formOf(call)
  return {
    form,
    call,
    memory,
    account,
    nowMs: nowOf(memory),
    expands: new Set(form.list('expand')),
    pagesUrl: `http://${call.header('host')}`,
  }
}

function errorAnswer({ status, fields }: StripeError): Extract<Answer, { kind: 'json' }> {
  return { kind: 'json', status, body: { error: fields } }
}
