import type { Statement } from '../../contract/statement.ts'
import { sqlState } from './errors.ts'
import { fuse } from './fuse.ts'
import { connectionLost, type Pools } from './pool.ts'

/** While so many of a tenant are under way, others of it wait for each other. */
const runningMax = 2
const membersMax = 16
/** How many milliseconds they wait at most: one that is under way may itself wait for a lock. */
const patienceMs = 10

/** The inserts of one transaction, which reads nothing and changes nothing. */
type Waiting = {
  readonly writes: readonly Statement<unknown>[]
  /** Only those of one key can be one statement. */
  readonly key: string
  readonly done: PromiseWithResolvers<void>
}

type Queue = { running: number; waiting: Waiting[]; timer: NodeJS.Timeout | null }

/**
 * Sends transactions that are inserts alone, each as one statement that PostgreSQL commits by itself. Those of one tenant that come while
 * others are under way go together, as one statement with the rows of all. Where few are under way, each goes at once and alone.
 */
export class InsertGroups {
  readonly #pools: Pools
  readonly #queues = new Map<string, Queue>()

  constructor(pools: Pools) {
    this.#pools = pools
  }

  send(writes: readonly Statement<unknown>[], tenant: string | undefined): Promise<void> {
    const keys = writes.flatMap(({ many }) => (many ? [many.key] : []))
    if (tenant === undefined || keys.length < writes.length) return this.#alone(writes, tenant)
    const queue = this.#queueOf(tenant)
    const done = Promise.withResolvers<void>()
    queue.waiting.push({ writes, key: keys.join('\n'), done })
    if (queue.running < runningMax) this.#depart(tenant, queue)
    else queue.timer ??= setTimeout(() => this.#departLate(tenant, queue), patienceMs)
    return done.promise
  }

  #queueOf(tenant: string): Queue {
    const known = this.#queues.get(tenant)
    if (known) return known
    const queue: Queue = { running: 0, waiting: [], timer: null }
    this.#queues.set(tenant, queue)
    return queue
  }

  #departLate(tenant: string, queue: Queue): void {
    queue.timer = null
    while (queue.waiting.length > 0) this.#depart(tenant, queue)
  }

  #depart(tenant: string, queue: Queue): void {
    const key = queue.waiting[0]?.key
    const members = queue.waiting.filter((one) => one.key === key).slice(0, membersMax)
    queue.waiting = queue.waiting.filter((one) => !members.includes(one))
    queue.running += 1
    void this.#together(members, tenant).then(() => {
      queue.running -= 1
      if (queue.waiting.length > 0 && queue.running < runningMax) this.#depart(tenant, queue)
      if (queue.running > 0 || queue.waiting.length > 0) return
      if (queue.timer) clearTimeout(queue.timer)
      this.#queues.delete(tenant)
    })
  }

  /** It never fails: what fails is told to the members. */
  async #together(members: readonly Waiting[], tenant: string): Promise<void> {
    try {
      await this.#alone(joined(members.map(({ writes }) => writes)), tenant)
      for (const { done } of members) done.resolve()
    } catch (error) {
      // guard lost-inserts-are-not-repeated: what may have been committed is not written again at once
      const isUndone = sqlState(error) !== null && connectionLost(error) === undefined
      // guard refused-inserts-are-sent-alone: a request whose rows are refused fails no other request
      if (members.length > 1 && isUndone)
        await Promise.all(members.map((one) => this.#retryAlone(one, tenant)))
      else for (const { done } of members) done.reject(error)
    }
  }

  #retryAlone({ writes, done }: Waiting, tenant: string): Promise<void> {
    return this.#alone(writes, tenant).then(done.resolve, done.reject)
  }

  async #alone(writes: readonly Statement<unknown>[], tenant: string | undefined): Promise<void> {
    await this.#pools.single(fuse(writes), tenant)
  }
}

/** The first writes of all as one, then the second ones, and so on. */
function joined(lists: readonly (readonly Statement<unknown>[])[]): readonly Statement<unknown>[] {
  const [first = []] = lists
  if (lists.length === 1) return first
  return first.map(
    (write, place) => write.many?.together(lists.map((list) => list[place]?.values ?? [])) ?? write,
  )
}

const known = new WeakMap<Pools, InsertGroups>()

/** All transactions of these connections share one. */
export function insertGroupsOf(pools: Pools): InsertGroups {
  const found = known.get(pools) ?? new InsertGroups(pools)
  known.set(pools, found)
  return found
}
