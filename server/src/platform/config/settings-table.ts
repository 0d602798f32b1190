import { limitsTable } from '../../contract/limits.ts'
import { cardsSettings } from './cards-settings.ts'
import { chatSettings } from './chat-settings.ts'
import { elementsSettings } from './elements-settings.ts'
import { issuingSettings } from './issuing-settings.ts'
import { linkSettings } from './link-settings.ts'
import { pageReaderSettings } from './page-reader-settings.ts'
import { retentionSettings } from './retention-settings.ts'
import { vaultSettings } from './vault-settings.ts'
import { webhookSettings } from './webhook-settings.ts'

/** How a setting's text becomes its value. */
type SettingKind =
  | { readonly type: 'text' }
  | { readonly type: 'integer'; readonly min: number; readonly max: number }
  | { readonly type: 'choice'; readonly choices: readonly string[] }
  /** `isBase`: paths are added to it, and others see it. */
  | { readonly type: 'url'; readonly protocols: readonly string[]; readonly isBase: boolean }
  | { readonly type: 'list' }

export type SettingSpec = {
  readonly kind: SettingKind
  /** The text that a person would write; null: not set. */
  readonly default: string | null
  readonly description: string
  /** Its value is never shown. */
  readonly secret?: boolean
}

const onOff: SettingKind = { type: 'choice', choices: ['on', 'off'] }
const web: SettingKind = { type: 'url', protocols: ['http:', 'https:'], isBase: true }
const postgres: SettingKind = { type: 'url', protocols: ['postgres:', 'postgresql:'], isBase: false }
const port: SettingKind = { type: 'integer', min: 0, max: 65_535 }

const ownSettings = {
  DATABASE_URL: {
    kind: postgres,
    default: null,
    secret: true,
    description:
      'The PostgreSQL database (15 or newer). Without it, the command starts an embedded one in the state folder.',
  },
  DATABASE_DIRECT_URL: {
    kind: postgres,
    default: null,
    secret: true,
    description: 'The same database past any pooler, for LISTEN and migrations. Without it, DATABASE_URL.',
  },
  DATABASE_OWNER_URL: {
    kind: postgres,
    default: null,
    secret: true,
    description:
      'The same database as the owner of its tables, past any pooler: for migrate, maintain, backup and restore. API and worker do not ' +
      'need it, and should not have it. Without it, DATABASE_DIRECT_URL.',
  },
  DATABASE_VAULT_URL: {
    kind: postgres,
    default: null,
    secret: true,
    description:
      'The same database as the role of the vault, past any pooler or by way of one: for `prokura vault serve`, and for migrate, which ' +
      'gives this role its rights. No other process needs it. Without it, there is no vault.',
  },
  PORT: { kind: port, default: '3000', description: 'The port of the API; 0 takes a free one.' },
  HOST: {
    kind: { type: 'text' },
    default: '127.0.0.1',
    description: 'The address that the API, and the vault for browsers, listen on.',
  },
  PROKURA_STATE_DIR: {
    kind: { type: 'text' },
    default: '.prokura',
    description: 'The folder of the embedded database, its keys and logs.',
  },
  PROKURA_PUBLIC_URL: {
    kind: web,
    default: null,
    description:
      'Where the API is reached from outside: in links, response URLs and the OpenAPI document. Never taken from a request. ' +
      'Without it, http://HOST:PORT.',
  },
  PROKURA_RAIL_URL: {
    kind: web,
    default: null,
    description:
      "Test mode's payment processor: the sandbox's processor URL. Workers pay there, and the API asks the banks of test cards there.",
  },
  PROKURA_SANDBOX_URL: {
    kind: web,
    default: null,
    description: "Test mode's shops: the sandbox's shops URL.",
  },
  PROKURA_SANDBOX_MERCHANT_URL: {
    kind: web,
    default: null,
    description:
      'The backend of the sandbox merchants. Test mode sends it webhooks, although its port is one of ours. `prokura up` sets it.',
  },
  PROKURA_SANDBOX_CATALOG_URL: {
    kind: web,
    default: null,
    description: "Test mode's global catalog: the sandbox's catalog URL. `prokura up` sets it.",
  },
  PROKURA_SANDBOX_STRIPE_URL: {
    kind: web,
    default: null,
    description:
      "Test mode's payments by shared payment tokens: the sandbox's simulator of Stripe. `prokura up` sets it.",
  },
  PROKURA_SANDBOX_NAMES_FILE: {
    kind: { type: 'text' },
    default: null,
    description:
      "A file with the names of the sandbox's shops, which test mode alone reaches, and with the certificate of their authority. `prokura up` writes it.",
  },
  PROKURA_STRIPE_URL: {
    kind: web,
    default: 'https://api.stripe.com',
    description:
      "The base of Stripe's API, for live mode. An address of this machine is a simulator, with which live mode is rehearsed.",
  },
  PROKURA_STRIPE_SECRET_KEY: {
    kind: { type: 'text' },
    default: null,
    secret: true,
    description:
      "The secret key of the operator's account at Stripe, for live mode; a restricted key is enough. Without it, live mode moves no money.",
  },
  PROKURA_STRIPE_PUBLISHABLE_KEY: {
    kind: { type: 'text' },
    default: null,
    description: 'The publishable key of that account, by which people enter cards at Stripe in live mode.',
  },
  PROKURA_STRIPE_NETWORK_ID: {
    kind: { type: 'text' },
    default: null,
    description:
      'The Stripe profile of that account, for which platforms have tokens issued. Without it, live mode takes no shared payment tokens.',
  },
  ...webhookSettings,
  ...issuingSettings,
  ...linkSettings,
  PROKURA_GLOBAL_CATALOG_URL: {
    kind: web,
    default: null,
    description:
      'A UCP catalog of many merchants, which searches of live mode ask as well: the endpoint of its REST or MCP service.',
  },
  PROKURA_GLOBAL_CATALOG_TRANSPORT: {
    kind: { type: 'choice', choices: ['rest', 'mcp'] },
    default: 'rest',
    description: 'How PROKURA_GLOBAL_CATALOG_URL is asked.',
  },
  PROKURA_GLOBAL_CATALOG_TOKEN: {
    kind: { type: 'text' },
    default: null,
    secret: true,
    description: 'The bearer token for PROKURA_GLOBAL_CATALOG_URL, where it wants one.',
  },
  PROKURA_CATALOG_SOURCES_MAX: {
    kind: { type: 'integer', min: 0, max: 20 },
    default: '20',
    description:
      'How many catalogs of merchants elsewhere one search asks, at most; 0: none, unless it names one.',
  },
  PROKURA_OWN_PORTS: {
    kind: { type: 'list' },
    default: null,
    description:
      'Ports of this machine, separated by commas, that no URL of a tenant reaches, like the ports of the other settings. `prokura up` sets it.',
  },
  PROKURA_LIVE_RAIL: {
    kind: { type: 'choice', choices: ['none', 'stripe'] },
    default: 'none',
    description:
      'The payment rail of live mode. stripe: real cards are charged at Stripe; docs/live.md says how it is switched on. With none, purchases of live mode are recorded, and nobody can approve them.',
  },
  PROKURA_LIVE_CAP_DAILY: {
    kind: { type: 'text' },
    default: null,
    description:
      'The most that purchases of all accounts may cost in live mode in one day (UTC): an amount for each currency, separated by commas, such as "500.00 USD, 400.00 EUR". A currency that it does not name is not bought in. PROKURA_LIVE_RAIL=stripe needs it.',
  },
  PROKURA_RUN_PURCHASES: {
    kind: onOff,
    default: 'on',
    description:
      'Whether a worker runs purchases, for which it needs a rail; off leaves them to other workers.',
  },
  PROKURA_ALLOW_LOOPBACK: {
    kind: { type: 'choice', choices: ['off', 'test'] },
    default: 'off',
    description:
      'test: in test mode, URLs of tenants may point to this machine, also with plain http. In live mode they never may.',
  },
  PROKURA_TEST_DOMAINS: {
    kind: { type: 'choice', choices: ['off', 'shared'] },
    default: 'off',
    description:
      'shared: in test mode a domain under .example, .test or .localhost counts as verified for the account that claims it first. ' +
      '`prokura up` sets it.',
  },
  PROKURA_KEYS_FILE: {
    kind: { type: 'text' },
    default: null,
    description:
      'The file with the encryption keys. Without it and without PROKURA_KEYS, vault.keys in the state folder.',
  },
  PROKURA_KEYS: {
    kind: { type: 'text' },
    default: null,
    secret: true,
    description: 'The encryption keys themselves: id:base64 pairs separated by commas, oldest first.',
  },
  ...vaultSettings,
  ...elementsSettings,
  ...cardsSettings,
  PROKURA_BROWSER: {
    kind: onOff,
    default: 'on',
    description:
      'Whether purchases may go by way of pages in a browser where a shop has nothing else, and whether `prokura up` starts the browser process.',
  },
  PROKURA_BROWSER_DOORS: {
    kind: { type: 'text' },
    default: null,
    description:
      'The folder of the socket of the browser process. `prokura up` sets it. Without it, the browser process makes the folder browser in the ' +
      'state folder, and workers ask no browser.',
  },
  PROKURA_BROWSER_CONTEXTS: {
    kind: { type: 'integer', min: 1, max: 32 },
    default: '3',
    description:
      'How many carts one browser process works on at once. Each takes about 150 MB. No account takes the last place while it has another.',
  },
  PROKURA_BROWSER_PARKED: {
    kind: { type: 'integer', min: 0, max: 64 },
    default: '8',
    description:
      'How many pages one browser process keeps open, for ten minutes each, while a person passes on a code that a shop has sent. They are besides the carts that it works on.',
  },
  PROKURA_BROWSER_UNSANDBOXED: {
    kind: { type: 'choice', choices: ['off', 'test'] },
    default: 'off',
    description:
      'test: in test mode the browser runs also where Chromium has no sandbox of its own. In live mode it never does. `prokura up` sets it.',
  },
  PROKURA_PAYMENT_HOSTS: {
    kind: { type: 'text' },
    default: null,
    description:
      'A JSON file with hosts of payment companies and banks, beside those that the program knows: a list of objects with host and roles. ' +
      'The browser process reads it when it starts.',
  },
  CHROMIUM_PATH: {
    kind: { type: 'text' },
    default: null,
    description:
      'The Chromium that the browser process runs. Without it, the one that comes along, which is for Linux on x64.',
  },
  ...pageReaderSettings,
  ...chatSettings,
  PROKURA_AUDIT_HEADS_SECONDS: {
    kind: { type: 'integer', min: 1, max: 86_400 },
    default: '300',
    description:
      'How often the ends of the audit chains are exported, in seconds: into the log, and the file.',
  },
  PROKURA_AUDIT_HEADS_FILE: {
    kind: { type: 'text' },
    default: null,
    description:
      'The file that the ends of the audit chains are appended to, out of reach of the database. Without it, the log alone; ' +
      '`prokura up` sets one in the state folder.',
  },
  PROKURA_TRUSTED_PROXIES: {
    kind: { type: 'list' },
    default: null,
    description: 'Addresses or networks, separated by commas, whose X-Forwarded-For is believed.',
  },
  PROKURA_UCP_HOST: {
    kind: { type: 'text' },
    default: null,
    description:
      'A host name whose subdomains lead here: over UCP each live merchant then also has SLUG.HOST. Without it, merchants have paths alone.',
  },
  PROKURA_ANONYMOUS_DISCOVERY: {
    kind: onOff,
    default: 'on',
    description: 'Whether published live data is readable without a key.',
  },
  PROKURA_METRICS_PORT: {
    kind: port,
    default: null,
    description: 'The port of /metrics; without it, there are no metrics. 0 takes a free port.',
  },
  PROKURA_METRICS_HOST: {
    kind: { type: 'text' },
    default: '127.0.0.1',
    description: 'The address /metrics is served on.',
  },
  PROKURA_LOG_LEVEL: {
    kind: { type: 'choice', choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] },
    default: 'info',
    description: 'The least serious log lines that are written.',
  },
  PROKURA_WRITERS: {
    kind: { type: 'integer', min: 2, max: 100 },
    default: '14',
    description: 'Connections for transactions, per process.',
  },
  PROKURA_BATCH: {
    kind: { type: 'integer', min: 1, max: 64 },
    default: '16',
    description: 'How many steps of purchases share one transaction, at most; 1: each has its own.',
  },
  PROKURA_BATCH_AFTER: {
    kind: { type: 'integer', min: 0, max: 100 },
    default: '2',
    description:
      'How many transactions of purchases a worker runs at once before the next ones wait to share one.',
  },
  PROKURA_READERS: {
    kind: { type: 'integer', min: 1, max: 20 },
    default: '3',
    description: 'Connections that single reads share, per process.',
  },
  PROKURA_LONG_READERS: {
    kind: { type: 'integer', min: 2, max: 100 },
    default: '8',
    description:
      'Connections for lists, searches and calculations, which each hold one while they run, per API process.',
  },
  PROKURA_BULK_READERS: {
    kind: { type: 'integer', min: 2, max: 100 },
    default: '3',
    description: 'The same for exports and for pages of lists beyond an offset of 10,000.',
  },
  PROKURA_IMPORT_BYTES_MAX: {
    kind: { type: 'integer', min: 65_536, max: 1_073_741_824 },
    default: '67108864',
    description: 'The largest file that an import takes, in bytes. Larger ones are refused with 413.',
  },
  ...retentionSettings,
  PROKURA_API_KEY: {
    kind: { type: 'text' },
    default: null,
    secret: true,
    description: 'The secret key that `prokura catalog` calls the API with. Servers ignore it.',
  },
  PROKURA_FAULTS: {
    kind: onOff,
    default: 'off',
    description: 'Enables crash and pause points, for tests. Nothing starts with it and a live rail.',
  },
  PROKURA_CRASH_AT: {
    kind: { type: 'text' },
    default: null,
    description:
      'With PROKURA_FAULTS=on: die at this crash point; NAME:n means when it is reached for the n-th time.',
  },
  PROKURA_CRASH_FILE: {
    kind: { type: 'text' },
    default: null,
    description:
      'With PROKURA_FAULTS=on: die at each crash point that a line of this file names, if the process was started before the file was written, or if the line names its process id after the point.',
  },
  PROKURA_PAUSE_AT: {
    kind: { type: 'text' },
    default: null,
    description: 'With PROKURA_FAULTS=on: wait at this point until PROKURA_PAUSE_FILE exists.',
  },
  PROKURA_PAUSE_FILE: { kind: { type: 'text' }, default: null, description: 'The file that ends a pause.' },
  PROKURA_TEST_CLOCK: {
    kind: onOff,
    default: 'off',
    description: 'The clock of the database can be moved forward. For test databases only.',
  },
} as const satisfies Record<string, SettingSpec>

type LimitSetting = (typeof limitsTable)[keyof typeof limitsTable]['setting']
export type SettingName = keyof typeof ownSettings | LimitSetting

/** Every setting. The reference in the documentation and `prokura config` are made from this table. */
export const settingsTable: Record<SettingName, SettingSpec> = { ...ownSettings, ...limitSettings() }

function limitSettings(): Record<LimitSetting, SettingSpec> {
  const specs = Object.values(limitsTable).map(({ setting, default: usual, max, description }) => {
    const kind = { type: 'integer', min: 1, max } as const
    return [setting, { kind, default: String(usual), description }] as const
  })
  return Object.fromEntries(specs) as Record<LimitSetting, SettingSpec> // one of each limit
}
