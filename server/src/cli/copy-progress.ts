import type { Progress } from '../platform/backup/write-backup.ts'

/** One line on a terminal that changes in place; nothing where the output is not a terminal. */
export function showProgress(
  what: string,
  isQuiet: boolean,
): { on: (at: Progress) => void; end: () => void } {
  const terminal = process.stderr
  if (isQuiet || !terminal.isTTY) return { on: () => undefined, end: () => undefined }
  let shownAtMs = 0
  return {
    on({ table, done, of, bytes }) {
      const nowMs = performance.now()
      if (nowMs - shownAtMs < 100) return
      shownAtMs = nowMs
      terminal.write(`\r\u001b[K${what} ${done + 1}/${of} ${table} … ${megabytes(bytes)}`)
    },
    end: () => void terminal.write('\r\u001b[K'),
  }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Aborts at the first Ctrl-C, so that half-done work can be undone; the second one ends the process as usual. */
export function abortOnSignals(): AbortSignal {
  const abort = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => abort.abort())
  return abort.signal
}
