import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { serviceEnvironment } from './up.ts'

/** The end of a command: its last words and its exit code. */
export type Ended = { command: string; code: number; said: string }

/** Runs commands one after the other in one process under these ids. Files of root are closed to it, as to any other user. */
export async function commandsAs(
  ids: { uid: number; gid: number },
  commands: readonly (readonly string[])[],
  env: NodeJS.ProcessEnv = serviceEnvironment(),
): Promise<Ended[]> {
  const child = fork(join(import.meta.dirname, 'run-commands.ts'), [JSON.stringify(commands)], {
    ...ids,
    cwd: '/',
    execArgv: [],
    env: { ...env, NODE_COMPILE_CACHE: '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [ended] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the commands ended without an answer (${code})`)
    }),
  ])
  return ended
}
