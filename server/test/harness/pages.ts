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
import { type Faults, noFaults } from '../../src/platform/faults/faults.ts'
import { createVaultClient } from '../../src/platform/vault-client/vault-client.ts'
import { chromiumFolder, chromiumUser } from './browser.ts'
import type { Sandbox } from './sandbox.ts'
import { serviceEnvironment } from './up.ts'
import { launchVault } from './vault.ts'

/** What buying at pages takes: a vault in a process of its own, and a browser with a Chromium. */
export type Pages = Awaited<ReturnType<typeof openPages>>

/** `faults` are those of the browser. */
export async function openPages(
  databaseUrl: string,
  sandbox: Pick<Sandbox, 'processorUrl' | 'names'>,
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
  const vault = await launchVault(
    {
      ...serviceEnvironment(),
      DATABASE_VAULT_URL: url.href,
      PROKURA_VAULT_KEYS_FILE: join(folder, 'vault-master.keys'),
      PROKURA_VAULT_DOORS: vaultDoors,
      PROKURA_STATE_DIR: folder,
      PROKURA_RAIL_URL: sandbox.processorUrl,
    },
    logs.vault,
  )
  const browser = await openBrowser({
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
    /** Everything that both have logged. */
    log: async () => (await readFile(logs.vault, 'utf8')) + (await readFile(logs.browser, 'utf8')),
    async stop() {
      await browser.close()
      const ended = once(vault, 'exit')
      vault.kill('SIGKILL')
      await ended
      const left = new Client({ connectionString: inject('adminUrl') })
      await left.connect()
      await left.query(`drop role if exists ${role}`).catch(() => undefined)
      await left.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
