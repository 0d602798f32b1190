import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { inject } from 'vitest'
import { migrate } from '../../src/platform/database/migrate.ts'
import { migrationsDirectory, readMigrations } from '../../src/platform/database/migration-files.ts'
import { startEmbeddedPostgres } from '../../src/platform/postgres/embedded.ts'
import { isAlive } from '../../src/platform/postgres/postmaster.ts'

export type TestServer = { adminUrl: string; template: string }
export type TestDatabase = { url: string; drop(): Promise<void> }

declare module 'vitest' {
  // Vitest reads the types of provided values from this interface.
  interface ProvidedContext extends TestServer {}
}

type StartedServer = TestServer & { stop(): Promise<void> }

/**
 * The server of a test run with a migrated template: PROKURA_TEST_DATABASE_URL (a superuser's, or one who may create
 * databases), else a throw-away one of our own.
 */
export async function startTestServer(): Promise<StartedServer> {
  const given = process.env.PROKURA_TEST_DATABASE_URL
  if (given) return { adminUrl: given, template: await makeTemplate(given), stop: async () => undefined }
  return startOwnServer()
}

/** A throw-away server with a migrated template, which nobody else uses. */
export async function startOwnServer(extraSettings: Record<string, string> = {}): Promise<StartedServer> {
  const stateDir = await makeStateDir()
  const postgres = await startEmbeddedPostgres({
    stateDir,
    durable: false,
    maxConnections: 300,
    extraSettings,
  })
  async function stop(): Promise<void> {
    await postgres.stop()
    await rm(stateDir, { recursive: true, force: true })
  }
  try {
    return { adminUrl: postgres.url, template: await makeTemplate(postgres.url), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A new database with the schema in place. `empty` leaves the schema out. The default server is that of the vitest run. */
export async function createTestDatabase(
  options: { server?: TestServer; empty?: boolean } = {},
): Promise<TestDatabase> {
  const { adminUrl, template } = options.server ?? {
    adminUrl: inject('adminUrl'),
    template: inject('template'),
  }
  const name = `test_${process.pid}_${randomBytes(5).toString('hex')}`
  const source = options.empty ? 'template0' : template
  await withAdmin(adminUrl, async (admin) => {
    await oneAtATime(admin)
    // Copying the files takes a tenth of what writing them to the log takes.
    await admin.query(`create database ${name} template ${source} strategy file_copy`)
  })
  return {
    url: databaseUrl(adminUrl, name),
    drop: () =>
      withAdmin(adminUrl, async (admin) => {
        await admin.query(`drop database if exists ${name} with (force)`)
      }),
  }
}

/** Named after its migrations, so that a server that outlives the run keeps a template as long as it is right. */
async function makeTemplate(adminUrl: string): Promise<string> {
  const checksums = readMigrations(migrationsDirectory).map((migration) => migration.checksum)
  const name = `prokura_template_${createHash('sha256').update(checksums.join()).digest('hex').slice(0, 12)}`
  await withAdmin(adminUrl, async (admin) => {
    await oneAtATime(admin)
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount !== 0) return
    const draft = `${name}_draft`
    await admin.query(`drop database if exists ${draft} with (force)`)
    await admin.query(`create database ${draft} template template0`)
    await migrate({ url: databaseUrl(adminUrl, draft) })
    // Nobody may connect to a database while it is cloned.
    await admin.query(`alter database ${draft} allow_connections false`)
    await admin.query(`alter database ${draft} rename to ${name}`)
  })
  return name
}

async function withAdmin(adminUrl: string, work: (admin: Client) => Promise<void>): Promise<void> {
  const admin = new Client({ connectionString: adminUrl, application_name: 'prokura test harness' })
  await admin.connect()
  try {
    await work(admin)
  } finally {
    await admin.end()
  }
}

/** A template cannot be cloned while another session makes, renames or clones it. The lock goes with the session. */
async function oneAtATime(admin: Client): Promise<void> {
  await admin.query('select pg_advisory_lock(7261140594)')
}

function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

const statePrefix = 'prokura-test-'

/** A folder for an embedded server, which every account may enter. Removes what killed runs have left behind. */
export async function makeStateDir(): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(statePrefix)
      ? Number(name.slice(statePrefix.length).split('-')[0])
      : Number.NaN
    if (!Number.isNaN(pid) && !isAlive(pid)) await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
  const folder = await mkdtemp(join(tmpdir(), `${statePrefix}${process.pid}-`))
  await chmod(folder, 0o755)
  return folder
}
