import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }

/** Every command, in the order of the help. */
const commands = {
  up: async () => (await import('./commands/up.ts')).addUpCommand,
  demo: async () => (await import('./commands/demo.ts')).addDemoCommand,
  buy: async () => (await import('./commands/buy.ts')).addBuyCommand,
  api: async () => (await import('./commands/api.ts')).addApiCommand,
  worker: async () => (await import('./commands/worker.ts')).addWorkerCommand,
  browser: async () => (await import('./commands/browser.ts')).addBrowserCommand,
  sandbox: async () => (await import('./commands/sandbox.ts')).addSandboxCommand,
  migrate: async () => (await import('./commands/migrate.ts')).addMigrateCommand,
  maintain: async () => (await import('./commands/maintain.ts')).addMaintainCommand,
  backup: async () => (await import('./commands/backup.ts')).addBackupCommand,
  restore: async () => (await import('./commands/restore.ts')).addRestoreCommand,
  accounts: async () => (await import('./commands/accounts.ts')).addAccountsCommand,
  keys: async () => (await import('./commands/keys.ts')).addKeysCommand,
  merchants: async () => (await import('./commands/merchants.ts')).addMerchantsCommand,
  registry: async () => (await import('./commands/registry.ts')).addRegistryCommand,
  'ucp-conformance': async () => (await import('./commands/ucp-conformance.ts')).addUcpConformanceCommand,
  'lint-profile': async () => (await import('./commands/lint-profile.ts')).addLintProfileCommand,
  catalog: async () => (await import('./commands/catalog.ts')).addCatalogCommand,
  vault: async () => (await import('./commands/vault.ts')).addVaultCommand,
  'signing-keys': async () => (await import('./commands/signing-keys.ts')).addSigningKeysCommand,
  events: async () => (await import('./commands/events.ts')).addEventsCommand,
  status: async () => (await import('./commands/status.ts')).addStatusCommand,
  audit: async () => (await import('./commands/audit.ts')).addAuditCommand,
  repair: async () => (await import('./commands/repair.ts')).addRepairCommand,
  config: async () => (await import('./commands/config.ts')).addConfigCommand,
  'crash-points': async () => (await import('./commands/crash-points.ts')).addCrashPointsCommand,
  clock: async () => (await import('./commands/clock.ts')).addClockCommand,
  reset: async () => (await import('./commands/reset.ts')).addResetCommand,
  openapi: async () => (await import('./commands/openapi-command.ts')).addOpenApiCommand,
} satisfies Record<string, () => Promise<(program: Command) => void>>

const versionFlag = '--version'

/** The program with the requested command, or with all: loading the whole product takes a second that most commands need not wait. */
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
