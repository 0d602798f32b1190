import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }

type Entry = { readonly description: string; define(): Promise<(command: Command) => void> }

/** Every command, in the order of the help. What it takes and does is loaded when it is asked for: all of it takes a second. */
const commands = {
  up: {
    description: 'Start the whole service: database, API, worker and sandbox. Ctrl-C stops all of it.',
    define: async () => (await import('./commands/up.ts')).defineUp,
  },
  demo: {
    description: 'Buy one item over REST and one over MCP, on a temporary database, and show every step.',
    define: async () => (await import('./commands/demo.ts')).defineDemo,
  },
  buy: {
    description:
      'Buy one thing with the service that runs in this folder, and show every step. The exit code is 0 only if it was bought.',
    define: async () => (await import('./commands/buy.ts')).defineBuy,
  },
  purchases: {
    description: 'Show purchases, follow, answer, approve, decline, cancel and retry them.',
    define: async () => (await import('./commands/purchases.ts')).definePurchases,
  },
  profiles: {
    description: 'Add the people that are bought for, with their addresses, and show them.',
    define: async () => (await import('./commands/profiles.ts')).defineProfiles,
  },
  shop: {
    description: 'Say whether a shop can be bought from, and what each of its forms would get.',
    define: async () => (await import('./commands/shop.ts')).defineShop,
  },
  orders: {
    description: 'Show orders, cancel and return your own, and refund those that your merchant has received.',
    define: async () => (await import('./commands/orders.ts')).defineOrders,
  },
  cards: {
    description: 'Keep the cards of a profile: list, add, verify and remove them.',
    define: async () => (await import('./commands/cards.ts')).defineCards,
  },
  chat: {
    description:
      'Talk to an agent that shops with the service that runs in this folder. It approves nothing: for that it shows a link.',
    define: async () => (await import('./commands/chat.ts')).defineChat,
  },
  api: {
    description: 'Run an API process. Any number of them can share one database.',
    define: async () => (await import('./commands/api.ts')).defineApi,
  },
  worker: {
    description:
      'Run a worker process: it relays events and does due work. Any number of them can share one database.',
    define: async () => (await import('./commands/worker.ts')).defineWorker,
  },
  browser: {
    description:
      'Run the browser process: it buys at shops that have nothing but pages, in a Chromium of its own. `prokura up` runs it too.',
    define: async () => (await import('./commands/browser.ts')).defineBrowser,
  },
  sandbox: {
    description:
      'Run the outside world of test mode: payment processor, merchant backend and shops. It takes the options of prokura-sandbox.',
    define: async () => (await import('./commands/sandbox.ts')).defineSandbox,
  },
  migrate: {
    description:
      'Migrate the database schema to the version of this program. It is safe to run at any time, and several times at once.',
    define: async () => (await import('./commands/migrate.ts')).defineMigrate,
  },
  maintain: {
    description:
      'Remove data that is no longer needed, as the owner of the tables. It is safe to run at any time, such as from a timer. `prokura up` runs it every hour.',
    define: async () => (await import('./commands/maintain.ts')).defineMaintain,
  },
  backup: {
    description:
      'Copy every table, as of one moment, into a new folder. The service may run meanwhile. The encryption keys are not in the backup.',
    define: async () => (await import('./commands/backup.ts')).defineBackup,
  },
  restore: {
    description:
      'Restore a backup into an empty database: a new state folder, or DATABASE_URL. It restores all of the backup, or nothing.',
    define: async () => (await import('./commands/restore.ts')).defineRestore,
  },
  accounts: {
    description: 'Manage the accounts of this installation.',
    define: async () => (await import('./commands/accounts.ts')).defineAccounts,
  },
  keys: {
    description: 'Manage the API keys of an account, and the agents that they belong to.',
    define: async () => (await import('./commands/keys.ts')).defineKeys,
  },
  people: {
    description: 'Manage the people of an account: invite them, let them in, say what they may do.',
    define: async () => (await import('./commands/people.ts')).definePeople,
  },
  merchants: {
    description: 'List merchants, and confirm or release what they claim.',
    define: async () => (await import('./commands/merchants.ts')).defineMerchants,
  },
  registry: {
    description: 'Add sites to the registry of merchants, look at them, and remove them.',
    define: async () => (await import('./commands/registry.ts')).defineRegistry,
  },
  rail: {
    description:
      'Check the account that live mode charges with, compare a day with its books, and let a purchase pass the limit of a day.',
    define: async () => (await import('./commands/rail.ts')).defineRail,
  },
  'lint-profile': {
    description:
      'Check a UCP profile, an MPP manifest or the OpenAPI document of a paid API, and say how to mend it.',
    define: async () => (await import('./commands/lint-profile.ts')).defineLintProfile,
  },
  catalog: {
    description: 'Import or export the catalog of a merchant, over the API.',
    define: async () => (await import('./commands/catalog.ts')).defineCatalog,
  },
  vault: {
    description: 'Run the vault, and manage the encryption keys of this installation.',
    define: async () => (await import('./commands/vault.ts')).defineVault,
  },
  'signing-keys': {
    description: 'Manage the keys by which the service signs what it sends over UCP.',
    define: async () => (await import('./commands/signing-keys.ts')).defineSigningKeys,
  },
  events: {
    description: 'Show and retry the events that a follower has failed at.',
    define: async () => (await import('./commands/events.ts')).defineEvents,
  },
  status: {
    description:
      'Show how the service is doing: the work in progress, what is overdue, unserved or failing, how far behind the relay is, and which events are parked. The exit code is 0 if the status could be read.',
    define: async () => (await import('./commands/status.ts')).defineStatus,
  },
  audit: {
    description:
      'Check every invariant in the database. Where a payment rail is set, also compare what it holds, and what live mode moved yesterday, with it. ' +
      'The exit code is 1 if an invariant is violated or the rail does not answer.',
    define: async () => (await import('./commands/audit.ts')).defineAudit,
  },
  config: {
    description: 'Check the settings of this installation.',
    define: async () => (await import('./commands/config.ts')).defineConfig,
  },
  'crash-points': {
    description:
      'List the points at which PROKURA_CRASH_AT and PROKURA_PAUSE_AT can stop a process (with PROKURA_FAULTS=on).',
    define: async () => (await import('./commands/crash-points.ts')).defineCrashPoints,
  },
  clock: {
    description: 'Move the clock of a test database (`prokura up --test-clock`).',
    define: async () => (await import('./commands/clock.ts')).defineClock,
  },
  reset: {
    description:
      'Remove everything that a stopped `prokura up` has stored: database, keys, logs. The next start begins from nothing.',
    define: async () => (await import('./commands/reset.ts')).defineReset,
  },
  openapi: {
    description: 'Generate server/openapi.json, docs/errors.md and docs/events.md.',
    define: async () => (await import('./commands/openapi-command.ts')).defineOpenApi,
  },
} satisfies Record<string, Entry>

/** Which commands the arguments of a process ask for: it loads no modules of the others. */
export function askedBy([first, second]: readonly string[]): (name: string) => boolean {
  const asked = first === 'help' ? second : first
  return (name) => name === asked
}

/** The program with its commands; those that nobody needs have a description and nothing else. */
export async function createProgram(isNeeded: (name: string) => boolean = () => true): Promise<Command> {
  const program = new Command('prokura')
    .description(
      'Prokura lets agents buy things for people, within limits that these people set and with a record of every step.',
    )
    .version(manifest.version, '--version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'Show the help of a command.')
    .showHelpAfterError('Add --help to see the arguments and options.')
  for (const [name, { description, define }] of Object.entries(commands)) {
    const command = program.command(name).description(description)
    if (isNeeded(name)) (await define())(command)
  }
  return program
}
