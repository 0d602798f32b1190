import { join } from 'node:path'
import { selectIsKeyed } from '../../domain/accounts/api-keys/key-lookups.sql.ts'
import { sealedBirthDates } from '../../domain/buyers/profiles/public.ts'
import { sealedWallets } from '../../domain/buyers/wallets/public.ts'
import { sealedSecrets } from '../../domain/webhooks/destinations/public.ts'
import { chainWitnesses } from '../../platform/audit/chain-witnesses.ts'
import type { Config } from '../../platform/config/config.ts'
import { isDatabaseAway, sqlState } from '../../platform/database/errors.ts'
import { lookAtDatabase } from '../../platform/database/look.ts'
import { schemaTrouble } from '../../platform/database/migrate.ts'
import { openPools } from '../../platform/database/pool.ts'
import { databaseWords, type NamedDatabase, UnfitDatabase } from '../../platform/database/words.ts'
import { FileTrouble, fileWords, isThere } from '../../platform/files/file-trouble.ts'
import {
  addKeyToFile,
  envKeyProvider,
  fileKeyProvider,
  KeyMaterialError,
  type KeyProvider,
} from '../../platform/secrets/keys.ts'
import { type Ask, type KeyFault, proveKeys } from '../../platform/secrets/prove-keys.ts'
import { type SealedRecords, sealedWitnesses } from '../../platform/secrets/sealed-witness.ts'
import { CommandFailure } from '../failure.ts'
import { servedDatabase } from '../role-config.ts'
import { openStateFolder, stateFiles } from '../up/state-folder.ts'
import { withDatabaseTrouble } from './database-trouble.ts'

/** Everything that is sealed under the encryption keys. */
const sealedRecords: readonly SealedRecords[] = [sealedSecrets, sealedBirthDates, sealedWallets]

/** The keys that this installation uses; `provider` is null when there are none at `source`. It never makes any. */
export type KeysAtHand = { source: string; provider: KeyProvider | null }

export function encryptionKeysAtHand(config: Config): KeysAtHand {
  if (config.keys)
    return {
      source: 'PROKURA_KEYS',
      provider: inPlainWords('PROKURA_KEYS', () => envKeyProvider(config.keys?.reveal() ?? '')),
    }
  const file = keysFileOf(config)
  return { source: file, provider: isThere(file) ? inPlainWords(file, () => fileKeyProvider(file)) : null }
}

/** What is wrong with the keys themselves, in words; null: nothing. Only a file that the configuration names has to exist already. */
export function keysTrouble(config: Config): string | null {
  try {
    const { provider } = encryptionKeysAtHand(config)
    if (provider !== null || config.keysFile === null) return null
    return `PROKURA_KEYS_FILE names ${config.keysFile}, which is not there. Put the keys of this installation there, or correct it. A first start on an empty database creates the file.`
  } catch (error) {
    if (error instanceof CommandFailure || error instanceof FileTrouble) return error.message
    throw error
  }
}

/**
 * The keys, proven to be those of the database: with other keys, a process would seal records that nobody can open later. It makes a file
 * with one key where there is none, and nothing in the database needs any.
 */
export async function openKeys(config: Config, { isPooled } = { isPooled: false }): Promise<KeyProvider> {
  const named = { ...servedDatabase(config), isPooled }
  const atHand = encryptionKeysAtHand(config)
  await refuseWrongKeys(atHand, named, true)
  if (atHand.provider) return atHand.provider
  const file = keysFileOf(config)
  if (!config.keysFile) openStateFolder(config.stateDir, { create: true })
  const made = inPlainWords(file, () => fileKeyProvider(file))
  await refuseWrongKeys({ source: file, provider: made }, named, true)
  return made
}

/** Fails in words where these keys are not those of a database; with `marks`, it leaves marks of them in a database that has none. */
async function refuseWrongKeys(
  { source, provider }: KeysAtHand,
  named: NamedDatabase & { isPooled: boolean },
  marks: boolean,
): Promise<void> {
  const pools = openPools({
    url: named.url,
    writers: 1,
    readers: 1,
    isPooled: named.isPooled,
    applicationName: 'prokura keys',
    onError: () => undefined, // the statement under way fails with it
  })
  const ask: Ask = async (statement) => (await pools.single(statement)).rows
  const fault = await withDatabaseTrouble(named, () => proveOn(ask, provider, marks)).finally(() =>
    pools.close(),
  )
  if (fault) throw new CommandFailure(keyWords(fault, source))
}

/** Asks a database whose schema may have any version. */
export function proveOn(ask: Ask, provider: KeyProvider | null, marks: boolean): Promise<KeyFault | null> {
  const witnesses = async () => [
    ...(await sealedWitnesses(ask, sealedRecords)),
    ...(await chainWitnesses(ask)),
  ]
  const isKeyed = async () => (await ask(selectIsKeyed({})))[0]?.is_keyed === true
  return proveKeys(ask, provider, { witnesses, isKeyed, marks })
}

const remedy =
  'Put the keys of this installation there, or correct PROKURA_KEYS_FILE or PROKURA_KEYS, or name the database that the keys belong to'

export function keyWords(fault: KeyFault, source: string): string {
  switch (fault.kind) {
    case 'none':
      return `There are no encryption keys at ${source}, and the database needs ${listed(fault.needed)}. ${remedy}.`
    case 'missing':
      return `The encryption key ${fault.keyId} is not at ${source}, and the database needs it for ${fault.what}. ${remedy}.`
    case 'other':
      return `The encryption key ${fault.keyId} at ${source} is not the key of the database with that id: it does not fit ${fault.what}. ${remedy}.`
    case 'order':
      return `The encryption key ${fault.rootId} must be the first at ${source}, because API keys are hashed with the oldest key. Put it first.`
    default:
      return fault satisfies never
  }
}

/**
 * Adds a key to the file of this installation, once the existing keys are proven to be those of its database. Where the database cannot
 * be reached, `onUnproven` gets the reason.
 */
export async function addKey(
  config: Config,
  onUnproven: (line: string) => void,
): Promise<{ id: string; file: string }> {
  const file = keysFileOf(config)
  if (!isThere(file))
    throw new CommandFailure(
      `There are no encryption keys at ${file}, so there is none to add one to. ${remedy}.`,
    )
  const prove = (provider: KeyProvider) => proveWhereReached(config, { source: file, provider }, onUnproven)
  return { id: await inPlainWordsLater(file, addKeyToFile(file, prove)), file }
}

async function proveWhereReached(
  config: Config,
  atHand: KeysAtHand,
  onUnproven: (line: string) => void,
): Promise<void> {
  const named = servedDatabase(config)
  const unproven = (why: string) => onUnproven(`The keys were not compared with the database. ${why}`)
  const seen = await lookAtDatabase(named.url).catch((error: unknown) => {
    const words = databaseWords(error, named)
    if (words === null) throw error
    // A database that answers and is the wrong one shows that something is wrong here too.
    if (error instanceof UnfitDatabase || (sqlState(error) !== null && !isDatabaseAway(error)))
      throw new CommandFailure(words)
    unproven(words)
    return null
  })
  if (seen === null) return
  // A database without our tables, or with those of an older version, says nothing about keys.
  const trouble = schemaTrouble(seen)
  if (trouble === null) await refuseWrongKeys(atHand, { ...named, isPooled: seen.isPooled }, false)
  else unproven(trouble)
}

function listed(ids: readonly string[]): string {
  return ids.length === 0 ? 'the keys that its API keys were hashed with' : ids.join(', ')
}

function keysFileOf(config: Config): string {
  return config.keysFile ?? join(config.stateDir, stateFiles.encryptionKeys)
}

/** Keys that cannot be read are a person's mistake, not a bug. */
function inPlainWords<T>(source: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw keyTrouble(source, error)
  }
}

async function inPlainWordsLater<T>(source: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw keyTrouble(source, error)
  })
}

function keyTrouble(source: string, error: unknown): unknown {
  if (error instanceof KeyMaterialError)
    return new CommandFailure(`${source} cannot be used: ${error.message}.`)
  const words = fileWords(error)
  if (words === null) return error
  return new CommandFailure(`The encryption keys at ${source} cannot be used. ${words}`)
}
