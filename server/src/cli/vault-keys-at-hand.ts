import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../platform/config/config.ts'
import { envKeyProvider, fileKeyProvider, type KeyProvider } from '../platform/secrets/keys.ts'
import { stateFiles } from './state-folder.ts'

/** The keys that this installation uses; `provider` is null when there are none at `source`. Never makes any. */
export type KeysAtHand = { source: string; provider: KeyProvider | null }

export function vaultKeysAtHand(config: Config): KeysAtHand {
  if (config.keys) return { source: 'PROKURA_KEYS', provider: envKeyProvider(config.keys.reveal()) }
  const file = config.keysFile ?? join(config.stateDir, stateFiles.vaultKeys)
  return { source: file, provider: existsSync(file) ? fileKeyProvider(file) : null }
}
