import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }

/** Every command there is, in the order of the help. */
const commands = {
  up: async () => (await import('./up.ts')).addUpCommand,
  demo: async () => (await import('./demo.ts')).addDemoCommand,
  api: async () => (await import('./api.ts')).addApiCommand,
  worker: async () => (await import('./worker.ts')).addWorkerCommand,
  sandbox: async () => (await import('./sandbox.ts')).addSandboxCommand,
  migrate: async () => (await import('./migrate.ts')).addMigrateCommand,
  maintain: async () => (await import('./maintain.ts')).addMaintainCommand,
  backup: async () => (await import('./backup.ts')).addBackupCommand,
  restore: async () => (await import('./restore.ts')).addRestoreCommand,
  accounts: async () => (await import('./accounts.ts')).addAccountsCommand,
  keys: async () => (await import('./keys.ts')).addKeysCommand,
  merchants: async () => (await import('./merchants.ts')).addMerchantsCommand,
  catalog: async () => (await import('./catalog.ts')).addCatalogCommand,
  vault: async () => (await import('./vault.ts')).addVaultCommand,
  events: async () => (await import('./events.ts')).addEventsCommand,
  status: async () => (await import('./status.ts')).addStatusCommand,
  audit: async () => (await import('./audit.ts')).addAuditCommand,
  repair: async () => (await import('./repair.ts')).addRepairCommand,
  config: async () => (await import('./config.ts')).addConfigCommand,
  'crash-points': async () => (await import('./crash-points.ts')).addCrashPointsCommand,
  clock: async () => (await import('./clock.ts')).addClockCommand,
  'mcp-fixtures': async () => (await import('./mcp-fixtures.ts')).addMcpFixturesCommand,
  reset: async () => (await import('./reset.ts')).addResetCommand,
  openapi: async () => (await import('./openapi-command.ts')).addOpenApiCommand,
} satisfies Record<string, () => Promise<(program: Command) => void>>

const versionFlag = '--version'

/** The program with the command that is asked for, or with all: loading the whole product takes a second that most need not wait. */
export async function createProgram(asked?: string): Promise<Command> {
  const program = new Command('prokura')
    .description(
      'Prokura lets agents buy things for people, within limits that these people set and with a record of every step.',
    )
    .version(manifest.version, versionFlag, 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'Show the help of a command.')
    .showHelpAfterError('Add --help to see the arguments and options.')
  const isForAll = asked === undefined || !(asked === versionFlag || Object.hasOwn(commands, asked))
  for (const [name, load] of Object.entries(commands)) {
    if (name === asked || isForAll) (await load())(program)
  }
  return program
}
