import { type ChildProcess, spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

export type CommandResult = { exitCode: number; output: string }

type Command = { args: string[]; cwd: string; limitMs: number; onLine: (line: string) => void }

const running = new Set<ChildProcess>()
const graceMs = 15_000

/** Runs the repository's Node with these arguments and keeps what it prints. A command over its limit is ended and has failed. */
export function runCommand({ args, cwd, limitMs, onLine }: Command): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let output = ''
    function keep(chunk: string): void {
      output += chunk
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
      output += `\nended after ${Math.round(limitMs / 1000)} s, its limit\n`
      end(child)
    }, limitMs)
    child.on('error', (error) => {
      output += `${error.message}\n`
    })
    child.on('close', (code, signal) => {
      clearTimeout(limit)
      running.delete(child)
      if (signal !== null) output += `\nended by ${signal}\n`
      resolve({ exitCode: code ?? 1, output })
    })
  })
}

/** Ends what still runs, so that no server outlives the gate. */
export function endCommands(): void {
  for (const child of running) end(child)
}

function end(child: ChildProcess): void {
  child.kill('SIGTERM')
  setTimeout(() => child.kill('SIGKILL'), graceMs).unref()
}
