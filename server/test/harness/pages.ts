import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'
import { unpackedChromium } from '../../src/browser/chromium/unpack.ts'
import { openBrowser } from '../../src/browser/open-browser.ts'
import { createShopper } from '../../src/browser/shopper/shopper.ts'
import { createBrowserPort } from '../../src/channels/browser/browser-port.ts'
import { makeDoorFolders } from '../../src/cli/vault/door-folders.ts'
import { grantVault } from '../../src/platform/database/vault-role.ts'
import { type CrashPoint, type Faults, noFaults } from '../../src/platform/faults/faults.ts'
import { openTicket } from '../../src/platform/vault-client/browser-door.ts'
import { createVaultClient } from '../../src/platform/vault-client/vault-client.ts'
import type { OpenTicketRequest } from '../../src/platform/vault-client/vault-words.ts'
import { chromiumFolder, chromiumUser } from './browser.ts'
import type { Sandbox } from './sandbox.ts'
import { stripeLiveKey } from './stripe.ts'
import { serviceEnvironment } from './up.ts'
import { launchVault } from './vault.ts'

/** What buying at pages takes: a vault in a process of its own, and a browser with a Chromium. */
export type Pages = Awaited<ReturnType<typeof openPages>>

/** `faults` are those of the browser. */
export async function openPages(
  databaseUrl: string,
  sandbox: Pick<Sandbox, 'processorUrl' | 'stripeUrl' | 'linkUrl' | 'names'>,
  faults: Faults = noFaults,
) {
  const role = `test_vault_${randomBytes(4).toString('hex')}`
  const folder = await mkdtemp(join(tmpdir(), 'prokura-pages-'))
  await chmod(folder, 0o711)
  const admin = new Client({ connectionString: databaseUrl })
  await admin.connect()
  await admin.query(`create role ${role} login password 'secret'`)
  await admin.end()
  await grantVault(databaseUrl, role)
  const [vaultDoors, browserDoors] = [join(folder, 'vault'), join(folder, 'browser')]
  makeDoorFolders(vaultDoors, null)
  await mkdir(browserDoors, { mode: 0o700 })
  const url = new URL(databaseUrl)
  url.username = role
  url.password = 'secret'
  const logs = { vault: join(folder, 'vault.log'), browser: join(folder, 'browser.log') }
  const env = {
    ...serviceEnvironment(),
    DATABASE_VAULT_URL: url.href,
    PROKURA_VAULT_KEYS_FILE: join(folder, 'vault-master.keys'),
    PROKURA_VAULT_DOORS: vaultDoors,
    PROKURA_STATE_DIR: folder,
    PROKURA_RAIL_URL: sandbox.processorUrl,
    PROKURA_STRIPE_URL: sandbox.stripeUrl,
    PROKURA_LINK_URL: sandbox.linkUrl,
    PROKURA_VAULT_STRIPE_KEY: stripeLiveKey,
  }
  let vault = await launchVault(env, logs.vault)
  const vaultEnded = async () => {
    if (vault.exitCode === null && vault.signalCode === null) await once(vault, 'exit')
    return vault.signalCode
  }
  const browser = await openBrowser({
    addedPaymentHosts: [],
    binary: () => unpackedChromium(chromiumFolder),
    user: chromiumUser,
    profiles: join(folder, 'profiles'),
    mayRunUnsandboxed: true,
    sandboxNames: sandbox.names,
    display: null,
    shopper: createShopper(),
    folder: browserDoors,
    vaultDoors,
    contextsMax: 3,
    parkedMax: 8,
    faults,
    log: pino({ level: 'info' }, pino.destination({ dest: logs.browser, sync: true })),
  })
  return {
    vault: createVaultClient(vaultDoors),
    browser: createBrowserPort(browserDoors),
    /** What the browser asks the vault to open, asked by somebody else. */
    openTicket: (request: OpenTicketRequest) => openTicket(vaultDoors, request),
    /** Waits for the end of the vault; the signal that ended it. */
    vaultEnded,
    /** Kills it, unless it is dead, and starts another one in its place, which is told to die at this point. */
    async restartVault(crashAt: CrashPoint | null = null) {
      vault.kill('SIGKILL')
      await vaultEnded()
      const change = crashAt === null ? {} : { PROKURA_FAULTS: 'on', PROKURA_CRASH_AT: crashAt }
      vault = await launchVault({ ...env, ...change }, logs.vault)
    },
    /** Everything that both have logged. */
    log: async () => (await readFile(logs.vault, 'utf8')) + (await readFile(logs.browser, 'utf8')),
    async stop() {
      await browser.close()
      vault.kill('SIGKILL')
      await vaultEnded()
      const left = new Client({ connectionString: inject('adminUrl') })
      await left.connect()
      await left.query(`drop role if exists ${role}`).catch(() => undefined)
      await left.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
