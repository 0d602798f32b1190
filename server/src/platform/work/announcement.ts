import type { WorkDeps } from './step-context.ts'
import type { Served, WorkKind } from './work.ts'
import { announceWorker, forgetWorker } from './workers.sql.ts'

const everyMs = 10_000

/** What a row needs, in one line: `carts test native`, `refunds test`, `quotes`. */
function needOf(kind: string, { mode, channel }: Served): string {
  return [kind, mode, channel].filter((part) => part !== undefined).join(' ')
}

/** Announces that a worker lives and what it serves, so that work which no worker serves can be named. */
export class Announcement {
  readonly #deps: Pick<WorkDeps, 'pools' | 'log'>
  readonly #id: string
  readonly #serves: readonly string[]
  #timer: NodeJS.Timeout | null = null
  #sending: Promise<void> = Promise.resolve()

  constructor(deps: Pick<WorkDeps, 'pools' | 'log'>, id: string, kinds: readonly WorkKind[]) {
    this.#deps = deps
    this.#id = id
    this.#serves = kinds.flatMap(({ kind, serves = [{}] }) => serves.map((served) => needOf(kind, served)))
  }

  start(): void {
    this.#say()
    this.#timer = setInterval(() => this.#say(), everyMs).unref()
  }

  async stop(): Promise<void> {
    if (this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
    await this.#sending
    await this.#send(() => this.#deps.pools.single(forgetWorker({ id: this.#id })))
  }

  #say(): void {
    this.#sending = this.#send(() =>
      this.#deps.pools.single(announceWorker({ id: this.#id, serves: this.#serves })),
    )
  }

  /** A lost announcement costs nothing: the next one follows soon, and only several in a row count. */
  async #send(once: () => Promise<unknown>): Promise<void> {
    try {
      await once()
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'work: what this worker serves was not announced')
    }
  }
}
