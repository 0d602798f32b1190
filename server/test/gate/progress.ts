import { styleText } from 'node:util'
import type { Count } from './count.ts'
import type { CommandResult } from './run-command.ts'

/** Of a step that has ended. */
export type Outcome = Count & Pick<CommandResult, 'cpu' | 'memory' | 'output'> & { name: string; ms: number }

/** Reports the finished steps, and those that are running. */
export type Progress = {
  started: (name: string) => void
  line: (name: string, text: string) => void
  finished: (outcome: Outcome) => void
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
    finished(outcome) {
      running.delete(outcome.name)
      clear()
      if (outcome.failed > 0) out.write(`${outcome.output.trimEnd()}\n`)
      out.write(`${summary(outcome)}\n`)
    },
    close() {
      clearInterval(timer)
      clear()
    },
  }
}

function summary({ name, passed, failed, skipped, ms, cpu, memory }: Outcome): string {
  const verdict = failed === 0 ? styleText('green', 'ok    ') : styleText('red', 'failed')
  const skips = skipped === 0 ? '' : `, ${skipped} skipped`
  const computing = `${seconds(cpu.user * 1000).padStart(8)} + ${seconds(cpu.system * 1000).padStart(7)}`
  const held = memory === null ? '' : `  mem ${String(memory).padStart(5)} MB`
  return `${name.padEnd(16)} ${verdict} ${seconds(ms).padStart(8)}  cpu ${computing}${held}   ${passed} passed, ${failed} failed${skips}`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
