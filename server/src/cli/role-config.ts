import { type Config, processEnvironment, readConfig } from '../platform/config/config.ts'
import { envKeyProvider, fileKeyProvider, type KeyProvider } from '../platform/secrets/keys.ts'
import { CommandFailure } from './failure.ts'
import { openStateFolder, stateFiles } from './state-folder.ts'

/**
 * The configuration of a command beside a running service: the environment, completed by what `up` wrote into its state folder.
 * What the environment says wins.
 */
export function roleConfig(stateDir: string | undefined): Config {
  const env = processEnvironment()
  if (env.DATABASE_URL && stateDir === undefined) return readConfig(env)
  const folder = openStateFolder(stateDir ?? env.PROKURA_STATE_DIR ?? '.prokura', { create: false })
  const shared = folder.read<Record<string, string>>(stateFiles.environment)
  if (!shared) {
    throw new CommandFailure(
      `No service has been started in ${folder.path} yet. Start it with \`npm start\`, or set DATABASE_URL.`,
    )
  }
  return readConfig({ ...shared, ...env })
}

export function requiredDatabase(config: Config): string {
  if (!config.databaseUrl) {
    throw new CommandFailure(
      'No database. Set DATABASE_URL, or name the folder of a running service with --state DIR, or start everything with `npm start`.',
    )
  }
  return config.databaseUrl.reveal()
}

/** Who an address connects as. */
export function roleOf(url: string): string {
  return decodeURIComponent(new URL(url).username)
}

/** For what the owner of the tables does: migrations, expiry, backups. */
export function ownerDatabase(config: Config): string {
  return (config.databaseOwnerUrl ?? config.databaseDirectUrl)?.reveal() ?? requiredDatabase(config)
}

export function openKeys(config: Config): KeyProvider {
  if (config.keys) return envKeyProvider(config.keys.reveal())
  return fileKeyProvider(
    config.keysFile ?? openStateFolder(config.stateDir, { create: true }).file(stateFiles.vaultKeys),
  )
}
