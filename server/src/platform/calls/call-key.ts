import type { CallContext } from '../../contract/context.ts'
import type { Operation } from '../../contract/operation.ts'
import { Problem, ValidationProblem } from '../../contract/problem.ts'
import { violatedConstraint } from '../database/errors.ts'
import type { Pools } from '../database/pool.ts'
import { isKeyTaken, readReply, type StoredReply } from '../idempotency/idempotency.ts'
import type {
  IdempotencyScope,
  RequestArguments,
  RequestDigest,
  RequestDigests,
} from '../idempotency/request-digest.ts'
import type { AnyArgs } from './arguments.ts'
import type { BoundAgent, BoundAgents } from './bound-agent.ts'
import type { Principal } from './principal.ts'

type Keeping = { pools: Pools; boundAgents: BoundAgents; requestDigests: RequestDigests }

type Keyed = {
  operation: Operation
  principal: Principal
  agent: BoundAgent | null
  args: AnyArgs
  idempotencyKey: string | null
  reads: CallContext['reads']
}

/** The idempotency key of one call. */
export class CallKey {
  readonly #keeping: Keeping
  readonly #call: Keyed

  constructor(keeping: Keeping, call: Keyed) {
    this.#keeping = keeping
    this.#call = call
  }

  /** What is stored with the effect of the call; null: it has no key. */
  claim(): (IdempotencyScope & { digest: RequestDigest }) | null {
    const { args } = this.#call
    const scope = this.#scope()
    // guard key-is-claimed: the second use of a key does nothing again
    if (scope === null) return null
    return { ...scope, digest: this.#keeping.requestDigests.of(scope, argumentsOf(args)) }
  }

  /**
   * The reply to an earlier use of the key, when this failure comes from that. It is looked up only then, so that a fresh key pays
   * nothing.
   */
  async earlierReply(error: unknown): Promise<StoredReply | null> {
    const { operation, args } = this.#call
    const scope = this.#scope()
    const refused =
      error instanceof Problem || error instanceof ValidationProblem || violatedConstraint(error) !== null
    if (scope === null || !(refused || isKeyTaken(error))) return null
    // A file that was not read to its end cannot be the file of an earlier request.
    if (operation.content && args.content.digest() === null) return null
    const stored = await readReply(this.#keeping.pools, scope)
    if (!stored) return null
    // guard replays-are-for-readers: a stored reply is shown only to a caller that may read its object
    if (!(await this.#mayRead(stored))) {
      // A caller that may not read the object gets the same refusal as if it did not exist, and learns only that the key is taken.
      if (isKeyTaken(error)) throw keyConflict()
      return null
    }
    // guard key-means-one-request: an idempotency key with another request is a conflict
    if (!this.#keeping.requestDigests.isOf(stored, scope, argumentsOf(args))) throw keyConflict()
    return stored
  }

  #scope(): IdempotencyScope | null {
    const { idempotencyKey: key, operation, principal } = this.#call
    return key === null ? null : { tenant: principal.tenant, operation: operation.id, key }
  }

  async #mayRead({ object_id: id }: StoredReply): Promise<boolean> {
    const { agent, reads } = this.#call
    if (agent === null || id === null) return true
    return (await this.#keeping.boundAgents.ownIds(agent, [id], reads)).has(id)
  }
}

function keyConflict(): Problem {
  return new Problem('idempotency_key_conflict', { param: 'idempotency_key' })
}

/** A file counts by its bytes, which have been read and are gone. */
function argumentsOf(args: AnyArgs): RequestArguments {
  const content = args.content.digest()
  return content === null ? args : { ...args, body: content }
}
