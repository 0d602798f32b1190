import { fileWords, isThere } from '../../platform/files/file-trouble.ts'
import { addKeyToFile, KeyMaterialError } from '../../platform/secrets/keys.ts'
import { CommandFailure } from '../failure.ts'
import { roleConfig } from '../role-config.ts'
import { masterKeysFile } from './master-keys.ts'

/** Adds a master key to the file of this installation. Which keys the database needs, the vault proves when it starts. */
export async function rotateMasterKey(state: string | undefined): Promise<{ id: string; file: string }> {
  const config = roleConfig(state)
  if (config.vaultKeys !== null)
    throw new CommandFailure(
      'The master keys come from PROKURA_VAULT_KEYS. Append an id:base64 pair of 32 bytes there, and restart the vault.',
    )
  const file = masterKeysFile(config)
  if (!isThere(file))
    throw new CommandFailure(
      `There are no master keys at ${file}, so there is none to add one to. Start the vault once, or correct PROKURA_VAULT_KEYS_FILE.`,
    )
  try {
    return { id: await addKeyToFile(file), file }
  } catch (error) {
    const words = error instanceof KeyMaterialError ? `${error.message}.` : fileWords(error)
    throw words === null ? error : new CommandFailure(`${file} cannot be used: ${words}`)
  }
}
