import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { serviceEnvironment } from './up.ts'

/** What a command wrote, and its exit code. */
type Ended = { code: number; out: string; err: string }

type CommandRunner = {
  run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>
  end(): void
}

/**
 * Runs commands one after the other in one process, where it is not the process that is asked about: loading the program is most of what
 * a command costs. With ids, files of root are closed to it, as to any other user.
 */
export function commandRunner(ids?: { uid: number; gid: number }): CommandRunner {
  const child = fork(join(import.meta.dirname, 'run-commands.ts'), [], {
    ...ids,
    ...(ids ? { cwd: '/', env: { ...serviceEnvironment(), NODE_COMPILE_CACHE: '' } } : {}),
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the process of the commands ended (${code})`)
  })
  died.catch(() => undefined) // it is told where somebody waits
  return {
    async run(args, env = serviceEnvironment()) {
      const answered = once(child, 'message')
      child.send({ args, env })
      const [ended] = await Promise.race([answered, died])
      return ended
    },
    end() {
      if (child.connected) child.disconnect()
    },
  }
}

let shared: CommandRunner | undefined
let last: Promise<unknown> = Promise.resolve()

/** Runs one command of the program to its end, after those before it, in the process that all tests of this worker share. */
export function prokura(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> {
  shared ??= commandRunner()
  const { run } = shared
  const ended = last.then(() => run(args, env))
  last = ended.catch(() => undefined)
  return ended
}
