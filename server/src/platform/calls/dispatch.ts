import type { CallContext, Sealer, Settings, Tenant } from '../../contract/context.ts'
import type { Operation, Reply, StreamReply } from '../../contract/operation.ts'
import { Problem, ValidationProblem } from '../../contract/problem.ts'
import type { Id, IdPrefix, IdSource } from '../../core/id.ts'
import type { Clock } from '../clock/clock.ts'
import { isRetryable, violatedConstraint } from '../database/errors.ts'
import type { Pools } from '../database/pool.ts'
import type { Hints } from '../hints/hints.ts'
import { isKeyTaken, requestDigest, type StoredReply, storedReply } from '../idempotency/idempotency.ts'
import { type AnyArgs, createArgumentsReader, type RawSections } from './arguments.ts'
import { type Authenticator, authenticate, type Principal } from './authenticate.ts'
import { createReads, openUnit, type Unit } from './unit.ts'
import { waitFor } from './wait-for.ts'

/** A request as a transport hands it over. */
export type Call = RawSections & {
  operationId: string
  authorization: string | undefined
  requestId: Id<'req'>
  signal: AbortSignal
  /** Whether the caller takes server-sent events. */
  acceptsStream: boolean
}

/** What goes back: the body as the bytes to send, or a stream. */
export type CallReply = {
  status: number
  headers: Record<string, string>
  body: string
  /** The code of a refusal, for logs and metrics. */
  code: string | null
  principal: Principal | null
  stream?: StreamReply['stream']
}

/** How every transport runs an operation: authentication, validation, idempotency, one transaction, rendering. */
export type Dispatch = (call: Call) => Promise<CallReply>

export type DispatchOptions = {
  operations: readonly Operation[]
  pools: Pools
  clock: Clock
  hints: Hints
  auth: Authenticator
  newId: IdSource
  random: (length: number) => Uint8Array
  sealer: (tenant: Tenant) => Sealer
  settings: Settings
  /** Bugs: everything thrown that is neither a refusal nor a database conflict. */
  onBug: (error: unknown, call: Call) => void
  /** Tests check every reply against the schema it was declared with. */
  checkReply?: (operation: Operation, status: number, body: unknown) => void
}

type Prepared = { operation: Operation; read: ReturnType<typeof createArgumentsReader> }

/** How often a call is run again after a deadlock or a serialization failure. */
const attemptsMax = 4

export function createDispatch(options: DispatchOptions): Dispatch {
  const prepared = new Map<string, Prepared>(
    options.operations.map((operation) => [
      operation.id,
      { operation, read: createArgumentsReader(operation) },
    ]),
  )
  const reads = createReads(options.pools)

  return async function dispatch(call) {
    let principal: Principal | null = null
    try {
      const found = prepared.get(call.operationId)
      if (!found) throw new Problem('not_found')
      const { operation, read } = found
      const now = await options.clock.now()
      const identify = operation.identify
      principal = await authenticate(options.auth, operation, {
        authorization: call.authorization,
        now,
        identify: identify
          ? () =>
              identify({
                path: call.path,
                headers: textOnly(call.headers),
                rawBody: call.rawBody,
                wallNow: new Date(),
                reads,
                sealerOf: options.sealer,
              })
          : null,
      })
      const { args, idempotencyKey: given } = read(call)
      // A signed answer is its own key: its exact repeat is recognised by its bytes.
      const idempotencyKey = principal.actor.type === 'api_key' ? given : null
      return await new Run(options, { call, operation, principal, args, idempotencyKey, now, reads }).reply()
    } catch (error) {
      return refusal(error, call, principal, options.onBug)
    }
  }
}

type RunFacts = {
  call: Call
  operation: Operation
  principal: Principal
  args: AnyArgs
  idempotencyKey: string | null
  now: Date
  reads: CallContext['reads']
}

/** One call from validated arguments to its reply. */
class Run {
  readonly #options: DispatchOptions
  readonly #facts: RunFacts

  constructor(options: DispatchOptions, facts: RunFacts) {
    this.#options = options
    this.#facts = facts
  }

  async reply(): Promise<CallReply> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt()
      } catch (error) {
        const replayed = await this.#replayed(error)
        if (replayed) return replayed
        if (isRetryable(error) && attempt < attemptsMax) continue
        throw this.#meaning(error)
      }
    }
  }

  async #attempt(): Promise<CallReply> {
    const { operation, args, principal } = this.#facts
    const unit = openUnit(this.#options, this.#origin())
    try {
      const reply = await operation.handle(this.#context(unit.tx), args)
      if ('stream' in reply) {
        await unit.rollback()
        const stream = this.#whileAuthorized(reply.stream)
        return { status: 200, headers: {}, body: '', code: null, principal, stream }
      }
      if (reply instanceof Problem) return await this.#refused(unit, reply)
      const committed = await unit.commit(reply, this.#claim())
      const settled = await this.#settled(reply)
      const body = settled ? JSON.stringify(settled) : committed
      const whole = { ...(settled ?? reply.body), ...reply.reveal }
      this.#options.checkReply?.(operation, reply.status, whole)
      const shown = reply.reveal ? JSON.stringify(whole) : body
      return { status: reply.status, headers: { ...reply.headers }, body: shown, code: null, principal }
    } catch (error) {
      await unit.rollback()
      throw error
    }
  }

  /** A stream outlives the call that opened it, but not the key: nothing is sent once the key is revoked or has expired. */
  async *#whileAuthorized(stream: StreamReply['stream']): StreamReply['stream'] {
    for await (const event of stream) {
      if (!(await this.#isStillAuthorized())) return
      yield event
    }
  }

  async #isStillAuthorized(): Promise<boolean> {
    const { auth, clock } = this.#options
    const { call, operation } = this.#facts
    const caller = { authorization: call.authorization, now: await clock.now(), identify: null }
    try {
      await authenticate(auth, operation, caller)
      return true
    } catch (error) {
      if (error instanceof Problem) return false
      throw error
    }
  }

  /** What the caller waits for after the commit. Nothing may fail here any more: the call would be run again. */
  async #settled({ settle }: Reply): Promise<object | null> {
    if (!settle) return null
    try {
      return await settle()
    } catch (error) {
      this.#options.onBug(error, this.#facts.call)
      return null
    }
  }

  /** A refusal that is committed, with its effects and the key: the same request gets it again. */
  async #refused(unit: Unit, problem: Problem): Promise<CallReply> {
    const { call, principal } = this.#facts
    const reply = {
      status: problem.status,
      body: problem.body(call.requestId),
      headers: problem.options.headers ?? {},
    }
    const body = await unit.commit(reply, this.#claim())
    return { ...reply, body, code: problem.code, principal }
  }

  #origin() {
    const { principal, call, now } = this.#facts
    return {
      tenant: principal.tenant,
      actor: principal.actor,
      requestId: call.requestId,
      now,
      newId: <P extends IdPrefix>(prefix: P) => this.#options.newId(prefix, now.getTime()),
    }
  }

  #context(tx: CallContext['tx']): CallContext {
    const { principal, call, idempotencyKey, reads } = this.#facts
    return {
      ...this.#origin(),
      scopes: principal.scopes,
      requestId: call.requestId,
      idempotencyKey,
      random: this.#options.random,
      sealer: this.#options.sealer(principal.tenant),
      settings: this.#options.settings,
      reads,
      tx,
      signal: call.signal,
      waitFor: (aggregateId, timeoutMs, probe) =>
        waitFor({ hints: this.#options.hints, aggregateId, timeoutMs, signal: call.signal, probe }),
      acceptsStream: call.acceptsStream,
    }
  }

  #claim() {
    const { idempotencyKey, operation, args } = this.#facts
    if (idempotencyKey === null) return null
    return { operation: operation.id, key: idempotencyKey, digest: requestDigest(args) }
  }

  /** The first reply again, when this failure comes from the key's earlier use. Looked up only then: a fresh key pays nothing. */
  async #replayed(error: unknown): Promise<CallReply | null> {
    const { idempotencyKey: key, operation, principal, args } = this.#facts
    const refused =
      error instanceof Problem || error instanceof ValidationProblem || violatedConstraint(error) !== null
    if (key === null || !(refused || isKeyTaken(error))) return null
    const rows = await this.#options.pools.read(
      storedReply({ tenant: principal.tenant, operation: operation.id, key }),
    )
    const [stored] = rows
    if (!stored) return null
    if (!stored.request_digest.equals(requestDigest(args))) {
      throw new Problem('idempotency_key_conflict', { param: 'idempotency_key' })
    }
    return { ...(await this.#again(stored)), principal }
  }

  async #again(stored: StoredReply): Promise<Omit<CallReply, 'principal'>> {
    const headers = { ...stored.headers, 'idempotent-replayed': 'true' }
    const { operation } = this.#facts
    if (operation.replay === 'stored' || !operation.current || stored.object_id === null) {
      return { status: stored.status, headers, body: stored.body, code: null }
    }
    const unit = openUnit(this.#options, this.#origin())
    try {
      const reply: Reply = await operation.current(this.#context(unit.tx), stored.object_id)
      return { status: reply.status, headers, body: JSON.stringify(reply.body), code: null }
    } finally {
      await unit.rollback()
    }
  }

  #meaning(error: unknown): unknown {
    const constraint = violatedConstraint(error)
    const code = constraint === null ? undefined : this.#facts.operation.conflicts[constraint]
    if (code) return new Problem(code)
    if (isRetryable(error)) return new Problem('conflict')
    return error
  }
}

function refusal(
  error: unknown,
  call: Call,
  principal: Principal | null,
  onBug: DispatchOptions['onBug'],
): CallReply {
  if (error instanceof ValidationProblem) {
    return {
      status: 422,
      headers: {},
      body: JSON.stringify(error.body()),
      code: 'validation_error',
      principal,
    }
  }
  if (!(error instanceof Problem)) onBug(error, call)
  const problem = error instanceof Problem ? error : new Problem('internal_error')
  return {
    status: problem.status,
    headers: { ...problem.options.headers },
    body: JSON.stringify(problem.body(call.requestId)),
    code: problem.code,
    principal,
  }
}

/** Signatures come in headers, and a header is text. */
function textOnly(headers: Call['headers']): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]),
  )
}
