import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A process of the bench. It says one line of JSON when it is ready, and ends when its standard input does. */
export type BenchChild<Ready> = {
  ready: Ready
  pid: number
  process: ChildProcess
  /** The lines after the first. */
  nextLine(): Promise<unknown>
  send(message: unknown): void
  stop(): Promise<void>
}

export async function startBenchChild<Ready>(
  script: string,
  args: readonly string[] = [],
  options: { logFile?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<BenchChild<Ready>> {
  // Standard error of the bench itself is descriptor 2.
  const log = options.logFile === undefined ? 2 : openSync(options.logFile, 'a')
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['pipe', 'pipe', log],
    env: { ...withoutSettings(), ...options.env },
  })
  if (log !== 2) closeSync(log)
  const { stdin, stdout } = child
  if (!stdin || !stdout) throw new Error(`${script} has no pipes`)
  const exited = once(child, 'exit')
  const lines: string[] = []
  const waiting: ((line: string) => void)[] = []
  createInterface({ input: stdout }).on('line', (line) => {
    const waiter = waiting.shift()
    if (waiter) waiter(line)
    else lines.push(line)
  })
  // A child that is gone takes no orders. Its exit reports that.
  stdin.on('error', () => undefined)

  async function nextLine(): Promise<unknown> {
    const held = lines.shift()
    const said =
      held ?? (await Promise.race([new Promise<string>((resolve) => waiting.push(resolve)), exited]))
    if (typeof said !== 'string') throw new Error(`${script} ended before it printed its ready line`)
    return JSON.parse(said)
  }

  const ready = (await nextLine()) as Ready // what the script documents as its first line
  return {
    ready,
    pid: child.pid ?? 0,
    process: child,
    nextLine,
    send: (message) => void stdin.write(`${JSON.stringify(message)}\n`),
    async stop() {
      stdin.end()
      await exited
    },
  }
}

/** The environment without settings of the product: a bench measures the defaults, on a database of its own. */
function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:PROKURA_|DATABASE_|PORT$|HOST$)/.test(name)),
  )
}

/** Prints that it is ready, and resolves when the parent process is gone or closes the input. */
export async function readyUntilParentEnds(ready: object): Promise<void> {
  process.stdout.write(`${JSON.stringify(ready)}\n`)
  process.on('SIGINT', () => undefined)
  process.stdin.resume()
  await once(process.stdin, 'end')
}
