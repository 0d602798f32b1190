import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../platform/config/config.ts'

const everyMs = 3_600_000

/** Runs for `up` what a timer runs where roles are started one by one: the first time an hour after the start. */
export function maintainOnSchedule(
  config: Config,
  report: (line: string) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    for (;;) {
      await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      try {
        // Its list of tasks brings the whole product along, which nobody waits for at a start.
        const { maintainDatabase } = await import('../commands/maintain.ts')
        for (const { name, error } of await maintainDatabase(config, { signal }))
          if (error !== null) report(`maintain: ${name} failed: ${error}`)
      } catch (error) {
        report(`maintain failed: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
