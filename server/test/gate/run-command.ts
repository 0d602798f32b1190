import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import { watchMemory } from './memory.ts'
import { measurePace } from './pace.ts'

/** Seconds of a process and of all that it has waited for. What outlives its parent is not in them. */
type CpuSeconds = { user: number; system: number }

export type CommandResult = {
  exitCode: number
  output: string
  cpu: CpuSeconds
  /** Megabytes at most at one time, of it and all that it has started; null where the system does not tell. */
  memory: number | null
}

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

const tellingTimes = '"$0" "$@" 3>&-; code=$?; times >&3; exit $code'

/** A shell tells the signal that ended a process by its exit code. */
function signalOf(code: number): string | null {
  return Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0] ?? null
}

/** Of what the shell prints, the second line is about its children: `1m2.34s 0m5.67s`. */
function readTimes(text: string): CpuSeconds {
  const [, line = ''] = text.split('\n')
  const [user = 0, system = 0] = [...line.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  )
  return { user, system }
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
    // Node cannot tell what the children of its children have used; a shell can. It is the leader of the group that is ended.
    const child = spawn('/bin/sh', ['-c', tellingTimes, process.execPath, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
    })
    running.add(child)
    const memory = watchMemory(child.pid ?? 0)
    let output = ''
    let times = ''
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
    child.stdout?.setEncoding('utf8').on('data', keep)
    child.stderr?.setEncoding('utf8').on('data', keep)
    child.stdio[3]?.on('data', (chunk: Buffer) => {
      times += chunk.toString()
    })

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
      memory.stop()
      running.delete(child)
      const killed = signal ?? signalOf(code ?? 0)
      if (killed !== null) output += `\nstopped by ${killed}\n`
      resolve({
        exitCode: killed === null ? (code ?? 1) : 1,
        output,
        cpu: readTimes(times),
        memory: memory.most(),
      })
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
  signalGroup(child, 'SIGTERM')
  setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs).unref()
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended.
  }
}
