import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { makeStateDir } from '../../../test/harness/database.ts'
import { databaseIds, serverAccount, serviceIds } from './account.ts'
import { installBinaries, temporaryParents } from './binaries.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { isAlive } from './postmaster.ts'

const isRoot = process.geteuid?.() === 0

let initialised: string
let stateDir: string

// Most guarantees are about a folder that has been used before, and copying one takes a tenth of making one.
beforeAll(async () => {
  initialised = await makeStateDir()
  const server = await startEmbeddedPostgres({ stateDir: initialised, durable: false })
  await server.stop()
  return () => rmSync(initialised, { recursive: true })
})

beforeEach(async () => {
  const folder = await makeStateDir()
  stateDir = join(folder, 'state')
  execFileSync('cp', ['-a', initialised, stateDir])
  return () => rmSync(folder, { recursive: true, force: true })
})

test('data written before a stop is there after the next start, at the same address', async () => {
  stateDir = join(stateDir, 'fresh')
  const first = await start()
  expect(first.adopted).toBe(false)
  await query(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  expect(isAlive(first.pid)).toBe(false)
  const second = await start()
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('a second role may connect and nothing more, and a folder of a version that knew only one gets it at its next start', async () => {
  const first = await start()
  const asRuntime = await query(first.runtimeUrl, 'select current_user::text as name')
  expect(asRuntime).toEqual([{ name: 'prokura_runtime' }])
  const file = join(stateDir, 'postgres', 'runtime-password')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await expect(query(first.runtimeUrl, 'create table mine (id int)')).rejects.toThrow('permission denied')
  await query(first.url, 'drop role prokura_runtime')
  await first.stop()
  rmSync(file)
  const second = await start()
  expect(await query(second.runtimeUrl, 'select current_user::text as name')).toEqual(asRuntime)
  await second.stop()
  // A password that was lost is made anew, and the role is given it.
  rmSync(file)
  const third = await start()
  expect(third.runtimeUrl).not.toBe(second.runtimeUrl)
  expect(await query(third.runtimeUrl, 'select current_user::text as name')).toEqual(asRuntime)
})

test('the server listens on a unix socket only, requires the password, and keeps it readable for its owner alone', async () => {
  const lines: string[] = []
  const { url } = await start({ onLog: (line) => lines.push(line) })
  const password = new URL(url).password
  expect(await query(url, `select current_setting('listen_addresses') as addresses`)).toEqual([
    { addresses: '' },
  ])
  await expect(query(url.replace(password, 'wrong'), 'select 1')).rejects.toThrow(
    'password authentication failed',
  )
  const file = join(stateDir, 'postgres', 'password')
  expect(readFileSync(file, 'utf8').trim()).toBe(password)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(lines.join('\n')).toContain('ready to accept connections')
  expect(lines.join('\n')).not.toContain(password)
})

test('only a throw-away server gives up durability, and settings can be added', async () => {
  const settings = `select name, setting from pg_settings where name in ('fsync', 'jit', 'TimeZone', 'max_connections', 'work_mem')`
  const throwAway = await start({ maxConnections: 23, extraSettings: { work_mem: '1MB' } })
  expect(Object.fromEntries((await query(throwAway.url, settings)).map(Object.values))).toEqual({
    fsync: 'off',
    jit: 'off',
    TimeZone: 'UTC',
    max_connections: '23',
    work_mem: '1024',
  })
  await throwAway.stop()
  const durable = await start({ durable: true })
  const values = Object.fromEntries((await query(durable.url, settings)).map(Object.values))
  expect(values).toMatchObject({ fsync: 'on', max_connections: '100' })
})

test('two first starts at once share one server, which stops with the last of them', async () => {
  stateDir = join(stateDir, 'fresh')
  const [one, other] = await Promise.all([start(), start()])
  expect(one.pid).toBe(other.pid)
  expect([one.adopted, other.adopted].sort()).toEqual([false, true])
  await one.stop()
  expect(await query(other.url, 'select 1 as alive')).toEqual([{ alive: 1 }])
  await other.stop()
  expect(isAlive(one.pid)).toBe(false)
})

test('when the process that started the server is killed, the server stops', async () => {
  const parent = await startInChild()
  parent.kill()
  await expect.poll(() => isAlive(parent.postgres)).toBe(false)
  const next = await start()
  expect(next.adopted).toBe(false)
})

test('when the process that started the server is killed, the server stays for other processes that use it', async () => {
  const parent = await startInChild()
  const adopter = await start()
  expect(adopter).toMatchObject({ adopted: true, pid: parent.postgres })
  parent.kill()
  await parent.gone
  expect(await query(adopter.url, 'select 1 as alive')).toEqual([{ alive: 1 }])
  await adopter.stop()
  expect(isAlive(parent.postgres)).toBe(false)
})

test('a server that crashed is started again at the same address, with its data', async () => {
  const server = await start({ durable: true })
  await query(server.url, 'create table kept as select 42 as answer')
  const before = server.pid
  process.kill(before, 'SIGKILL')
  await expect.poll(() => server.pid).not.toBe(before)
  expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  await server.stop()
  expect(isAlive(server.pid)).toBe(false)
})

test('a server whose supervisor was killed keeps running, is adopted, and stops all the same', async () => {
  const server = await start()
  const supervisor = parentOf(server.pid)
  process.kill(supervisor, 'SIGKILL')
  const adopter = await start()
  expect(adopter).toMatchObject({ adopted: true, pid: server.pid })
  await adopter.stop()
  // The process with the other share may have to start the server again.
  await expect.poll(() => query(server.url, 'select 1 as alive').catch(String)).toEqual([{ alive: 1 }])
  await server.stop()
  // Its data folder is released. The process itself, which is no child of the one that stopped it, ends a moment later.
  await expect.poll(() => isServing(server.pid)).toBe(false)
})

test('a stop right after the supervisor was killed stops the server all the same', async () => {
  const server = await start()
  process.kill(parentOf(server.pid), 'SIGKILL')
  await server.stop()
  await expect.poll(() => isServing(server.pid)).toBe(false)
})

test('the data folder of another major version is refused, with a way out', async () => {
  await (await start()).stop()
  writeFileSync(join(stateDir, 'postgres', 'data', 'PG_VERSION'), '17\n')
  await expect(start()).rejects.toThrow(
    /was written by PostgreSQL 17, and this version runs PostgreSQL 18.*backup.*DATABASE_URL/,
  )
})

test('the lock and the half data folder of a killed start do not hinder the next one', async () => {
  stateDir = join(stateDir, 'fresh')
  const root = join(stateDir, 'postgres')
  mkdirSync(join(root, 'data-unfinished-1'), { recursive: true })
  const gone = spawn(process.execPath, ['-e', ''])
  await once(gone, 'exit')
  writeFileSync(join(root, 'lock'), `${gone.pid} 1`)
  const server = await start()
  expect(await query(server.url, 'select 1 as alive')).toEqual([{ alive: 1 }])
  expect(readdirSync(root).filter((name) => /unfinished|lock/.test(name))).toEqual([])
})

test('a process id file that names a stranger does not keep the server from starting', async () => {
  await (await start()).stop()
  const file = join(stateDir, 'postgres', 'data', 'postmaster.pid')
  writeFileSync(file, `${process.pid}\n${stateDir}\n1\n5432\n/tmp\n\n  0 0\nready   \n`)
  const server = await start()
  expect(server.adopted).toBe(false)
})

test('a start that PostgreSQL refuses tells its reason', async () => {
  await expect(start({ extraSettings: { shared_buffers: 'plenty' } })).rejects.toThrow(
    /invalid value.*shared_buffers/,
  )
})

test('where no packaged server exists, DATABASE_URL is named as the way out', async () => {
  const account = await serverAccount(join(stateDir, 'postgres', 'data'))
  await expect(installBinaries(temporaryParents(), account, 'aix-ppc64')).rejects.toThrow(
    /no embedded PostgreSQL for aix-ppc64.*Set DATABASE_URL/,
  )
})

test.runIf(isRoot && process.platform === 'linux')(
  'root can keep its state below a folder closed to everybody else',
  async () => {
    const closed = mkdtempSync(join(tmpdir(), 'closed-'))
    onTestFinished(() => rmSync(closed, { recursive: true }))
    stateDir = join(closed, 'state')
    const first = await start()
    const sockets = new URL(first.url).searchParams.get('host') ?? ''
    onTestFinished(() => rmSync(sockets, { recursive: true, force: true }))
    await query(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    // It is outside the folder, and would outlive it.
    expect([sockets.startsWith(closed), existsSync(sockets)]).toEqual([false, false])
    const second = await start()
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  },
)

test.runIf(isRoot)('nothing of the server runs as root', async () => {
  const { pid } = await start()
  expect(userOf(pid)).toBe(databaseIds.uid)
})

test.runIf(isRoot)('a data folder without an owner is handed over once, with everything in it', async () => {
  const first = await start()
  await query(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  const data = join(stateDir, 'postgres/data')
  execFileSync('chown', ['-R', '65534:65534', data])
  const second = await start()
  expect([userOf(second.pid), statSync(data).uid]).toEqual([databaseIds.uid, databaseIds.uid])
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  expect(execFileSync('find', [data, '-uid', '65534'], { encoding: 'utf8' })).toBe('')
})

test.runIf(isRoot)('a data folder of a known user is served as that user', async () => {
  const first = await start()
  await first.stop()
  execFileSync('chown', ['-R', '47399:47399', join(stateDir, 'postgres/data')])
  const second = await start()
  expect(userOf(second.pid)).toBe(47_399)
})

test.runIf(isRoot)('other users of the machine do not reach the socket', async () => {
  const { url } = await start()
  const folder = new URL(url).searchParams.get('host') ?? ''
  const { uid, gid, mode } = statSync(folder)
  expect([uid, gid, mode & 0o777]).toEqual([databaseIds.uid, serviceIds.gid, 0o710])
})

function userOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'uid=', '-p', String(pid)], { encoding: 'utf8' }))
}

async function start(
  options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ stateDir, durable: false, ...options })
  onTestFinished(() => server.stop())
  return server
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

async function startInChild(): Promise<{ postgres: number; gone: Promise<unknown>; kill(): void }> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)}
    const server = await startEmbeddedPostgres({ stateDir: ${JSON.stringify(stateDir)}, durable: false })
    console.log(server.pid)
    setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  const [output] = await once(child.stdout, 'data')
  return { postgres: Number(output), gone, kill: () => void child.kill('SIGKILL') }
}

function parentOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }))
}

/** An orphan stays in the process table as a zombie where process 1 does not care. */
function isServing(pid: number): boolean {
  if (!isAlive(pid)) return false
  return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
}
