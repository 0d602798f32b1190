import type { Statement } from '../../contract/statement.ts'
import { GoesAnotherWay, sqlState } from './errors.ts'
import { fuseNeighbours } from './fuse.ts'
import { type Connection, connectionLost } from './pool.ts'
import { control } from './transaction.ts'

/** What a member waits for: the rows of a statement, behind the writes that it had queued before. */
type Ask = {
  readonly statement: Statement<unknown>
  before: readonly Statement<unknown>[]
  readonly answer: PromiseWithResolvers<unknown[]>
}

/** One of the transactions that share the group's. It thinks, or waits for its asks, or for the commit. */
class Member {
  asks: Ask[] = []
  commit: { writes: readonly Statement<unknown>[]; readonly done: PromiseWithResolvers<void> } | null = null
  /** Whether something that it wrote was sent: it cannot leave any more without the others. */
  hasWritten = false
}

/**
 * Transactions of different roots that run as one. What they ask goes to the database in rounds: when each of them waits for an answer,
 * equal statements are sent as one (`Statement.many`), and when each has finished, all of their writes and one COMMIT.
 *
 * Each sees what the others have locked and written, as if they had run one after the other. So a statement that locks rows which do not
 * belong to a root, such as the counters of a policy, is sent for one member at a time: the next one's follows when the writes of the
 * first were sent, and reads them.
 *
 * If a statement fails, or a member leaves after it has written, nothing of the group has happened: every member is told to go another
 * way, which is alone.
 */
export class TransactionGroup {
  readonly #connecting: Promise<Connection>
  readonly #onEnd: () => void
  readonly #members = new Set<Member>()
  /** It has locked rows that do not belong to its root. */
  #holder: Member | null = null
  #hasBegun = false
  #isInRound = false
  #isScheduled = false
  /** Why nothing more is sent. */
  #over: Error | null = null

  constructor(connecting: Promise<Connection>, onEnd: () => void) {
    this.#connecting = connecting
    this.#onEnd = onEnd
  }

  join(): GroupMembership {
    const member = new Member()
    this.#members.add(member)
    return {
      ask: (statement, before) => this.#ask(member, statement, before),
      commit: (writes) => this.#commit(member, writes),
      leave: () => this.#leave(member),
    }
  }

  #ask(
    member: Member,
    statement: Statement<unknown>,
    before: readonly Statement<unknown>[],
  ): Promise<unknown[]> {
    if (this.#over) return Promise.reject(this.#over)
    const answer = Promise.withResolvers<unknown[]>()
    member.asks.push({ statement, before, answer })
    this.#schedule()
    return answer.promise
  }

  #commit(member: Member, writes: readonly Statement<unknown>[]): Promise<void> {
    if (this.#over) return Promise.reject(this.#over)
    const done = Promise.withResolvers<void>()
    member.commit = { writes, done }
    this.#schedule()
    return done.promise
  }

  #leave(member: Member): void {
    if (this.#over || !this.#members.has(member)) return
    // guard what-was-written-goes-with-all: a step that refuses leaves nothing that it wrote
    if (member.hasWritten)
      return void this.#break(new GoesAnotherWay('another transaction of the group was undone'))
    this.#members.delete(member)
    if (this.#holder === member) this.#holder = null
    this.#schedule()
  }

  /** After every promise of this turn, so that all that a member asks at once is in one round. */
  #schedule(): void {
    if (this.#isScheduled || this.#isInRound || this.#over) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      void this.#round().catch((error: unknown) => this.#break(error))
    })
  }

  async #round(): Promise<void> {
    const members = [...this.#members]
    if (this.#over || members.some(({ asks, commit }) => asks.length === 0 && commit === null)) return
    this.#isInRound = true
    const connection = await this.#connecting
    if (members.some(({ asks }) => asks.length > 0)) await this.#answer(connection, members)
    else await this.#finish(connection, members)
    this.#isInRound = false
    this.#schedule()
  }

  /** Sends what may be sent of what they ask; if that is nothing, the writes of the one that the others wait for. */
  async #answer(connection: Connection, members: readonly Member[]): Promise<void> {
    const chosen = members.map((member) => ({ member, asks: this.#nextOf(member) }))
    const sending = chosen.filter(({ asks }) => asks.length > 0)
    if (sending.length === 0) return await this.#passOn(connection)
    for (const { member, asks } of sending) member.hasWritten ||= asks.some(({ before }) => before.length > 0)
    const before = this.#send(
      connection,
      inOrder(sending.map(({ asks }) => asks.flatMap((ask) => ask.before))),
    )
    const asked = sending.flatMap(({ member, asks }) => asks.map((ask) => ({ member, ask })))
    const answers = alike(asked.map(({ ask }) => ask.statement)).map(async (places) => {
      const rows = await ask(
        connection,
        places.map((place) => asked[place]?.ask.statement).filter(isStatement),
      )
      return places.map((place, index) => ({ place, rows: rows[index] ?? [] }))
    })
    await settled([...before, ...answers])
    for (const { member, asks } of sending) member.asks = member.asks.filter((ask) => !asks.includes(ask))
    for (const { place, rows } of (await Promise.all(answers)).flat()) {
      const { member, ask: one } = asked[place] ?? {}
      // A lock of no row keeps nobody waiting.
      if (
        one &&
        rows.length === 0 &&
        locksOthers(one.statement) &&
        !one.before.some(locksOthers) &&
        this.#holder === member
      )
        this.#holder = null
      one?.answer.resolve(rows)
    }
  }

  /** What of a member is sent now: in its order, up to rows that do not belong to its root. What it asks after these sees them locked. */
  #nextOf(member: Member): Ask[] {
    // guard queued-locks-count: a lock that is queued before a read holds others apart
    const last = member.asks.findIndex(({ before, statement }) => [...before, statement].some(locksOthers))
    if (last === -1) return [...member.asks]
    this.#holder ??= member
    // guard rows-of-no-root-are-locked-in-turn: what policies and promotions count is counted once for each purchase
    return member.asks.slice(0, this.#holder === member ? last + 1 : last)
  }

  async #passOn(connection: Connection): Promise<void> {
    const holder = this.#holder
    if (!holder?.commit) throw new Error('the transactions of a group wait for each other')
    const sent = this.#send(connection, holder.commit.writes)
    holder.commit.writes = []
    holder.hasWritten = true
    this.#holder = null
    await settled(sent)
  }

  async #finish(connection: Connection, members: readonly Member[]): Promise<void> {
    if (members.length === 0) {
      if (this.#hasBegun) await connection.query(control('rollback'))
      return this.#end(connection)
    }
    const writes = this.#send(connection, inOrder(members.map(({ commit }) => commit?.writes ?? [])))
    const committed = connection.query(control('commit'))
    await settled([...writes, committed])
    const { command } = await committed
    if (command !== 'COMMIT') throw new GoesAnotherWay(`the transaction of a group ended with ${command}`)
    this.#end(connection)
    for (const { commit } of members) commit?.done.resolve()
  }

  /** Sends writes, and what a transaction begins with if it has not begun. */
  #send(connection: Connection, writes: readonly Statement<unknown>[]): Promise<unknown>[] {
    const begin = this.#hasBegun ? [] : [control('begin'), planned]
    this.#hasBegun = true
    return [...begin, ...fuseNeighbours(writes)].map((one) => connection.query(one))
  }

  #end(connection: Connection): void {
    this.#over = new Error('a statement was sent in a group that has ended')
    connection.release()
    this.#onEnd()
  }

  /** An error of the database says that nothing happened. Without one, the commit may have happened: then nobody tries again. */
  async #break(error: unknown): Promise<void> {
    if (this.#over) return
    // guard a-lost-commit-is-not-repeated: a step whose commit may have happened is not done again at once
    const isUndone =
      error instanceof GoesAnotherWay || (sqlState(error) !== null && connectionLost(error) === undefined)
    const reason = error instanceof Error ? error : new Error(String(error))
    this.#over = isUndone ? new GoesAnotherWay('a transaction of the group failed', { cause: error }) : reason
    for (const { asks, commit } of this.#members) {
      for (const { answer } of asks) answer.reject(this.#over)
      commit?.done.reject(this.#over)
    }
    const connection = await this.#connecting.catch(() => null)
    const undone = await connection?.query(control('rollback')).then(
      () => undefined,
      (failure: unknown) => connectionLost(failure),
    )
    connection?.release(connectionLost(error) ?? undone)
    this.#onEnd()
  }
}

/** What a member does in its group. */
export type GroupMembership = {
  ask(statement: Statement<unknown>, before: readonly Statement<unknown>[]): Promise<unknown[]>
  commit(writes: readonly Statement<unknown>[]): Promise<void>
  leave(): void
}

/** A row that is locked makes everybody wait, so that one goes alone soon; and plans for many are made for indexes. */
const planned: Statement<never> = {
  name: 'tx_begin_group',
  text: `select set_config('lock_timeout', '250', true), set_config('enable_hashjoin', 'off', true),
     set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true)`,
  values: [],
}

const locking = new Map<string, boolean>()

/** Whether it locks rows that may belong to no root. */
function locksOthers({ name, text, many }: Statement<unknown>): boolean {
  if (many) return false
  const known = locking.get(name)
  if (known !== undefined) return known
  const found = /\bfor (?:no key )?update\b|\bfor (?:key )?share\b/.test(text)
  if (name !== '') locking.set(name, found)
  return found
}

/** The places of statements that can be sent as one, in the order of the first of each. */
function alike(statements: readonly Statement<unknown>[]): number[][] {
  const places = new Map<string, number[]>()
  for (const [place, { many }] of statements.entries()) {
    const key = many?.key ?? `alone ${place}`
    const others = places.get(key)
    if (others) others.push(place)
    else places.set(key, [place])
  }
  return [...places.values()]
}

/** The rows of each of these statements, which are alike. */
async function ask(connection: Connection, statements: readonly Statement<unknown>[]): Promise<unknown[][]> {
  const [first] = statements
  if (!first) return []
  if (statements.length === 1 || !first.many) return [(await connection.query(first)).rows]
  const together = first.many.together(statements.map(({ values }) => values))
  const { rows } = await connection.query(together as Statement<{ member: number }>)
  const own = statements.map((): unknown[] => [])
  for (const { member, ...row } of rows) own[member]?.push(row)
  return own
}

/** The writes of several, those that are alike as one, and those of each in its own order. */
function inOrder(lists: readonly (readonly Statement<unknown>[])[]): Statement<unknown>[] {
  const rest = lists.map((list) => [...list])
  const ordered: Statement<unknown>[] = []
  for (;;) {
    const first = rest.find((list) => list.length > 0)?.[0]
    if (!first) return ordered
    const { many } = first
    if (!many) {
      ordered.push(first)
      rest.find(([head]) => head === first)?.shift()
      continue
    }
    const same = rest.filter(([head]) => head?.many?.key === many.key)
    const taken = same.flatMap((list) => list.shift() ?? [])
    ordered.push(taken.length === 1 ? first : many.together(taken.map(({ values }) => values)))
  }
}

function isStatement(one: Statement<unknown> | undefined): one is Statement<unknown> {
  return one !== undefined
}

/** Waits for all, and throws the earliest failure: the later ones only say that the transaction has failed. */
async function settled(sent: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(sent)
  const failed = outcomes.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
