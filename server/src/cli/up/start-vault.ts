import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cardLimits } from '../../contract/card-limits.ts'
import { processEnvironment, readConfig } from '../../platform/config/config.ts'
import { settingsTable } from '../../platform/config/settings-table.ts'
import { browserIds, serviceIds, vaultIds } from '../../platform/postgres/account.ts'
import { fileKeyProvider } from '../../platform/secrets/keys.ts'
import { vaultDoors } from '../../platform/vault-client/vault-words.ts'
import { CommandFailure } from '../failure.ts'
import { makeDoorFolders } from '../vault/door-folders.ts'
import type { Child } from './child.ts'
import { freePort } from './free-port.ts'
import { type RunAs, vaultAccount } from './service-account.ts'
import { type StateFolder, stateFiles } from './state-folder.ts'

/** A socket's path ends at 103 bytes on macOS, and at 107 on Linux. */
const socketPathMax = 103

/** Where the doors of this state folder are: inside it, or, below a long path, in /tmp under a name that follows from the path. */
export function doorsFolder(state: StateFolder): string {
  const inside = state.file(stateFiles.vaultDoors)
  const longest = Math.max(...Object.values(vaultDoors).map((door) => Buffer.byteLength(join(inside, door))))
  if (longest <= socketPathMax) return inside
  return join('/tmp', `prokura-vault-${createHash('sha256').update(inside).digest('hex').slice(0, 16)}`)
}

/** Where the master keys are: where the environment says, otherwise in the state folder. */
export function masterKeysOf(state: StateFolder): Record<string, string> {
  const { vaultKeys, vaultKeysFile } = readConfig(processEnvironment())
  if (vaultKeys) return {}
  return {
    PROKURA_VAULT_KEYS_FILE:
      vaultKeysFile === null ? state.file(stateFiles.vaultMasterKeys) : resolve(vaultKeysFile),
  }
}

/** Where browsers leave cards, and from which pages: all roles are told, and shops on this machine can name neither port. */
export async function publicDoorOf(
  { port, database }: { port: number; database: { vaultUrl: string | null } },
  state: Pick<StateFolder, 'read'>,
): Promise<Record<string, string>> {
  const env = processEnvironment()
  const pages = env.PROKURA_ELEMENTS_URL || `http://elements.localhost:${port}`
  if (database.vaultUrl === null) return { PROKURA_ELEMENTS_URL: pages, PROKURA_VAULT_PORT: '' }
  const last = Number(
    state.read<Record<string, string>>(stateFiles.environment)?.PROKURA_VAULT_PORT || Number.NaN,
  )
  const vaultPort =
    env.PROKURA_VAULT_PORT || String(await freePort(Number.isNaN(last) ? undefined : last, [port]))
  return {
    PROKURA_ELEMENTS_URL: pages,
    PROKURA_VAULT_PORT: vaultPort,
    PROKURA_VAULT_URL: env.PROKURA_VAULT_URL || `http://vault.localhost:${vaultPort}`,
  }
}

/** What the vault needs of the settings that all roles share. */
const shared = [
  'HOST',
  'PROKURA_STATE_DIR',
  'PROKURA_VAULT_PORT',
  'PROKURA_VAULT_URL',
  'PROKURA_ELEMENTS_URL',
  'PROKURA_TRUSTED_PROXIES',
  ...Object.values(cardLimits).map(({ setting }) => setting),
  'PROKURA_RAIL_URL',
  'PROKURA_SANDBOX_STRIPE_URL',
  'PROKURA_STRIPE_URL',
  'PROKURA_LINK_URL',
  'PROKURA_VAULT_DOORS',
  'PROKURA_LOG_LEVEL',
  'PROKURA_FAULTS',
  'PROKURA_CRASH_AT',
  'PROKURA_CRASH_FILE',
  'PROKURA_PAUSE_AT',
  'PROKURA_PAUSE_FILE',
]

/**
 * What only the vault gets, and nothing that it does not need; null: there is no database role for it. `readsCards`: the key by which it reads
 * the numbers of issued cards; without it, the one that the environment has.
 */
export function vaultEnvironment(
  environment: Readonly<Record<string, string>>,
  { vaultUrl, readsCards = null }: { vaultUrl: string | null; readsCards?: string | null },
): Record<string, string> | null {
  if (vaultUrl === null) return null
  const { vaultKeys, cardReaders } = readConfig(processEnvironment())
  const known = Object.keys(settingsTable).map((name) => [
    name,
    shared.some((one) => one === name) ? (environment[name] ?? '') : '',
  ])
  return {
    ...Object.fromEntries(known),
    DATABASE_VAULT_URL: vaultUrl,
    ...(vaultKeys ? { PROKURA_VAULT_KEYS: vaultKeys.reveal() } : {}),
    ...(cardReaders.live ? { PROKURA_VAULT_STRIPE_KEY: cardReaders.live.secretKey.reveal() } : {}),
    ...(readsCards === null ? {} : { PROKURA_VAULT_STRIPE_KEY: readsCards }),
  }
}

/** For the sandbox, which plays strangers: every secret of ours that it would inherit, as not set. */
export function withoutSecrets(): Record<string, string> {
  const secrets = Object.entries(settingsTable).filter(([, { secret }]) => secret)
  return Object.fromEntries(secrets.map(([name]) => [name, '']))
}

type Start = (env: NodeJS.ProcessEnv, as: RunAs | null) => Promise<Child>

/** Starts the vault. `isApart`: API and workers run under an account of their own, and so does the vault. */
export function startVault(
  state: StateFolder,
  environment: Record<string, string>,
  isApart: boolean,
  start: Start,
): Promise<Child> {
  const keys = masterKeysOf(state)
  const own = state.file(stateFiles.vaultMasterKeys)
  const isOwn = keys.PROKURA_VAULT_KEYS_FILE === own
  if (isOwn) fileKeyProvider(own)
  const folder = doorsFolder(state)
  claimInTmp(folder)
  const owners = { uid: vaultIds.uid, workerGid: serviceIds.gid, browserGid: browserIds.gid }
  makeDoorFolders(folder, isApart ? owners : null)
  const as = isApart ? vaultAccount(isOwn ? [own] : []) : null
  return start({ ...environment, ...keys }, as)
}

/** Another user may have made the folder before us, to stand between the vault and those who ask it. */
function claimInTmp(folder: string): void {
  if (!folder.startsWith('/tmp/')) return
  try {
    mkdirSync(folder, { mode: 0o711 })
  } catch {
    const found = lstatSync(folder)
    if (!found.isDirectory() || found.uid !== process.geteuid?.())
      throw new CommandFailure(
        `${folder} belongs to another user. Remove it, or use a state folder with a shorter path.`,
      )
  }
}
