import type { Statement } from '../../contract/statement.ts'
import type { KindLoop } from './kind-loop.ts'
import type { Look } from './lease.ts'
import type { WorkDeps } from './step-context.ts'

/**
 * Looks whether rows are due, for hints that were lost and for rows that become due by time: one statement about all queues. A claim for
 * each kind, twice a second, was most of the work of an idle service.
 */
export class QueueLooks {
  readonly #deps: Pick<WorkDeps, 'pools' | 'log'>
  readonly #loops: readonly KindLoop[]
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(deps: Pick<WorkDeps, 'pools' | 'log'>, loops: readonly KindLoop[]) {
    this.#deps = deps
    this.#loops = loops.filter(({ pollMs }) => Number.isFinite(pollMs))
  }

  /** A claim for each kind at once would open a connection for each, and most queues of a service that starts are empty. */
  start(): void {
    if (this.#loops.length > 0) void this.#turn()
  }

  stop(): void {
    this.#isStopped = true
    if (this.#timer) clearTimeout(this.#timer)
  }

  async #turn(): Promise<void> {
    for (const loop of await this.#due()) loop.wake()
    if (this.#isStopped) return
    const pollMs = Math.min(...this.#loops.map((loop) => loop.pollMs))
    // The times are spread, so that processes do not look together.
    this.#timer = setTimeout(() => void this.#turn(), pollMs * (0.9 + 0.2 * Math.random())).unref()
  }

  /** The loops whose queues may have due rows. Without an answer they are all of them: their claims report what is wrong. */
  async #due(): Promise<readonly KindLoop[]> {
    const looks = this.#loops.map((loop) => loop.look())
    const asked = looks.filter((look) => look !== null)
    if (asked.length === 0) return this.#loops
    try {
      const [answer] = await this.#deps.pools.read(combine(asked))
      const answers = (answer?.are_due ?? []).values()
      // guard rows-are-found-without-a-hint: a row whose hint was lost, or that becomes due by time, is claimed all the same
      return this.#loops.filter((_, index) => looks[index] === null || answers.next().value !== false)
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'work: a look at the queues failed')
      // guard no-answer-is-no-rest: work goes on where the look at the queues fails
      return this.#loops
    }
  }
}

/** The same looks are always asked together, under one name. */
const names = new Map<string, string>()

function combine(looks: readonly Statement<Look>[]): Statement<{ are_due: boolean[] }> {
  let before = 0
  const parts = looks.map(({ text, values }) => {
    const offset = before
    before += values.length
    return `(${text.replace(/\$(\d+)/g, (_, place: string) => `$${Number(place) + offset}`)})`
  })
  const text = `select array[${parts.join(', ')}] as are_due`
  const name = names.get(text) ?? `look_at_queues_${names.size + 1}`
  names.set(text, name)
  return { name, text, values: looks.flatMap(({ values }) => values) }
}
