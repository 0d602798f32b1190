import { join } from 'node:path'
import { pino } from 'pino'
import { type Config, processEnvironment, readConfig } from '../../platform/config/config.ts'
import { lookAtDatabase } from '../../platform/database/look.ts'
import { requiredVersion, waitForSchema } from '../../platform/database/migrate.ts'
import { openPools, type Pools } from '../../platform/database/pool.ts'
import type { NamedDatabase } from '../../platform/database/words.ts'
import { createFaults } from '../../platform/faults/faults.ts'
import { fileWords } from '../../platform/files/file-trouble.ts'
import { createLog, type Log } from '../../platform/logs/logs.ts'
import { OpenSocket } from '../../platform/vault-client/private-socket.ts'
import { countedAddress, createClientAddresses } from '../../surfaces/http/client-address.ts'
import { openVault, type VaultOptions } from '../../vault/open-vault.ts'
import { proveMasterKeys } from '../../vault/tenant-keys.ts'
import { selectReaders } from '../../vault/vault.sql.ts'
import type { VaultRails } from '../../vault/vault-rails.ts'
import { CommandFailure } from '../failure.ts'
import { withDatabaseTrouble } from '../operator/database-trouble.ts'
import { vaultRoleRemedy } from '../operator/vault-role.ts'
import { roleConfig } from '../role-config.ts'
import { runUntilStopped } from '../run-until-stopped.ts'
import { onPort } from '../up/port-words.ts'
import { stateFiles } from '../up/state-folder.ts'
import { makeDoorFolders } from './door-folders.ts'
import { type MasterKeys, openMasterKeys } from './master-keys.ts'

const schemaPatienceMs = 60_000
/** How often it looks for a new master key, for records that have to go, and for keys that an older master key seals: within a minute. */
const tidyEveryMs = 50_000

/** The vault as a process of its own. It has a database role, keys and sockets of its own, and nothing else of the product. */
export async function serveVault(options: {
  state: string | undefined
  parentPipe: boolean
  hasCoreDumps: boolean
}): Promise<void> {
  // By itself Node opens its debugger at this signal, which shows all memory to anybody on this machine.
  process.on('SIGUSR1', () => undefined)
  const config = vaultConfig(options.state)
  // What it has done stands in the log before it answers, also where it is killed right after.
  const log = createLog({
    level: config.logLevel,
    role: 'vault',
    destination: pino.destination({ fd: 2, sync: true }),
  })
  if (options.hasCoreDumps)
    log.warn('vault: this system may write core dumps of it; turn them off (ulimit -c 0)')
  const named = namedDatabase(config)
  const publicDoor = publicDoorOf(config)
  const pools = await openDatabase(named, log)
  try {
    const masters = openMasterKeys(config)
    await withDatabaseTrouble(named, () => refuseWrongDatabase(pools, masters, log))
    const folder = doorsOf(config)
    if (config.vaultDoors === null) makeDoorFolders(folder, null)
    const vault = await openInWords({
      pools,
      masters: masters.provider,
      newestMasters() {
        masters.reload()
        return masters.provider()
      },
      folder,
      rails: railsOf(config),
      publicDoor,
      limits: config.limits,
      faults: createFaults(config.faults),
      log,
    })
    const tidyUp = () =>
      Promise.resolve()
        .then(() => masters.reload())
        .then(() => vault.tidyUp())
        .catch((error: unknown) => log.warn({ err: error }, 'vault: it could not tidy up, and tries again'))
    await tidyUp()
    const timer = setInterval(tidyUp, tidyEveryMs)
    await runUntilStopped(
      { role: 'vault', doors: folder, pid: process.pid },
      options.parentPipe,
      async () => {
        clearInterval(timer)
        await vault.close()
      },
    )
  } finally {
    await pools.close()
  }
}

/**
 * The rails whose answers hold cards: test mode's processor; Stripe, to which it shows a key of its own; and Link, to which it shows the
 * sign-in of the wallet, as the worker sends it.
 */
function railsOf({ railUrl, linkUrl, cardReaders: { test, live } }: Config): VaultRails {
  const atStripe = (reader: Config['cardReaders']['test']) =>
    reader ? [{ url: reader.url, bearer: reader.secretKey }] : []
  return {
    test: [...(railUrl === null ? [] : [{ url: railUrl, bearer: null }]), ...atStripe(test)],
    live: [...atStripe(live), ...(linkUrl === null ? [] : [{ url: linkUrl, bearer: null }])],
  }
}

/** The folder of the doors. */
function doorsOf({ vaultDoors, stateDir }: Config): string {
  return vaultDoors ?? join(stateDir, stateFiles.vaultDoors)
}

/** The door for browsers, where the settings name a port for it. */
function publicDoorOf(config: Config): VaultOptions['publicDoor'] {
  const { vaultPort: port, vaultUrl, elementsUrl, host, trustedProxies } = config
  if (port === null) return null
  if (elementsUrl === null)
    throw new CommandFailure(
      'PROKURA_VAULT_PORT is set, and PROKURA_ELEMENTS_URL is not: pages of no other origin leave cards there. Set it, or PROKURA_VAULT_PORT=0.',
    )
  const clients = createClientAddresses(trustedProxies)
  return {
    host,
    port,
    url: vaultUrl ?? `http://${host}:${port}`,
    pages: new URL(elementsUrl).origin,
    addressOf: (request) => countedAddress(clients.of(request)),
  }
}

/** Under `up` the environment alone: what the state folder holds for other roles is closed to the user of the vault. */
function vaultConfig(state: string | undefined): Config {
  const env = processEnvironment()
  return env.DATABASE_VAULT_URL && state === undefined ? readConfig(env) : roleConfig(state)
}

function namedDatabase({ databaseVaultUrl }: Config): NamedDatabase {
  if (databaseVaultUrl !== null) return { setting: 'DATABASE_VAULT_URL', url: databaseVaultUrl.reveal() }
  throw new CommandFailure(
    `The vault has no database: DATABASE_VAULT_URL is not set. It needs a role of its own. ${vaultRoleRemedy}`,
  )
}

async function openDatabase(named: NamedDatabase, log: Log): Promise<Pools> {
  const { url } = named
  const seen = await withDatabaseTrouble(named, async () => {
    const first = await lookAtDatabase(url)
    if (first.schemaVersion < requiredVersion()) await waitForSchema({ url, timeoutMs: schemaPatienceMs })
    return first
  })
  return openPools({
    url,
    writers: 4,
    readers: 1,
    isPooled: seen.isPooled,
    applicationName: 'prokura vault',
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })
}

async function refuseWrongDatabase(pools: Pools, { source, provider }: MasterKeys, log: Log): Promise<void> {
  const [rights] = await pools.read(selectReaders({}))
  if (!rights?.owner || rights.can_use !== true)
    throw new CommandFailure(
      'The role of DATABASE_VAULT_URL may not use the schema card_vault and the views card_sessions, kept_cards and refused_cards. Run `prokura migrate` with DATABASE_OWNER_URL and DATABASE_VAULT_URL, which grants it.',
    )
  if (rights.readers.length > 0)
    throw new CommandFailure(
      `The database roles ${rights.readers.join(', ')} may read the records of the vault, and only "${rights.role}" may. Run: revoke all on all tables in schema card_vault from ${rights.readers.join(', ')}.`,
    )
  if (rights.owner !== rights.role)
    log.warn(
      { owner: rights.owner },
      'vault: another role owns its tables, and can read the sealed rows; docs/operations.md ("The vault") says how to give them away',
    )
  const fault = await proveMasterKeys(pools, provider())
  if (fault === null) return
  const what = fault.kind === 'missing' ? 'is not there' : 'is another key than the one of the database'
  throw new CommandFailure(
    `The master key ${fault.keyId} at ${source} ${what}, and records of the vault need it. Put the master keys of this installation there, or correct PROKURA_VAULT_KEYS_FILE or PROKURA_VAULT_KEYS.`,
  )
}

async function openInWords(options: VaultOptions): ReturnType<typeof openVault> {
  return openVault(options).catch((error: unknown) => {
    const { host = '', port = 0 } = options.publicDoor ?? {}
    const isOfPort = error instanceof Error && 'port' in error && error.port === port
    if (isOfPort)
      return onPort({ host, port, setting: 'PROKURA_VAULT_PORT', isNamed: true }, () => Promise.reject(error))
    const words = error instanceof OpenSocket ? `${error.message}.` : fileWords(error)
    throw words === null ? error : new CommandFailure(`The vault cannot open its doors. ${words}`)
  })
}
