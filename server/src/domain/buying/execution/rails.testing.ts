import type { Outbound } from './messages.ts'
import { type Held, TestRail } from './world.testing.ts'

const names = ['first', 'second'] as const

/** Two rails in one mode. The account passes from one to the other, and what either of them holds stays there. */
export class TestRails {
  readonly names: readonly string[] = names
  /** What both hold together. */
  readonly held: Held[] = []
  readonly #rails: ReadonlyMap<string | null, TestRail>
  readonly #ofAttempts = new Map<number, string | null>()
  readonly #problems: string[]
  #current = 0

  constructor(random: () => number, its: { cap: bigint; problems: string[]; isPrefunded: boolean }) {
    const { problems } = its
    this.#problems = problems
    this.#rails = new Map(names.map((name) => [name, new TestRail({ ...its, name, random, all: this.held })]))
  }

  /** Where money is held from now on. */
  get current(): string {
    return names[this.#current % names.length] ?? names[0]
  }

  change(): void {
    this.#current += 1
  }

  live(now: Date): void {
    for (const rail of this.#rails.values()) rail.live(now)
  }

  named(name: string | null): TestRail {
    const rail = this.#rails.get(name)
    if (!rail) throw new Error(`a call to a rail that nobody has: ${name}`)
    return rail
  }

  /** As the merchant of a credential. */
  charge(reference: string, amount: bigint, as: 'claimed' | 'captured'): boolean {
    return [...this.#rails.values()].some((rail) => rail.charge(reference, amount, as))
  }

  /** The first call of an attempt goes to the account's rail of that moment, and every other one to the same rail. */
  judge(call: Outbound): void {
    if (call.kind !== 'rail' && call.kind !== 'rail_memory' && call.kind !== 'reading') return
    const { attempt, rail } = call
    const holder = this.#ofAttempts.get(attempt) ?? this.current
    this.#ofAttempts.set(attempt, holder)
    if (rail !== holder)
      this.#problems.push(`${call.kind} ${attempt} went to ${rail}, and ${holder} holds the money`)
  }
}
