import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { ReadyLine } from '../../src/cli/up/start-up.ts'
import { wholeSize } from '../gate/tenth-in-gate.ts'
import { mainProgram } from './built-program.ts'

/** `prokura up --json` in a process of its own, as people start it. */
export type Service = {
  ready: ReadyLine
  /** Every line it has printed on its standard output. */
  lines: string[]
  /** Its words for people, on standard error. */
  complaints(): string
  process: ChildProcess
  /** Sends the signal and waits for the end. Answers the exit code and the time that it took. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; ms: number }>
}

export async function startService(options: {
  state: string
  args: readonly string[]
  env?: NodeJS.ProcessEnv
}): Promise<Service> {
  const child = spawn(
    process.execPath,
    [mainProgram, 'up', '--json', '--state', options.state, ...options.args],
    { env: options.env ?? serviceEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const ended = once(child, 'close')
  const lines: string[] = []
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  const output = createInterface({ input: child.stdout })
  output.on('line', (line) => lines.push(line))
  const first = await Promise.race([
    once(output, 'line'),
    ended.then(() => {
      throw new Error(`up ended before it was ready: ${complaint}`)
    }),
  ])
  return {
    ready: JSON.parse(String(first[0])),
    lines,
    complaints: () => complaint,
    process: child,
    async stop(signal = 'SIGINT') {
      const startedAt = performance.now()
      child.kill(signal)
      const [code] = await ended
      return { code, ms: performance.now() - startedAt }
    },
  }
}

/** Our environment without a database, since the service starts its own, and without a browser, which few need. */
export function serviceEnvironment(): NodeJS.ProcessEnv {
  // How much a test takes is nothing of the program's.
  const { DATABASE_URL: _, PORT: __, [wholeSize]: ___, ...env } = process.env
  return { ...env, PROKURA_BROWSER: 'off' }
}

/** Runs one command of the program to its end, in a process of its own: for what is asked about a process. */
export async function prokuraAlone(
  args: readonly string[],
  env: NodeJS.ProcessEnv = serviceEnvironment(),
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [mainProgram, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text
  })
  const [code] = await once(child, 'close')
  return { code, ...said }
}
