import { setTimeout as delay } from 'node:timers/promises'
import type { Pools } from '../database/pool.ts'
import type { Log } from '../logs/logs.ts'
import { selectHeads } from './audit.sql.ts'
import { chainKey, type ExportedHead } from './exported-heads.ts'

/** Where heads are kept besides the log: out of reach of anybody who can write the database. */
export interface HeadSink {
  /** Resolves once they are stored. */
  keep(heads: readonly ExportedHead[], at: Date): Promise<void>
}

export type HeadExport = {
  pools: Pick<Pools, 'read'>
  log: Log
  /** Null: the log alone. */
  sink: HeadSink | null
  /** Whether this process exports: one process does it for all. */
  isMyTurn(): Promise<boolean>
  now(): Promise<Date>
}

const pageSize = 1000
/** A log line should not be longer than others can read in one piece. */
const perLine = 100

/**
 * Exports the end of each chain: all of them at first, then those that have grown. Exported heads, kept elsewhere, show later that a
 * chain was cut or replaced.
 */
export class HeadExporter {
  readonly #options: HeadExport
  #told = new Map<string, string>()

  constructor(options: HeadExport) {
    this.#options = options
  }

  /** Returns how many heads were exported. */
  async exportOnce(): Promise<number> {
    const { log, sink, isMyTurn, now } = this.#options
    if (!(await isMyTurn())) {
      // Another process continues from here; a process that takes over exports all heads again.
      this.#told = new Map()
      return 0
    }
    let told = 0
    for await (const page of this.#changed()) {
      await sink?.keep(page, await now())
      for (let from = 0; from < page.length; from += perLine)
        log.info({ audit_heads: page.slice(from, from + perLine) }, 'audit: heads of chains')
      for (const head of page) this.#told.set(chainKey(head), head.position)
      told += page.length
    }
    return told
  }

  async *#changed(): AsyncGenerator<ExportedHead[]> {
    let after = { account_id: '', mode: 'test' }
    for (;;) {
      const rows = await this.#options.pools.read(selectHeads({ ...after, limit: pageSize }))
      const heads = rows.map(({ account_id, mode, position, hash }) => ({
        account_id,
        mode,
        position: position.toString(),
        head: hash.toString('hex'),
      }))
      const changed = heads.filter((head) => this.#told.get(chainKey(head)) !== head.position)
      if (changed.length > 0) yield changed
      const last = heads.at(-1)
      if (last === undefined || heads.length < pageSize) return
      after = { account_id: last.account_id, mode: last.mode }
    }
  }
}

/** Exports at intervals until it is stopped, and once more at the end. */
export function exportHeads(options: HeadExport & { everySeconds: number }): { stop(): Promise<void> } {
  const exporter = new HeadExporter(options)
  const stopping = new AbortController()
  const once = () =>
    exporter.exportOnce().catch((error: unknown) => {
      options.log.error({ err: error }, 'audit: the heads of chains could not be exported')
    })
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await delay(options.everySeconds * 1000, undefined, { signal: stopping.signal, ref: false }).catch(
        () => undefined,
      )
      await once()
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
