import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { fileWords } from '../../platform/files/file-trouble.ts'
import {
  envKeyProvider,
  fileKeyProvider,
  KeyMaterialError,
  type KeyProvider,
} from '../../platform/secrets/keys.ts'
import { CommandFailure } from '../failure.ts'
import { stateFiles } from '../up/state-folder.ts'

/** The master keys of the vault. `reload` takes up a key that was added to the file since. */
export type MasterKeys = { readonly source: string; provider(): KeyProvider; reload(): void }

export function masterKeysFile({ vaultKeysFile, stateDir }: Config): string {
  return vaultKeysFile ?? join(stateDir, stateFiles.vaultMasterKeys)
}

/** Makes the file with one key where there is none. */
export function openMasterKeys(config: Config): MasterKeys {
  if (config.vaultKeys !== null) {
    const source = 'PROKURA_VAULT_KEYS'
    const { vaultKeys } = config
    const provider = inWords(source, () => envKeyProvider(vaultKeys.reveal()))
    return { source, provider: () => provider, reload: () => undefined }
  }
  const file = masterKeysFile(config)
  let provider = inWords(file, () => fileKeyProvider(file))
  let changedMs = statSync(file).mtimeMs
  return {
    source: file,
    provider: () => provider,
    reload() {
      const { mtimeMs } = statSync(file)
      if (mtimeMs === changedMs) return
      provider = inWords(file, () => fileKeyProvider(file))
      changedMs = mtimeMs
    },
  }
}

/** Keys that cannot be read are a person's mistake, not a bug. */
function inWords<T>(source: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof KeyMaterialError)
      throw new CommandFailure(`${source} cannot be used: ${error.message}.`)
    const words = fileWords(error)
    if (words === null) throw error
    throw new CommandFailure(`The master keys of the vault at ${source} cannot be used. ${words}`)
  }
}
