import { type ChildProcess, spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { measurePace } from './pace.ts'

export type CommandResult = { exitCode: number; output: string }

type Command = {
  args: string[]
  cwd: string
  /** Settings of its processes, besides those of this one. */
  env?: Readonly<Record<string, string>>
  /** How long it may print nothing, on a quiet machine. Every output is progress. */
  quietMs?: number
  /** A command that prints without end is ended here. */
  limitMs: number
  onLine: (line: string) => void
  measure?: () => number
}

const running = new Set<ChildProcess>()
const graceMs = 15_000
/** Longer than any command is silent, such as the compiler, or a suite between two lines of progress. */
const quietMsUsual = 5 * 60_000

/**
 * Runs the repository's Node with these arguments and keeps what it prints. It is ended, and has failed, when it makes no progress for
 * longer than the present speed of the machine explains.
 */
export function runCommand(command: Command): Promise<CommandResult> {
  const { args, cwd, env, limitMs, onLine } = command
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    let output = ''
    const watch = watchProgress(command, (why) => {
      output += `\n${why}\n`
      end(child)
    })
    function keep(chunk: string): void {
      output += chunk
      watch.moved()
      const line = stripVTControlCharacters(chunk)
        .trimEnd()
        .split(/[\r\n]/)
        .at(-1)
        ?.trim()
      if (line) onLine(line)
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)

    const limit = setTimeout(() => {
      output += `\nstopped after ${seconds(limitMs)} s, its limit\n`
      end(child)
    }, limitMs)
    child.on('error', (error) => {
      output += `${error.message}\n`
    })
    child.on('close', (code, signal) => {
      clearTimeout(limit)
      watch.stop()
      running.delete(child)
      if (signal !== null) output += `\nstopped by ${signal}\n`
      resolve({ exitCode: code ?? 1, output })
    })
  })
}

/** Looks a few times in each silent stretch, and measures the machine only then. */
function watchProgress(
  { quietMs = quietMsUsual, measure = measurePace }: Command,
  onStall: (why: string) => void,
): { moved(): void; stop(): void } {
  let movedMs = performance.now()
  let slowest = 1
  const timer = setInterval(() => {
    const stillMs = performance.now() - movedMs
    if (stillMs < quietMs / 3) return
    slowest = Math.max(slowest, measure())
    if (stillMs < quietMs * slowest) return
    clearInterval(timer)
    onStall(
      `stopped: it made no progress for ${seconds(stillMs)} s. The limit on a quiet machine is ${seconds(quietMs)} s, and this machine is ${slowest.toFixed(1)} times as slow.`,
    )
  }, quietMs / 6)
  return {
    moved() {
      movedMs = performance.now()
      slowest = 1
    },
    stop: () => clearInterval(timer),
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 1000)
}

/** Ends what still runs, so that no server outlives the gate. */
export function endCommands(): void {
  for (const child of running) end(child)
}

function end(child: ChildProcess): void {
  child.kill('SIGTERM')
  setTimeout(() => child.kill('SIGKILL'), graceMs).unref()
}
