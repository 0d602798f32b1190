import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Kind } from './kinds.ts'

/** An endpoint to open. `port` is set when it comes back at its old port. */
export type Opening = { name: string; kind: Kind; port?: number; secrets: string[] }

export type Order =
  | { do: 'open'; endpoints: Opening[] }
  | { do: 'close'; names: string[] }
  | { do: 'become'; kinds: Record<string, Kind> }
  | { do: 'trust'; secrets: Record<string, string[]> }
  | { do: 'canary' }

/** Answers to orders: the ports of the opened endpoints, and how many connections ever reached a canary. */
export type Told = { ports?: Record<string, number>; hits?: number }

/** A process of endpoints with a memory and a journal of its own. */
export type World = {
  journal: string
  tell(order: Order): Promise<Told>
  /** kill -9. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** The path at which every endpoint takes its deliveries. */
export const hookPath = '/hooks'

const program = join(import.meta.dirname, 'world-process.ts')

export function startWorld(journal: string, seed: number): World {
  const child: ChildProcess = fork(program, [journal, String(seed)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const waiting = new Map<number, PromiseWithResolvers<Told>>()
  let orders = 0
  child.on('message', ({ id, told }: { id: number; told: Told }) => {
    waiting.get(id)?.resolve(told)
    waiting.delete(id)
  })
  void ended.then(() => {
    for (const one of waiting.values())
      one.reject(new Error('a process of endpoints ended before it answered'))
  })
  return {
    journal,
    tell(order) {
      const id = orders++
      const answer = Promise.withResolvers<Told>()
      waiting.set(id, answer)
      child.send({ id, order }, (error) => error && answer.reject(error))
      return answer.promise
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await ended
    },
  }
}
