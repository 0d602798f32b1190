import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import type { ReadyLine } from '../../../server/src/cli/up/start-up.ts'
import type { ProcessGroup } from '../benchmark.ts'
import { startBenchChild } from '../child.ts'

/** The running service of one bench, with everything beside it. */
export type World = {
  ready: ReadyLine
  state: string
  /** A superuser's connection, to prepare, read and wait with. */
  database: Client
  /** The version that the server reports. */
  postgres: string
  processes(): Partial<Record<ProcessGroup, readonly number[]>>
  /** The APIs and the workers by themselves. */
  roles(): Partial<Record<ProcessGroup, readonly number[]>>
  /** The browser process, with its Chromium. */
  browser(): Partial<Record<ProcessGroup, readonly number[]>>
  /** Calls the API as the first account. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of our own API, whose shapes its contract fixes
  call(method: 'GET' | 'POST', path: string, body?: object, key?: string): Promise<any>
  stop(): Promise<void>
}

const script = fileURLToPath(new URL('./world-process.ts', import.meta.url))

export async function startWorld(options: { workers: number; env?: NodeJS.ProcessEnv }): Promise<World> {
  const state = await mkdtemp(join(tmpdir(), 'prokura-bench-'))
  await chmod(state, 0o755)
  const child = await startBenchChild<ReadyLine>(script, [state, String(options.workers)], {
    ...(options.env ? { env: options.env } : {}),
  })
  const { ready } = child
  const database = new Client({ connectionString: ready.database_url, application_name: 'bench' })
  await database.connect()
  const { rows } = await database.query('show server_version')
  const pidsOf = (role: string) =>
    Object.entries(ready.pids).flatMap(([name, pid]) => (name.startsWith(role) ? [pid] : []))
  return {
    ready,
    state,
    database,
    postgres: rows[0]?.server_version,
    roles: () => ({ api: pidsOf('api'), worker: pidsOf('worker') }),
    browser: () => ({ browser: pidsOf('browser') }),
    processes: () => ({
      node: [...pidsOf('api'), ...pidsOf('worker')],
      postgres: [ready.pids.postgres ?? 0],
      outside: [ready.pids.sandbox ?? 0],
    }),
    async call(method, path, body, key = ready.keys.secret_test) {
      const response = await fetch(`${ready.base_url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const answer: unknown = await response.json()
      if (!response.ok)
        throw new Error(`${method} ${path} answered ${response.status} ${JSON.stringify(answer)}`)
      return answer
    },
    async stop() {
      await database.end()
      await child.stop()
      await rm(state, { recursive: true, force: true })
    },
  }
}
