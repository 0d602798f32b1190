import type { Statement } from '../../contract/statement.ts'
import type { Pools } from './pool.ts'
import { type DatabaseTransaction, openTransaction } from './transaction.ts'
import { type GroupMembership, TransactionGroup } from './transaction-group.ts'
import { WriteQueue } from './write-queue.ts'

/** It may share a transaction of the database, which cannot go back to a savepoint of one of them. */
type StepTransaction = Omit<DatabaseTransaction, 'attempt'>

export type GroupOptions = {
  /** The most transactions that run as one; 1: each runs alone. Default 16. */
  readonly membersMax?: number
  /** While so many run, others wait for each other; default 2. */
  readonly runningMax?: number
}

const membersMaxDefault = 16
const runningMaxDefault = 2
/** How many milliseconds others wait at most: one that runs may itself wait for a lock. */
const patienceMs = 10

/** A transaction that has not begun, with its first statement. */
type Waiting = {
  readonly root: string
  readonly first: Statement<unknown> | null
  readonly sinceMs: number
  begin(place: GroupMembership | null): void
}

/**
 * Transactions that come while others run begin together, as one (see `TransactionGroup`). Where few run, each begins at once and alone, so
 * nobody waits for company.
 */
export class TransactionGroups {
  readonly #pools: Pools
  readonly #membersMax: number
  readonly #runningMax: number
  #running = 0
  #waiting: Waiting[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(
    pools: Pools,
    { membersMax = membersMaxDefault, runningMax = runningMaxDefault }: GroupOptions = {},
  ) {
    this.#pools = pools
    this.#membersMax = membersMax
    this.#runningMax = runningMax
  }

  /** A transaction that locks `root` first, and then what belongs to it. No other member of its group has this root. */
  open(root: string): StepTransaction {
    if (this.#membersMax === 1) return openTransaction(this.#pools)
    return new JoiningTransaction({
      begin: (first) => this.#enter(root, first),
      alone: () => openTransaction(this.#pools),
      ended: () => this.#ended(),
    })
  }

  #enter(root: string, first: Statement<unknown> | null): Promise<GroupMembership | null> {
    const place = Promise.withResolvers<GroupMembership | null>()
    this.#waiting.push({ root, first, sinceMs: performance.now(), begin: place.resolve })
    if (this.#running < this.#runningMax) this.#depart()
    else this.#timer ??= setTimeout(() => this.#departLate(), patienceMs)
    return place.promise
  }

  #ended(): void {
    this.#running -= 1
    if (this.#running < this.#runningMax) this.#depart()
  }

  #departLate(): void {
    this.#timer = null
    const now = performance.now()
    while (this.#waiting[0] && now - this.#waiting[0].sinceMs >= patienceMs - 1) this.#depart()
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#departLate(), patienceMs)
  }

  /** The one that has waited longest begins, with those that begin by the same statement about other roots. */
  #depart(): void {
    const [first] = this.#waiting
    if (!first) return
    const chosen = this.#companyOf(first)
    this.#waiting = this.#waiting.filter((one) => !chosen.includes(one))
    this.#running += 1
    if (chosen.length === 1) {
      first.begin(null)
      return
    }
    const group = new TransactionGroup(this.#pools.connect(), () => this.#ended())
    // Everybody locks roots in this order.
    // guard roots-in-one-order: groups do not wait for each other in a circle
    chosen.sort((one, other) => (one.root < other.root ? -1 : 1))
    for (const [one, place] of chosen.map((each) => [each, group.join()] as const)) one.begin(place)
  }

  #companyOf(first: Waiting): Waiting[] {
    const key = first.first?.many?.key
    if (key === undefined) return [first]
    const roots = new Set<string>()
    return this.#waiting.filter(({ root, first: its }) => {
      // guard a-root-once-in-a-group: two steps of one purchase do not change it from the same state
      if (its?.many?.key !== key || roots.has(root) || roots.size === this.#membersMax) return false
      roots.add(root)
      return true
    })
  }
}

type Joining = {
  /** Waits until it may begin: in a group, or alone. */
  begin(first: Statement<unknown> | null): Promise<GroupMembership | null>
  alone(): DatabaseTransaction
  /** It ran alone, and has ended. */
  ended(): void
}

/** A transaction that finds out with its first statement whether it runs in a group. */
class JoiningTransaction implements StepTransaction {
  readonly #joining: Joining
  readonly #queue = new WriteQueue()
  #begun: Promise<{ place: GroupMembership } | { alone: DatabaseTransaction }> | null = null
  #hasEnded = false

  constructor(joining: Joining) {
    this.#joining = joining
  }

  async rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    return await this.#ask(statement, () => this.#queue.take())
  }

  async rowsAhead<Row>(statement: Statement<Row>): Promise<Row[]> {
    return await this.#ask(statement, () => (this.#queue.concerns(statement) ? this.#queue.take() : []))
  }

  async #ask<Row>(statement: Statement<Row>, takeWrites: () => Statement<unknown>[]): Promise<Row[]> {
    this.#assertOpen()
    const begun = await this.#begin(statement)
    const before = takeWrites()
    if ('place' in begun) return (await begun.place.ask(statement, before)) as Row[] // the rows of the statement
    for (const write of before) begun.alone.write(write)
    return await begun.alone.rows(statement)
  }

  #begin(first: Statement<unknown> | null) {
    this.#begun ??= this.#joining
      .begin(first)
      .then((place) => (place ? { place } : { alone: this.#joining.alone() }))
    return this.#begun
  }

  write(statement: Statement<unknown>, replaces?: string): void {
    this.#assertOpen()
    this.#queue.add(statement, replaces)
  }

  isQueued(name: string): boolean {
    return this.#queue.has(name)
  }

  async commit(last: readonly Statement<unknown>[]): Promise<void> {
    this.#assertOpen()
    const writes = [...this.#queue.take(), ...last]
    this.#hasEnded = true
    if (this.#begun === null && writes.length === 0) return
    const begun = await this.#begin(null)
    if ('place' in begun) return await begun.place.commit(writes)
    for (const write of writes) begun.alone.write(write)
    await begun.alone.commit([]).finally(() => this.#joining.ended())
  }

  async rollback(): Promise<void> {
    const hadEnded = this.#hasEnded
    this.#hasEnded = true
    if (this.#begun === null) return
    const begun = await this.#begun
    if ('place' in begun) return begun.place.leave()
    await begun.alone.rollback().finally(() => hadEnded || this.#joining.ended())
  }

  #assertOpen(): void {
    if (this.#hasEnded) throw new Error('a statement was sent on a transaction that has ended')
  }
}
