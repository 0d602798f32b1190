import { type Config, processEnvironment, readConfig } from '../platform/config/config.ts'
import { type NamedDatabase, stateFolderSetting } from '../platform/database/words.ts'
import { CommandFailure } from './failure.ts'
import { openStateFolder, stateFiles } from './up/state-folder.ts'

/**
 * The configuration of a command beside a running service: the environment, completed by what `up` wrote into its state folder. The
 * environment has precedence.
 */
export function roleConfig(stateDir: string | undefined): Config {
  const env = processEnvironment()
  if (env.DATABASE_URL && stateDir === undefined) return readConfig(env)
  return readConfig({ ...sharedEnvironment(stateDir ?? env.PROKURA_STATE_DIR ?? '.prokura'), ...env })
}

/** The settings that `up` wrote into its state folder for further roles. */
export function sharedEnvironment(stateDir: string): Readonly<Record<string, string>> {
  const folder = openStateFolder(stateDir, { create: false })
  const shared = folder.read<Record<string, string>>(stateFiles.environment)
  if (shared) return shared
  throw new CommandFailure(
    `No service has been started in ${folder.path} yet. Start it with \`npm start\`, or set DATABASE_URL.`,
  )
}

export function requiredDatabase(config: Config): string {
  return servedDatabase(config).url
}

/** The database of the API, the workers and most commands. */
export function servedDatabase({ databaseUrl }: Config): NamedDatabase {
  if (databaseUrl) return { setting: settingOf('DATABASE_URL'), url: databaseUrl.reveal() }
  throw new CommandFailure(
    'There is no database. Set DATABASE_URL, or name the folder of a running service with --state DIR, or start everything with `npm start`.',
  )
}

/** Where a person would correct an address: the setting, or the folder that it was read from, when nobody has set it. */
function settingOf(name: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_OWNER_URL'): string {
  return processEnvironment()[name] ? name : stateFolderSetting
}

/** The database without a pooler in between: for listening, and for looking at the schema. */
export function directDatabase(config: Config): NamedDatabase {
  const { databaseDirectUrl: direct } = config
  const served = servedDatabase(config)
  const url = direct?.reveal() ?? served.url
  return url === served.url ? served : { setting: settingOf('DATABASE_DIRECT_URL'), url }
}

/** The role that an address connects as. */
export function roleOf(url: string): string {
  return decodeURIComponent(new URL(url).username)
}

/** For work of the owner of the tables: migrations, expiry, backups. */
export function ownedDatabase(config: Config): NamedDatabase {
  const { databaseOwnerUrl: owner } = config
  return owner ? { setting: settingOf('DATABASE_OWNER_URL'), url: owner.reveal() } : directDatabase(config)
}
