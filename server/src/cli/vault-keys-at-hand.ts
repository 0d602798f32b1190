import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chainWitnesses } from '../platform/audit/chain-witnesses.ts'
import type { Config } from '../platform/config/config.ts'
import { openPools } from '../platform/database/pool.ts'
import type { NamedDatabase } from '../platform/database/words.ts'
import {
  envKeyProvider,
  fileKeyProvider,
  KeyMaterialError,
  type KeyProvider,
} from '../platform/secrets/keys.ts'
import { type Ask, type KeyFault, proveKeys } from '../platform/secrets/prove-keys.ts'
import { sealedWitnesses } from '../platform/secrets/sealed-witness.ts'
import { told } from './database-trouble.ts'
import { CommandFailure } from './failure.ts'
import { servedDatabase } from './role-config.ts'
import { sealedRecords } from './sealed-records.ts'
import { openStateFolder, stateFiles } from './state-folder.ts'

/** The keys that this installation uses; `provider` is null when there are none at `source`. Never makes any. */
export type KeysAtHand = { source: string; provider: KeyProvider | null }

export function vaultKeysAtHand(config: Config): KeysAtHand {
  if (config.keys)
    return {
      source: 'PROKURA_KEYS',
      provider: inPlainWords('PROKURA_KEYS', () => envKeyProvider(config.keys?.reveal() ?? '')),
    }
  const file = keysFileOf(config)
  return { source: file, provider: existsSync(file) ? inPlainWords(file, () => fileKeyProvider(file)) : null }
}

/**
 * The keys, proven to be those of the database: whoever begins to work under other ones seals what nobody opens again. Makes a file with
 * one where there is none, and nothing in the database needs any.
 */
export async function openKeys(config: Config, { isPooled } = { isPooled: false }): Promise<KeyProvider> {
  const named = { ...servedDatabase(config), isPooled }
  const atHand = vaultKeysAtHand(config)
  await refuseWrongKeys(atHand, named)
  if (atHand.provider) return atHand.provider
  const file = keysFileOf(config)
  if (!config.keysFile) openStateFolder(config.stateDir, { create: true })
  const made = inPlainWords(file, () => fileKeyProvider(file))
  await refuseWrongKeys({ source: file, provider: made }, named)
  return made
}

/** Fails in words where the keys at hand are not those of a database, and leaves marks of them there where it has none. */
async function refuseWrongKeys(
  { source, provider }: KeysAtHand,
  named: NamedDatabase & { isPooled: boolean },
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
  const fault = await told(named, () => proveOn(ask, provider, true)).finally(() => pools.close())
  if (fault) throw new CommandFailure(keyWords(fault, source))
}

/** Asks a database whose schema may be any. */
export function proveOn(ask: Ask, provider: KeyProvider | null, marks: boolean): Promise<KeyFault | null> {
  const witnesses = async () => [
    ...(await sealedWitnesses(ask, sealedRecords)),
    ...(await chainWitnesses(ask)),
  ]
  return proveKeys(ask, provider, { witnesses, marks })
}

const remedy =
  'Put the keys of this installation there (vault.keys of its state folder, or PROKURA_KEYS), or name the database that the keys belong to'

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

function listed(ids: readonly string[]): string {
  return ids.length === 0 ? 'the keys that its API keys were hashed with' : ids.join(', ')
}

function keysFileOf(config: Config): string {
  return config.keysFile ?? join(config.stateDir, stateFiles.vaultKeys)
}

/** Keys that cannot be read are somebody's mistake, not a bug. */
function inPlainWords<T>(source: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof KeyMaterialError)
      throw new CommandFailure(`${source} cannot be used: ${error.message}.`)
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EACCES' || code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR')
      throw new CommandFailure(
        `The encryption keys at ${source} cannot be read (${String(code)}): correct PROKURA_KEYS_FILE, or the permissions of the file.`,
      )
    throw error
  }
}
