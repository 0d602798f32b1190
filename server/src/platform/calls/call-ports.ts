import { busy } from '../../contract/limit-refusals.ts'
import type { OperationFacts } from '../../contract/operation.ts'
import type { BoundPorts, Port } from '../../contract/port.ts'
import type { LazyTransaction } from './lazy-transaction.ts'

type CallPortsOptions = {
  operation: Pick<OperationFacts, 'id'>
  outside: NonNullable<OperationFacts['outside']>
  bound: BoundPorts
  /** The monotonic clock; tests have their own. */
  nowMs?: () => number
}

/**
 * The ports of one call: what its handler asks of the outside. All questions together have the operation's time, counted from the first
 * one. No question is asked while the call has a transaction open: its connection and its locks would wait for another party.
 */
export class CallPorts {
  readonly #options: CallPortsOptions
  readonly #nowMs: () => number
  #tx: Pick<LazyTransaction, 'isOpen'> | null = null
  #underWay = 0
  #endsAtMs: number | null = null

  constructor(options: CallPortsOptions) {
    this.#options = options
    this.#nowMs = options.nowMs ?? (() => performance.now())
  }

  /** The transaction of this attempt at the call. */
  watch(tx: Pick<LazyTransaction, 'isOpen'>): void {
    this.#tx = tx
  }

  /** Throws when a transaction would be opened while the outside is asked. */
  assertQuiet(): void {
    if (this.#underWay > 0)
      throw new Error(`${this.#options.operation.id} opens its transaction while it asks a port`)
  }

  /** The port as the handler may use it. */
  readonly port = <T extends object>(port: Port<T>): T => {
    const { outside, bound } = this.#options
    if (!outside.ports.includes(port)) return undeclared(port)
    return new Proxy(bound.get(port), {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...given: unknown[]) => this.#ask(port, () => member.apply(target, given))
      },
    })
  }

  async #ask({ name }: Port<unknown>, ask: () => unknown): Promise<unknown> {
    const { operation, outside } = this.#options
    if (this.#tx?.isOpen) throw new Error(`${operation.id} asks the port "${name}" inside its transaction`)
    this.#endsAtMs ??= this.#nowMs() + outside.budgetMs
    this.#underWay += 1
    try {
      return await this.#inTime(ask, this.#endsAtMs - this.#nowMs())
    } finally {
      this.#underWay -= 1
    }
  }

  /** A question goes on until its own limits end it; nobody waits for it any more. */
  async #inTime(ask: () => unknown, leftMs: number): Promise<unknown> {
    if (leftMs <= 0) throw busy()
    const over = Promise.withResolvers<never>()
    const timer = setTimeout(() => over.reject(busy()), leftMs)
    try {
      return await Promise.race([ask(), over.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** What a handler gets when its operation has not declared that it needs the outside. */
export function undeclared({ name }: Port<unknown>): never {
  throw new Error(`the operation does not declare the port "${name}"`)
}

/** Throws where an operation asks a port that this process has not bound. */
export function assertBound(operations: readonly OperationFacts[], bound: BoundPorts): void {
  for (const { id, outside } of operations) {
    for (const port of outside?.ports ?? []) {
      try {
        bound.get(port)
      } catch (error) {
        throw new Error(`${id} cannot be served`, { cause: error })
      }
    }
  }
}
