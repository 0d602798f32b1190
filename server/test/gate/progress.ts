import { styleText } from 'node:util'
import type { Count } from './count.ts'

/** Reports the finished steps, and those that are running. */
export type Progress = {
  started: (name: string) => void
  line: (name: string, text: string) => void
  finished: (name: string, count: Count, ms: number, output: string) => void
  close: () => void
}

const silent: Progress = { started() {}, line() {}, finished() {}, close() {} }

/** On a terminal a status line says what runs; in a log, a line a minute says that something does. */
export function createProgress({ quiet }: { quiet: boolean }): Progress {
  if (quiet) return silent
  const out = process.stdout
  const running = new Map<string, { sinceMs: number; text: string }>()

  function status(): string {
    return [...running]
      .map(
        ([name, { sinceMs, text }]) =>
          `${name} ${seconds(performance.now() - sinceMs)}${text && `  ${text}`}`,
      )
      .join('  |  ')
  }
  function clear(): void {
    if (out.isTTY) out.write('\r\x1b[K')
  }
  function draw(): void {
    if (running.size === 0) return
    if (out.isTTY) out.write(`\r\x1b[K${status().slice(0, (out.columns ?? 80) - 1)}`)
    else out.write(`… ${status()}\n`)
  }
  const timer = setInterval(draw, out.isTTY ? 500 : 60_000)
  timer.unref()

  return {
    started(name) {
      running.set(name, { sinceMs: performance.now(), text: '' })
      if (out.isTTY) draw()
    },
    line(name, text) {
      const step = running.get(name)
      if (step !== undefined) step.text = text
    },
    finished(name, count, ms, output) {
      running.delete(name)
      clear()
      if (count.failed > 0) out.write(`${output.trimEnd()}\n`)
      out.write(`${summary(name, count, ms)}\n`)
    },
    close() {
      clearInterval(timer)
      clear()
    },
  }
}

function summary(name: string, { passed, failed, skipped }: Count, ms: number): string {
  const verdict = failed === 0 ? styleText('green', 'ok    ') : styleText('red', 'failed')
  const skips = skipped === 0 ? '' : `, ${skipped} skipped`
  return `${name.padEnd(16)} ${verdict} ${seconds(ms).padStart(8)}   ${passed} passed, ${failed} failed${skips}`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
