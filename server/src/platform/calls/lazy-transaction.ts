import type { Reads, Transaction } from '../../contract/context.ts'
import type { Statement } from '../../contract/statement.ts'
import type { Unit } from './unit.ts'

/**
 * The transaction of a call as its handler sees it: the first use opens the unit behind it. Reads, and calls that are refused before they
 * ask the database for anything, need no unit, and to open and commit an empty one costs a twentieth of a request.
 */
export class LazyTransaction implements Transaction {
  readonly ahead: Reads = {
    rows: (statement) => this.unit().tx.ahead.rows(statement),
    maybe: (statement) => this.unit().tx.ahead.maybe(statement),
  }
  readonly #open: () => Unit
  #unit: Unit | null = null
  #ended = false

  constructor(open: () => Unit) {
    this.#open = open
  }

  /** The unit, if the database was asked for anything. */
  get opened(): Unit | null {
    return this.#unit
  }

  /** Whether it holds a connection, or will hold one with the next statement. */
  get isOpen(): boolean {
    return this.#unit !== null && !this.#ended
  }

  unit(): Unit {
    if (this.#ended) throw new Error('a statement was sent on a transaction that has ended')
    this.#unit ??= this.#open()
    return this.#unit
  }

  /** From here on, nothing can be asked of it. */
  end(): void {
    this.#ended = true
  }

  async rollback(): Promise<void> {
    this.end()
    await this.#unit?.rollback()
  }

  rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    return this.unit().tx.rows(statement)
  }

  maybe<Row>(statement: Statement<Row>): Promise<Row | null> {
    return this.unit().tx.maybe(statement)
  }

  write(...given: Parameters<Transaction['write']>): void {
    this.unit().tx.write(...given)
  }

  isQueued(name: string): boolean {
    return this.#unit?.tx.isQueued(name) ?? false
  }

  emit(...given: Parameters<Transaction['emit']>): void {
    this.unit().tx.emit(...given)
  }

  notify(aggregateId: string): void {
    this.unit().tx.notify(aggregateId)
  }

  wake(...given: Parameters<Transaction['wake']>): void {
    this.unit().tx.wake(...given)
  }
}
