import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { inject } from 'vitest'
import { freePort } from '../../src/cli/up/free-port.ts'
import { makeDoorFolders } from '../../src/cli/vault/door-folders.ts'
import type { Id } from '../../src/core/id.ts'
import type { PaymentRail } from '../../src/domain/buying/rails/port.ts'
import { grantRuntime } from '../../src/platform/database/runtime-role.ts'
import { grantVault } from '../../src/platform/database/vault-role.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { redeemGrant } from '../../src/platform/vault-client/browser-door.ts'
import { createVaultClient, type VaultClient } from '../../src/platform/vault-client/vault-client.ts'
import type { Redeemed, RedeemRequest } from '../../src/platform/vault-client/vault-words.ts'
import { createSandboxRail } from '../../src/rails/sandbox/sandbox.ts'
import { mainProgram } from './built-program.ts'
import { createTestDatabase } from './database.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { serviceEnvironment } from './up.ts'

/** A vault in a process of its own, with roles, doors and a sandbox beside it, as a worker and a browser see it. */
export type VaultWorld = {
  client: VaultClient
  rail: PaymentRail
  sandbox: Sandbox
  databaseUrl: string
  folder: string
  doors: string
  roles: { vault: string; runtime: string; addressOf(role: string): string }
  /** Where browsers leave cards, and the origin of the pages that may. */
  publicUrl: string
  pages: string
  pid(): number
  /** Everything that it has logged. */
  log(): Promise<string>
  redeem(request: RedeemRequest): Promise<Redeemed>
  /** Issues a number at the sandbox; returns the record and, from the processor itself, the number. */
  issue(options?: {
    key?: string
    accountId?: Id<'acct'>
  }): Promise<{ record: string; reference: string; number: string; code: string }>
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>
  /** Kills it, or ends it with another signal, and starts it again; `change` overrides settings of the new process. */
  restart(signal?: NodeJS.Signals, change?: NodeJS.ProcessEnv): Promise<void>
  /** Returns its exit code; null where the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Starts a second one beside it, which fails. */
  startAnother(): Promise<unknown>
  /** Closes its standard input, as the end of its parent does, and waits for its own end. */
  hangUp(): Promise<void>
  stop(): Promise<void>
}

export const someTenant = {
  accountId: `acct_${'0'.repeat(25)}1` as Id<'acct'>,
  mode: 'test',
} as const

export async function startVaultWorld(): Promise<VaultWorld> {
  const suffix = randomBytes(4).toString('hex')
  const [vault, runtime] = [`test_vault_${suffix}`, `test_runtime_${suffix}`]
  const folder = await mkdtemp(join(tmpdir(), 'prokura-vault-'))
  await chmod(folder, 0o755)
  const [database, sandbox] = [await createTestDatabase(), await startSandbox()]
  const sql = await connected(database.url)
  for (const role of [vault, runtime]) await sql.query(`create role ${role} login password 'secret'`)
  await grantRuntime(database.url, runtime)
  await grantVault(database.url, vault)
  const doors = join(folder, 'doors')
  makeDoorFolders(doors, null)
  const addressOf = (role: string) => {
    const url = new URL(database.url)
    url.username = role
    url.password = 'secret'
    return url.href
  }
  const [publicPort, pages] = [await freePort(), 'http://elements.localhost:3000']
  const env = {
    ...serviceEnvironment(),
    DATABASE_VAULT_URL: addressOf(vault),
    PROKURA_VAULT_KEYS_FILE: join(folder, 'vault-master.keys'),
    PROKURA_VAULT_DOORS: doors,
    PROKURA_STATE_DIR: folder,
    PROKURA_RAIL_URL: sandbox.processorUrl,
    PROKURA_SANDBOX_STRIPE_URL: sandbox.stripeUrl,
    PROKURA_VAULT_PORT: String(publicPort),
    PROKURA_ELEMENTS_URL: pages,
    // Callers of tests say whose address they have.
    PROKURA_TRUSTED_PROXIES: '127.0.0.1',
  }
  const log = join(folder, 'vault.log')
  let child = await launchVault(env, log)
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [sandbox.processorUrl] })
  const client = createVaultClient(doors)
  const expiresAt = new Date(Date.now() + 3_600_000)
  const rail = createSandboxRail({ url: sandbox.processorUrl, egress, vault: client })
  const end = async (signal: NodeJS.Signals) => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
    child.kill(signal)
    await ended
    return child.exitCode
  }
  return {
    client,
    rail,
    sandbox,
    databaseUrl: database.url,
    folder,
    doors,
    roles: { vault, runtime, addressOf },
    publicUrl: `http://127.0.0.1:${publicPort}`,
    pages,
    pid: () => child.pid ?? 0,
    log: () => readFile(log, 'utf8'),
    redeem: (request) => redeemGrant(doors, request),
    async issue({ key = randomBytes(6).toString('hex'), accountId = someTenant.accountId } = {}) {
      const terms = { limit: 1_000n, currency: 'USD', merchant: 'classic.shop.test', reference: 'cart' }
      const card = { testCard: 'visa_auto_approved', vaultToken: 'none' }
      const input = { key, card, ...terms, expiresAt, vaultOf: accountId }
      const answer = await rail.issueCredential(input, { mode: 'test', timeoutMs: 5_000 })
      if (answer.kind !== 'done' || !answer.value.record)
        throw new Error(`no card was issued: ${JSON.stringify(answer)}`)
      const { record, reference } = answer.value
      const told = await fetch(`${sandbox.processorUrl}/v1/virtual_cards/${reference}/number`)
      const { number, security_code: code } = (await told.json()) as Record<string, string> // texts, by its documentation
      return { record, reference, number: number ?? '', code: code ?? '' }
    },
    sql: async (text, values) => (await sql.query(text, values)).rows,
    async restart(signal = 'SIGKILL', change = {}) {
      await end(signal)
      child = await launchVault({ ...env, ...change }, log)
    },
    end,
    startAnother: () => launchVault(env, log),
    async hangUp() {
      const ended = once(child, 'exit')
      child.stdin?.end()
      await ended
    },
    async stop() {
      await end('SIGKILL')
      await egress.close()
      await sandbox.stop()
      await sql.end()
      await database.drop()
      const admin = await connected(inject('adminUrl'))
      for (const role of [vault, runtime]) await admin.query(`drop role if exists ${role}`)
      await admin.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

/** Starts `prokura vault serve` and waits for its ready line. */
export async function launchVault(env: NodeJS.ProcessEnv, log: string): Promise<ChildProcess> {
  // The shell allows core dumps, as some do, and appends what it logs to a file, which outlives the process.
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      'ulimit -c unlimited; exec "$@" 2>>"$LOG"',
      'sh',
      process.execPath,
      mainProgram,
      'vault',
      'serve',
      '--parent-pipe',
    ],
    {
      env: { ...env, LOG: log },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const exited = once(child, 'exit').then(async () => {
    throw new Error(`the vault ended before it was ready: ${await readFile(log, 'utf8')}`)
  })
  exited.catch(() => undefined)
  await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited])
  return child
}
