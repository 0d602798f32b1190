import { execFile, execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Contestant, Work } from '../benchmark.ts'
import type { World } from '../world/world.ts'
import { driveScript } from './drive-script.ts'

const clients = 16

/** The database by itself, driven by a script of `bench/pgbench`. Services on it are compared with this. */
export function pgbenchContestant(
  world: World,
  name: string,
  script: string,
  variables: Readonly<Record<string, string>>,
): Contestant {
  const path = fileURLToPath(new URL(`../../pgbench/${script}`, import.meta.url))
  const url = world.ready.database_url
  let runs = 0
  return {
    name,
    processes: () => ({ postgres: [world.ready.pids.postgres ?? 0] }),
    run(seconds) {
      const given = {
        ...variables,
        run: `${script.slice(0, 4)}${Date.now().toString(36)}${runs++}`,
        n: '1000000000',
      }
      return hasPgbench()
        ? runPgbench({ url, path, seconds, given })
        : driveScript({ url, path, seconds, given, clients })
    },
  }
}

/** The program that runs the scripts here. */
export function scriptDriver(): string {
  return hasPgbench()
    ? execFileSync('pgbench', ['--version'], { encoding: 'utf8' }).trim()
    : 'a driver on Node (no pgbench here)'
}

type Run = { url: string; path: string; seconds: number; given: Readonly<Record<string, string>> }

async function runPgbench({ url, path, seconds, given }: Run): Promise<Work> {
  const defined = Object.entries(given).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const { stdout } = await promisify(execFile)(
    'pgbench',
    [
      ...['--no-vacuum', '--protocol=prepared', `--client=${clients}`, '--jobs=1'],
      ...[`--time=${Math.max(1, Math.round(seconds))}`, `--file=${path}`, ...defined],
    ],
    { env: { ...process.env, ...connectionOf(url) } },
  )
  const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0)
  const operations = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1])
  const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  if (failed > 0 || !(operations > 0) || !(rate > 0)) throw new Error(`pgbench: ${stdout}`)
  return { operations, seconds: operations / rate }
}

let isPresent: boolean | undefined

function hasPgbench(): boolean {
  if (isPresent !== undefined) return isPresent
  try {
    execFileSync('pgbench', ['--version'], { stdio: 'ignore' })
    isPresent = true
  } catch {
    isPresent = false
  }
  return isPresent
}

/** In the environment, where an error message does not repeat it. */
function connectionOf(url: string): Record<string, string> {
  const { username, password, pathname, port, hostname, searchParams } = new URL(url)
  return {
    PGHOST: searchParams.get('host') ?? hostname,
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: pathname.slice(1),
  }
}
