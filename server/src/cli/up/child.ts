import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { compileCacheSettings } from '../compile-cache.ts'
import { CommandFailure } from '../failure.ts'

type ChildOptions = {
  role: string
  /** Arguments for this Node: a script and its arguments. */
  args: string[]
  env: NodeJS.ProcessEnv
  /** The user that it runs as; without it, the same as this process. */
  ids?: { uid: number; gid: number }
  /** The child's log lines go to this file. */
  logFile: string
  readyTimeoutMs: number
  /** Called when it has died and is started again. */
  onRestart: (role: string, how: string) => void
}

/** A role in a process of its own. It is started again, with backoff, whenever it dies by itself. */
export type Child = {
  readonly role: string
  readonly pid: number
  /** The line with which it announced that it is ready. */
  readonly ready: Record<string, unknown>
  /** Asks it to stop; kills it when it does not stop in time. */
  stop(patienceMs: number): Promise<void>
}

const backoffMaxMs = 5000

export async function startChild(options: ChildOptions): Promise<Child> {
  let stopping = false
  let failures = 0
  let current = await launch(options)
  watch()

  function watch(): void {
    const startedAt = performance.now()
    void current.exited.then(async (how) => {
      if (stopping) return
      failures = performance.now() - startedAt > 30_000 ? 0 : failures + 1
      options.onRestart(options.role, how)
      await new Promise((resolve) => setTimeout(resolve, Math.min(backoffMaxMs, 100 * 2 ** failures)))
      if (stopping) return
      try {
        current = await launch(options)
      } catch {
        current = { ...current, exited: Promise.resolve('did not start') }
      }
      if (stopping) current.process.kill('SIGKILL')
      watch()
    })
  }

  return {
    role: options.role,
    get pid() {
      return current.process.pid ?? 0
    },
    get ready() {
      return current.ready
    },
    async stop(patienceMs) {
      stopping = true
      current.process.kill('SIGTERM')
      const timer = setTimeout(() => current.process.kill('SIGKILL'), patienceMs)
      await current.exited
      clearTimeout(timer)
    },
  }
}

type Launched = { process: ChildProcess; ready: Record<string, unknown>; exited: Promise<string> }

/** Starts the process and waits for its ready line: one line of JSON on its standard output. */
async function launch(options: ChildOptions): Promise<Launched> {
  const log = openSync(options.logFile, 'a', 0o600)
  const { size: logged } = fstatSync(log)
  // The child watches its standard input: however this process ends, that input ends, and the child stops by itself.
  const child = spawn(process.execPath, options.args, {
    env: { ...compileCacheSettings(), ...options.env },
    stdio: ['pipe', 'pipe', log],
    detached: true,
    ...options.ids,
  })
  closeSync(log)
  child.stdin?.on('error', () => undefined)
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
  const ready = await Promise.race([
    firstLine(child),
    exited.then((how) => {
      throw new CommandFailure(
        saidLast(options.logFile, logged) ??
          `${options.role} ended before it was ready (${how}). Its log is ${options.logFile}`,
      )
    }),
    deadline(options),
  ]).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return { process: child, ready, exited }
}

/** The sentence with which a child of ours ended, among the lines logged since `logged`. */
function saidLast(logFile: string, logged: number): string | null {
  const said = readFileSync(logFile).subarray(logged).toString('utf8')
  return (
    said
      .split('\n')
      .findLast((line) => ownWords.test(line))
      ?.replace(ownWords, '') ?? null
  )
}

/** How the program and the sandbox begin what they say to people. */
const ownWords = /^prokura(-sandbox)?: /

function firstLine(child: ChildProcess): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) return reject(new Error('the child has no standard output'))
    const lines = createInterface({ input: child.stdout })
    lines.once('line', (line) => {
      try {
        resolve(JSON.parse(line))
      } catch {
        reject(
          new CommandFailure(`a child printed something other than its ready line: ${line.slice(0, 200)}`),
        )
      }
    })
  })
}

function deadline({ role, readyTimeoutMs, logFile }: ChildOptions): Promise<never> {
  return new Promise((_, reject) => {
    const message = `${role} was not ready within ${readyTimeoutMs / 1000} s. Its log is ${logFile}`
    setTimeout(() => reject(new CommandFailure(message)), readyTimeoutMs).unref()
  })
}
