import type { CallContext } from '../../contract/context.ts'
import type {
  DownloadReply,
  Operation,
  OperationFacts,
  Reply,
  StreamReply,
} from '../../contract/operation.ts'
import type { BoundPorts } from '../../contract/port.ts'
import { Problem, ValidationProblem } from '../../contract/problem.ts'
import type { ProblemCatalog } from '../../contract/problem-codes.ts'
import type { Id } from '../../core/id.ts'
import { isRetryable, violatedConstraint } from '../database/errors.ts'
import { openTransaction } from '../database/transaction.ts'
import type { EventOrigin } from '../events/append-events.ts'
import type { StoredReply } from '../idempotency/idempotency.ts'
import { readRefusal, refusalRecord } from '../idempotency/refusal-record.ts'
import type { RequestDigests } from '../idempotency/request-digest.ts'
import { HeldSlots, Slots } from '../limits/slots.ts'
import { type AnyArgs, createArgumentsReader, type RawSections } from './arguments.ts'
import { type BoundAgent, type BoundAgents, bindOperation, boundAgentOf, outcomeFor } from './bound-agent.ts'
import { CallKey } from './call-key.ts'
import { assertBound, CallPorts, undeclared } from './call-ports.ts'
import { confirmedBy } from './confirm.ts'
import { LazyTransaction } from './lazy-transaction.ts'
import { answered, type Outcome, refusedWith } from './outcome.ts'
import { actsForAccount, barOf, type Principal, viewerOf } from './principal.ts'
import { createReads, readsOfCall, shareOf } from './reads.ts'
import { refusalOf } from './refusal.ts'
import { rememberInvalid } from './remember-invalid.ts'
import type { ActingParts } from './run-as.ts'
import { untilSent } from './then-release.ts'
import { openUnit, type Unit, unitAttemptsMax } from './unit.ts'
import { waitFor } from './wait-for.ts'
import { openWatch } from './watch.ts'

/** A request as it is handed over. */
export type Call = RawSections & {
  requestId: Id<'req'>
  address: CallContext['address']
  /** Aborts when the caller has left or the server drains. Made on use: most calls wait for nothing. */
  signal: () => AbortSignal
  /** Whether the caller takes server-sent events. */
  acceptsStream: boolean
  /** Which of the operation's `downloads` the caller wants. */
  accepts: string | null
}

/**
 * How everybody runs an operation: what the caller may do, validation, idempotency, one transaction. A surface finds out who calls and
 * words the outcome; work and commands say in whose name they call (`innerCall`).
 */
export type Dispatch = (
  principal: Principal,
  operation: Pick<OperationFacts, 'id'>,
  call: Call,
) => Promise<Outcome>

type DispatchOptions = ActingParts & {
  operations: readonly Operation[]
  /** What refusals mean that are kept with their key. */
  problems: ProblemCatalog
  boundAgents: BoundAgents
  /** What operations ask of the outside. */
  ports: BoundPorts
  requestDigests: RequestDigests
  /** Bugs: every error that is neither a refusal nor a database conflict. */
  onBug: (error: unknown, call: Call) => void
  /** Tests check every reply against the schema it was declared with. */
  checkReply?: (operation: Operation, status: number, body: unknown) => void
}

type Prepared = {
  operation: Operation
  read: ReturnType<typeof createArgumentsReader>
  bound: ReturnType<typeof bindOperation>
}

export function createDispatch(options: DispatchOptions): Dispatch {
  const prepared = new Map<string, Prepared>(
    options.operations.map((operation) => [
      operation.id,
      { operation, read: createArgumentsReader(operation), bound: bindOperation(operation) },
    ]),
  )
  assertBound(options.operations, options.ports)
  const shared = createReads(options.pools)
  const slots = new Slots(options.settings.limits)
  const agents = options.boundAgents

  return async function dispatch(principal, { id }, call) {
    const agent = boundAgentOf(principal)
    let remember: ReturnType<typeof rememberInvalid> = null
    const held = new HeldSlots(slots)
    try {
      const found = prepared.get(id)
      if (!found) throw new Problem('not_found')
      const { operation, read, bound } = found
      const bar = barOf(principal, operation)
      if (bar) throw bar
      // Awaiting a value that is already known costs a turn of the microtask queue each time, so only promises are awaited.
      const time = options.clock.now()
      const now = time instanceof Date ? time : await time
      // guard requests-at-once: an account has so many requests under way
      if (actsForAccount(principal)) held.hold('requests', principal)
      remember = rememberInvalid(options, { operation, call, principal, now, reads: shared })
      const isSigned = principal.kind === 'signature'
      const sections = agent ? bound.fill(call, agent) : call
      const { args: asked, idempotencyKey: given } = read(sections, isSigned)
      const args = agent ? await bound.narrow(asked, agent, { agents, reads: shared }) : asked
      // A signed answer is its own key: its exact repeat is recognized by its bytes.
      const idempotencyKey = isSigned ? null : given
      const reads = readsOfCall(options.pools, shared, { operation, asking: principal, query: args.query })
      const facts = { call, operation, principal, agent, args, idempotencyKey, now, reads, held }
      const run = new Run(options, facts)
      const outcome = await run.outcome()
      if (run.waited.ms > 0) outcome.waitedMs = run.waited.ms
      return untilSent(agent ? outcomeFor(outcome, agent, agents) : outcome, held)
    } catch (error) {
      held.releaseAll()
      const onBug = (bug: unknown) => options.onBug(bug, call)
      if (error instanceof ValidationProblem) await remember?.(error).catch(onBug)
      const outcome = refusedWith(refusalOf(error, onBug), call.requestId)
      return agent ? outcomeFor(outcome, agent, agents) : outcome
    }
  }
}

type RunFacts = {
  call: Call
  operation: Operation
  principal: Principal
  /** The agent, where the principal acts for one profile alone. */
  agent: BoundAgent | null
  args: AnyArgs
  idempotencyKey: string | null
  now: Date
  reads: CallContext['reads']
  held: HeldSlots
}

/** One call from validated arguments to its outcome. */
class Run {
  readonly #options: DispatchOptions
  readonly #facts: RunFacts
  readonly #ports: CallPorts | null
  readonly #key: CallKey
  readonly waited = { ms: 0 }

  constructor(options: DispatchOptions, facts: RunFacts) {
    this.#options = options
    this.#facts = facts
    const { operation } = facts
    const { outside } = operation
    this.#key = new CallKey(options, facts)
    this.#ports = outside ? new CallPorts({ operation, outside, bound: options.ports }) : null
  }

  async outcome(): Promise<Outcome> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(attempt)
      } catch (error) {
        const replayed = await this.#replayed(error)
        if (replayed) return replayed
        // The bytes of a file have been read and cannot be read again.
        const isRepeatable = !this.#facts.args.content.isBegun()
        if (isRetryable(error) && isRepeatable && attempt < unitAttemptsMax) continue
        throw this.#meaning(error)
      }
    }
  }

  async #attempt(attempt: number): Promise<Outcome> {
    const { operation, args } = this.#facts
    const tx = this.#transaction()
    try {
      const asked = this.#context(tx, attempt)
      // Programs are asked nothing, and pay nothing for that.
      const confirmed =
        asked.person === null ? null : await confirmedBy(asked, this.#facts, this.#options.ports)
      if (confirmed instanceof Problem) return await this.#unconfirmed(tx, confirmed)
      const reply = await operation.handle(
        confirmed === null ? asked : { ...asked, confirmed: confirmed.terms },
        args,
      )
      // The key may have been revoked during the wait. Then its holder does not get the result.
      // guard wait-ends-with-its-key: a request that waits gets no answer once its key is revoked
      if (this.waited.ms > 0 && !(await this.#isStillAuthorized())) throw new Problem('unauthorized')
      if (isStream(reply)) {
        await tx.rollback()
        return this.#streamed(reply)
      }
      if ('download' in reply) {
        await tx.rollback()
        const download = { ...reply, download: this.#allOrNothing(reply.download) }
        return { kind: 'download', download }
      }
      if (reply instanceof Problem) return await this.#refused(tx.unit(), reply)
      if (confirmed !== null) await confirmed.use()
      const claim = this.#key.claim()
      // Without either, there is nothing to commit.
      const committed = tx.opened || claim ? await tx.unit().commit(reply, claim) : JSON.stringify(reply.body)
      tx.end()
      if (reply.stream && this.#facts.call.acceptsStream) return this.#streamed(reply.stream())
      if (isPlain(reply, this.#options)) return answered(reply, committed)
      return await this.#shown(reply, committed)
    } catch (error) {
      await tx.rollback()
      throw error
    }
  }

  /** The outcome to send, where it differs from what was stored. */
  async #shown(reply: Reply, committed: string): Promise<Outcome> {
    const { call, operation } = this.#facts
    const settled = await this.#settled(reply)
    if (settled instanceof Problem) return refusedWith(settled, call.requestId)
    const shown = settled ?? reply
    const whole = { ...shown.body, ...reply.reveal }
    this.#options.checkReply?.(operation, shown.status, whole)
    return answered(shown, reply.reveal || settled ? JSON.stringify(whole) : committed)
  }

  #streamed(reply: StreamReply): Outcome {
    return { ...reply, kind: 'stream', stream: this.#whileAuthorized(reply.stream) }
  }

  /** A stream outlives the call that opened it, but not the key: nothing is sent after the key was revoked or has expired. */
  async *#whileAuthorized(stream: StreamReply['stream']): StreamReply['stream'] {
    for await (const event of stream) {
      // guard stream-ends-with-its-key: a stream ends with the key that opened it
      if (!(await this.#isStillAuthorized())) return
      yield event
    }
  }

  /** A file likewise; and its connection breaks, because a part of the file must not look like the whole. */
  async *#allOrNothing(download: DownloadReply['download']): DownloadReply['download'] {
    for await (const part of download) {
      if (!(await this.#isStillAuthorized())) throw new Problem('unauthorized')
      yield part
    }
  }

  async #isStillAuthorized(): Promise<boolean> {
    const { principal, operation } = this.#facts
    const renewed = await principal.renew()
    return renewed !== null && barOf(renewed, operation) === null
  }

  /** Runs what the caller waits for after the commit. Nothing may fail here any more: the call would be run again. */
  async #settled({ settle }: Reply): Promise<Reply | Problem | null> {
    if (!settle) return null
    try {
      return await settle()
    } catch (error) {
      this.#options.onBug(error, this.#facts.call)
      return null
    }
  }

  /** A refusal that is committed with its effects and the key: the same request gets the same refusal again. */
  async #refused(unit: Unit, problem: Problem): Promise<Outcome> {
    const { requestId } = this.#facts.call
    const record = refusalRecord(problem, { requestId, problems: this.#options.problems })
    await unit.commit(record, this.#key.claim())
    return refusedWith(problem, requestId)
  }

  /**
   * The question to the person is kept, and the key is not: the same call is made again with the answer. Where the key has had its effect,
   * its answer was lost, and nothing is confirmed again.
   */
  async #unconfirmed(tx: LazyTransaction, problem: Problem): Promise<Outcome> {
    const replayed = await this.#replayed(problem)
    if (replayed) {
      await tx.rollback()
      return replayed
    }
    const { requestId } = this.#facts.call
    const { problems } = this.#options
    await tx.unit().commit(refusalRecord(problem, { requestId, problems }), null)
    tx.end()
    return refusedWith(problem, requestId)
  }

  #origin(): EventOrigin {
    const { principal, call, now } = this.#facts
    const { newId } = this.#options
    const { tenant, actor } = principal
    return { tenant, actor, requestId: call.requestId, now, newId: (prefix) => newId(prefix, now.getTime()) }
  }

  #transaction(): LazyTransaction {
    const ports = this.#ports
    const tx = new LazyTransaction(() => {
      ports?.assertQuiet()
      const share = shareOf(this.#facts.principal)
      // guard share-of-writers: transactions of one tenant leave connections for others
      return openUnit(this.#options, this.#origin(), openTransaction(this.#options.pools, share))
    })
    ports?.watch(tx)
    return tx
  }

  #context(tx: LazyTransaction, attempt: number): CallContext {
    const { principal, call, now, idempotencyKey, reads, held } = this.#facts
    const { newId, random, sealer, settings, scopeCatalog, hints, pools, apart } = this.#options
    const { tenant, actor, keyId, profileId, scopes } = principal
    const component = ('component' in principal ? principal.component : null) ?? null
    const person = 'person' in principal ? principal.person : null
    const { requestId, address, acceptsStream, accepts } = call
    return {
      tenant,
      viewer: viewerOf(principal),
      actor,
      actsForAccount: actsForAccount(principal),
      keyId,
      profileId,
      component,
      person,
      confirmed: null,
      scopes,
      requestId,
      address,
      now,
      newId: (prefix) => newId(prefix, now.getTime()),
      idempotencyKey,
      random,
      sealer: sealer(tenant),
      settings,
      scopeCatalog,
      reads,
      apart,
      tx,
      signal: call.signal,
      acceptsStream,
      attempt,
      accepts,
      hold: (limit) => held.hold(limit, principal),
      port: this.#ports?.port ?? undeclared,
      commitNow: async (statement) => (await pools.single(statement, shareOf(principal))).rows,
      watch: (aggregateId) => openWatch({ hints, aggregateId, signal: call.signal() }),
      waitFor: (aggregateId, timeoutMs, probe, how = {}) =>
        waitFor({ hints, aggregateId, timeoutMs, signal: call.signal(), probe, ...how, waited: this.waited }),
    }
  }

  /** The first reply again, when this failure comes from an earlier use of the key. */
  async #replayed(error: unknown): Promise<Outcome | null> {
    const stored = await this.#key.earlierReply(error)
    return stored && (await this.#again(stored))
  }

  async #again(stored: StoredReply): Promise<Outcome> {
    const { operation } = this.#facts
    const refused = stored.status < 400 ? null : readRefusal(stored, this.#options.problems)
    if (refused) {
      const { problem, requestId } = refused
      return { kind: 'refused', refusal: problem, requestId, isReplayed: true }
    }
    const headers = stored.headers ?? {}
    if (operation.replay === 'stored' || !operation.current || stored.object_id === null)
      return { ...answered({ ...stored, headers }, stored.body), isReplayed: true }
    const tx = this.#transaction()
    try {
      const reply: Reply = await operation.current(this.#context(tx, 1), stored.object_id)
      if (reply.stream && this.#facts.call.acceptsStream) return this.#streamed(reply.stream())
      // The headers belong to the state that is shown, not to the state that was stored.
      const shown = { ...reply, headers: reply.headers ?? headers }
      return { ...answered(shown, JSON.stringify(reply.body)), isReplayed: true }
    } finally {
      await tx.rollback()
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

/** A plain reply may say by a function how it is streamed. */
function isStream<R extends object>(reply: R | StreamReply): reply is StreamReply {
  return 'stream' in reply && typeof reply.stream === 'object'
}

/** Whether a reply is answered as it was stored. */
function isPlain(reply: Reply, { checkReply }: DispatchOptions): boolean {
  return reply.settle === undefined && reply.reveal === undefined && checkReply === undefined
}
