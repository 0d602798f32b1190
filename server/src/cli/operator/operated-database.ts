import { type Config, processEnvironment, readConfig } from '../../platform/config/config.ts'
import { stateFolderSetting } from '../../platform/database/words.ts'
import { isThere } from '../../platform/files/file-trouble.ts'
import { ownedDatabase, roleConfig } from '../role-config.ts'
import { claimFolder } from '../up/claim-folder.ts'
import { startOwnPostgres } from '../up/own-postgres.ts'
import { openStateFolder, type StateFolder, stateFiles } from '../up/state-folder.ts'

/** A database that an operator works on as a whole, whether or not the service runs on it. */
export type OperatedDatabase = {
  url: string
  /** The setting that names it, for messages about it. */
  setting: string
  config: Config
  /** Null: everything comes from the environment. */
  folder: StateFolder | null
  close(): Promise<void>
}

/** The existing database: DATABASE_URL, otherwise that of the state folder, whose own server is started for as long as it is needed. */
export async function openExistingDatabase(stateDir: string | undefined): Promise<OperatedDatabase> {
  const env = processEnvironment()
  if (env.DATABASE_URL) return external(stateDir)
  const folder = openStateFolder(stateDir ?? env.PROKURA_STATE_DIR ?? '.prokura', { create: false })
  const shared = folder.read<Record<string, string>>(stateFiles.environment)
  const isEmbedded = isThere(folder.file('postgres/data')) && isOwnServer(shared?.DATABASE_URL)
  if (!isEmbedded) return external(folder.path)
  const postgres = await embeddedIn(folder)
  return {
    url: postgres.url,
    setting: stateFolderSetting,
    config: readConfig({ ...shared, ...env, PROKURA_STATE_DIR: folder.path }),
    folder,
    close: () => postgres.stop(),
  }
}

/** The database to fill: DATABASE_URL, otherwise a server in the state folder, which no service may be using. */
export async function openNewDatabase(stateDir: string | undefined): Promise<OperatedDatabase> {
  const env = processEnvironment()
  if (env.DATABASE_URL) {
    const config = readConfig({ ...env, ...(stateDir ? { PROKURA_STATE_DIR: stateDir } : {}) })
    return { ...ownedDatabase(config), config, folder: null, close: async () => undefined }
  }
  const folder = openStateFolder(stateDir ?? env.PROKURA_STATE_DIR ?? '.prokura', { create: true })
  const release = await claimFolder(folder)
  try {
    const postgres = await embeddedIn(folder)
    return {
      url: postgres.url,
      setting: stateFolderSetting,
      config: readConfig({ ...env, PROKURA_STATE_DIR: folder.path }),
      folder,
      async close() {
        await postgres.stop()
        await release()
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

function external(stateDir: string | undefined): OperatedDatabase {
  const config = roleConfig(stateDir)
  return { ...ownedDatabase(config), config, folder: null, close: async () => undefined }
}

/** As `up` starts it: the first of them decides the settings for both. */
function embeddedIn(folder: StateFolder) {
  return startOwnPostgres(folder.path)
}

/** The address of a server in a state folder names a folder of sockets. */
function isOwnServer(url: string | undefined): boolean {
  return url === undefined || new URL(url).searchParams.has('host')
}
