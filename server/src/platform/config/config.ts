import { isIP } from 'node:net'
import { type Limits, limitsTable, mapLimits } from '../../contract/limits.ts'
import { crashPoints } from '../faults/faults.ts'
import type { LogLevel } from '../logs/logs.ts'
import { defaultRetention, type Retention } from '../retention/retention.ts'
import { Secret } from '../secrets/secret.ts'
import { cardsFaults } from './cards-settings.ts'
import { type ChatModelConfig, chatFaults, chatModelOf } from './chat-settings.ts'
import { elementsOf, relyingPartyFaults } from './elements-settings.ts'
import { isRehearsal } from './is-rehearsal.ts'
import { type LinkAccount, linkFaults, linkOf } from './link-settings.ts'
import { liveCapFaults, liveCapOf } from './live-cap.ts'
import { type PageReaderConfig, pageReaderFaults, pageReaderOf } from './page-reader-settings.ts'
import { parseSetting, suggestName, withoutPassword } from './parse-setting.ts'
import { type SettingName, type SettingSpec, settingsTable } from './settings-table.ts'
import {
  authorizationSecretsOf,
  cardReadersOf,
  type StripeAccount,
  stripeFaults,
  stripeOf,
  stripeWebhookOf,
  tokenIssuersOf,
} from './stripe-settings.ts'

export type Config = {
  /** Null: the embedded database. */
  readonly databaseUrl: Secret | null
  readonly databaseDirectUrl: Secret | null
  /** Null: only the role of API and worker is given. */
  readonly databaseOwnerUrl: Secret | null
  /** Null: there is no vault. */
  readonly databaseVaultUrl: Secret | null
  readonly port: number
  readonly host: string
  readonly stateDir: string
  /** Null: made from the host and the port in use. */
  readonly publicUrl: string | null
  readonly railUrl: string | null
  readonly sandboxUrl: string | null
  readonly sandboxMerchantUrl: string | null
  readonly sandboxCatalogUrl: string | null
  readonly sandboxNamesFile: string | null
  /** By mode, the account at Stripe that shared payment tokens pay. A mode without one takes none. */
  readonly stripe: Readonly<Partial<Record<'test' | 'live', StripeAccount>>>
  /** By mode, who issues the shared payment tokens that purchases pay by. In a mode without one, none does. */
  readonly tokenIssuers: Readonly<Partial<Record<'test' | 'live', Pick<StripeAccount, 'url' | 'secretKey'>>>>
  /** By mode, what proves that Stripe asks about charges of issued cards. A mode without one is not asked. */
  readonly authorizationSecrets: Readonly<Partial<Record<'test' | 'live', Secret>>>
  /** Of live mode; null: Stripe tells nothing here. */
  readonly stripeWebhook: { readonly account: string; readonly secret: Secret } | null
  readonly globalCatalog: {
    readonly url: string
    readonly transport: 'rest' | 'mcp'
    readonly token: Secret | null
  } | null
  readonly catalogSourcesMax: number
  readonly ownPorts: readonly number[]
  readonly liveRail: 'none' | 'stripe'
  /** Where wallets pay in live mode; null: none does. */
  readonly linkAccount: LinkAccount | null
  /** Where the vault reads the numbers of their cards, as whoever asks it to. */
  readonly linkUrl: string | null
  /** By currency, the most that live mode spends in a day, in minor units. */
  readonly liveCapDaily: ReadonlyMap<string, bigint>
  readonly runsPurchases: boolean
  readonly allowLoopback: boolean
  readonly sharesTestDomains: boolean
  readonly keysFile: string | null
  readonly keys: Secret | null
  /** By mode, the key by which the vault, and nobody else, reads the numbers of cards at Stripe. */
  readonly cardReaders: Readonly<Partial<Record<'test' | 'live', Pick<StripeAccount, 'url' | 'secretKey'>>>>
  readonly vaultKeysFile: string | null
  readonly vaultKeys: Secret | null
  readonly vaultDoors: string | null
  /** Null: the vault takes no cards from browsers. */
  readonly vaultPort: number | null
  /** Where browsers reach it. */
  readonly vaultUrl: string | null
  /** The origin of the frames of components. */
  readonly elementsUrl: string | null
  /** The origin of the page on which the payment processor takes cards. */
  readonly cardsUrl: string | null
  /** Whose passkeys theirs are; null: of the host of that origin. */
  readonly rpId: string | null
  readonly browser: {
    readonly isOn: boolean
    readonly doors: string | null
    readonly contextsMax: number
    readonly parkedMax: number
    readonly mayRunUnsandboxed: boolean
    /** Null: those that come along, and no more. */
    readonly paymentHostsFile: string | null
    /** Null: the Chromium that comes along. */
    readonly chromiumPath: string | null
  }
  /** Null: no model is asked about pages. */
  readonly pageReader: PageReaderConfig | null
  /** Null: chats ask no model. */
  readonly chatModel: ChatModelConfig | null
  readonly auditHeads: { readonly everySeconds: number; readonly file: string | null }
  readonly trustedProxies: readonly string[]
  readonly ucpHost: string | null
  readonly anonymousDiscovery: boolean
  readonly metricsPort: number | null
  readonly metricsHost: string
  readonly logLevel: LogLevel
  readonly writers: number
  readonly grouped: { readonly membersMax: number; readonly runningMax: number }
  readonly readers: number
  readonly longReaders: number
  readonly bulkReaders: number
  readonly importBytesMax: number
  readonly limits: Limits
  readonly retention: Retention
  readonly faults: {
    readonly enabled: boolean
    readonly crashAt: string | null
    readonly crashFile: string | null
    readonly pauseAt: string | null
    readonly pauseFile: string | null
  }
  readonly testClock: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/** One message with every fault and the value to set instead. It never contains a secret's value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    const what =
      faults.length === 1 ? 'The configuration has an error' : `The configuration has ${faults.length} errors`
    super(
      `${what}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}\n"prokura config" shows every setting.`,
    )
    this.faults = faults
  }
}

/** The environment of this process; no other code reads it. */
export function processEnvironment(): Environment {
  return process.env
}

/** Reads and checks every setting at once. Throws `ConfigError`. */
export function readConfig(env: Environment): Config {
  const faults = unknownNames(env)
  const values = new Map<SettingName, string | number | string[] | null>()
  for (const [name, spec] of entries()) {
    const parsed = parseSetting(name, spec, env[name])
    if (parsed.ok) values.set(name, parsed.value)
    else faults.push(parsed.refusal)
  }
  if (faults.length > 0) throw new ConfigError(faults)
  const config = configOf(values)
  const contradictions = [
    ...crossCheck(config),
    ...stripeFaults(values),
    ...linkFaults(values),
    ...liveCapFaults(values),
    ...pageReaderFaults(values),
    ...chatFaults(values),
    ...relyingPartyFaults(values),
    ...cardsFaults(values),
  ]
  if (contradictions.length > 0) throw new ConfigError(contradictions)
  return config
}

type DescribedSetting = {
  name: SettingName
  /** The value that applies; a secret shows only that it is set. */
  value: string | null
  /** `state folder`: what `prokura up` has written there about the running service. */
  source: 'environment' | 'state folder' | 'default'
  default: string | null
  description: string
}

/**
 * Every setting with the value that applies in this environment, for `prokura config`, completed by what a running service has written
 * down. It reads even a faulty environment.
 */
export function describeConfig(env: Environment, shared: Environment = {}): DescribedSetting[] {
  return entries().map(([name, spec]) => {
    const here = env[name] || null
    const given = here ?? (shared[name] || null)
    const value = given ?? spec.default
    return {
      name,
      value: value === null ? null : spec.secret ? '[redacted]' : withoutPassword(value),
      source: given === null ? 'default' : here === null ? 'state folder' : 'environment',
      default: spec.default,
      description: spec.description,
    }
  })
}

function entries(): [SettingName, SettingSpec][] {
  return Object.entries(settingsTable) as [SettingName, SettingSpec][] // the keys of a constant
}

/** Names of our own are checked for typing errors; others belong to other programs. */
function unknownNames(env: Environment): string[] {
  const known = Object.keys(settingsTable)
  return Object.keys(env)
    .filter(
      (name) =>
        name.startsWith('PROKURA_') && !name.startsWith('PROKURA_TEST_DATABASE') && !known.includes(name),
    )
    .map((name) => {
      const meant = suggestName(name, known)
      return `${name} is not a setting${meant === null ? '' : `; did you mean ${meant}?`}`
    })
}

function configOf(values: ReadonlyMap<SettingName, string | number | string[] | null>): Config {
  const text = (name: SettingName) => {
    const value = values.get(name)
    return typeof value === 'string' ? value : null
  }
  const number = (name: SettingName) => {
    const value = values.get(name)
    return typeof value === 'number' ? value : null
  }
  const secret = (name: SettingName) => {
    const value = text(name)
    return value === null ? null : new Secret(value)
  }
  const list = (name: SettingName) => {
    const value = values.get(name)
    return Array.isArray(value) ? value : []
  }
  const globalCatalogUrl = text('PROKURA_GLOBAL_CATALOG_URL')
  return {
    databaseUrl: secret('DATABASE_URL'),
    databaseOwnerUrl: secret('DATABASE_OWNER_URL'),
    databaseVaultUrl: secret('DATABASE_VAULT_URL'),
    databaseDirectUrl: secret('DATABASE_DIRECT_URL') ?? secret('DATABASE_URL'),
    port: number('PORT') ?? 0,
    host: text('HOST') ?? '127.0.0.1',
    stateDir: text('PROKURA_STATE_DIR') ?? '.prokura',
    publicUrl: text('PROKURA_PUBLIC_URL'),
    railUrl: text('PROKURA_RAIL_URL'),
    sandboxUrl: text('PROKURA_SANDBOX_URL'),
    sandboxMerchantUrl: text('PROKURA_SANDBOX_MERCHANT_URL'),
    sandboxCatalogUrl: text('PROKURA_SANDBOX_CATALOG_URL'),
    sandboxNamesFile: text('PROKURA_SANDBOX_NAMES_FILE'),
    stripe: stripeOf(text),
    tokenIssuers: tokenIssuersOf(text),
    authorizationSecrets: authorizationSecretsOf(text),
    stripeWebhook: stripeWebhookOf(text),
    globalCatalog:
      globalCatalogUrl === null
        ? null
        : {
            url: globalCatalogUrl,
            transport: text('PROKURA_GLOBAL_CATALOG_TRANSPORT') === 'mcp' ? 'mcp' : 'rest',
            token: secret('PROKURA_GLOBAL_CATALOG_TOKEN'),
          },
    catalogSourcesMax: number('PROKURA_CATALOG_SOURCES_MAX') ?? 20,
    ownPorts: list('PROKURA_OWN_PORTS').map(Number),
    ...liveOf(text),
    runsPurchases: text('PROKURA_RUN_PURCHASES') === 'on',
    allowLoopback: text('PROKURA_ALLOW_LOOPBACK') === 'test',
    sharesTestDomains: text('PROKURA_TEST_DOMAINS') === 'shared',
    keysFile: text('PROKURA_KEYS_FILE'),
    keys: secret('PROKURA_KEYS'),
    cardReaders: cardReadersOf(text),
    vaultKeysFile: text('PROKURA_VAULT_KEYS_FILE'),
    vaultKeys: secret('PROKURA_VAULT_KEYS'),
    vaultDoors: text('PROKURA_VAULT_DOORS'),
    vaultPort: number('PROKURA_VAULT_PORT') || null,
    vaultUrl: text('PROKURA_VAULT_URL'),
    ...elementsOf(text),
    cardsUrl: text('PROKURA_CARDS_URL'),
    browser: browserOf(text, number),
    pageReader: pageReaderOf(text),
    chatModel: chatModelOf(text, number),
    auditHeads: {
      everySeconds: number('PROKURA_AUDIT_HEADS_SECONDS') ?? 300,
      file: text('PROKURA_AUDIT_HEADS_FILE'),
    },
    trustedProxies: list('PROKURA_TRUSTED_PROXIES'),
    ucpHost: text('PROKURA_UCP_HOST'),
    anonymousDiscovery: text('PROKURA_ANONYMOUS_DISCOVERY') === 'on',
    metricsPort: number('PROKURA_METRICS_PORT'),
    metricsHost: text('PROKURA_METRICS_HOST') ?? '127.0.0.1',
    logLevel: (text('PROKURA_LOG_LEVEL') ?? 'info') as LogLevel, // one of the table's choices, which are the levels
    writers: number('PROKURA_WRITERS') ?? 14,
    grouped: { membersMax: number('PROKURA_BATCH') ?? 16, runningMax: number('PROKURA_BATCH_AFTER') ?? 2 },
    readers: number('PROKURA_READERS') ?? 3,
    longReaders: number('PROKURA_LONG_READERS') ?? 8,
    bulkReaders: number('PROKURA_BULK_READERS') ?? 3,
    importBytesMax: number('PROKURA_IMPORT_BYTES_MAX') ?? 67_108_864,
    limits: mapLimits((name) => number(limitsTable[name].setting) ?? limitsTable[name].default),
    retention: retentionOf(number),
    faults: faultPointsOf(text),
    testClock: text('PROKURA_TEST_CLOCK') === 'on',
  }
}

function liveOf(
  text: (name: SettingName) => string | null,
): Pick<Config, 'liveRail' | 'linkAccount' | 'linkUrl' | 'liveCapDaily'> {
  return {
    liveRail: text('PROKURA_LIVE_RAIL') === 'stripe' ? 'stripe' : 'none',
    linkAccount: linkOf(text),
    linkUrl: text('PROKURA_LINK_URL'),
    liveCapDaily: liveCapOf(text('PROKURA_LIVE_CAP_DAILY') ?? ''),
  }
}

function retentionOf(number: (name: SettingName) => number | null): Config['retention'] {
  return {
    idempotencyDays: number('PROKURA_KEEP_IDEMPOTENCY_DAYS') ?? defaultRetention.idempotencyDays,
    deliveriesDays: number('PROKURA_KEEP_DELIVERIES_DAYS') ?? defaultRetention.deliveriesDays,
    finishedWorkDays: number('PROKURA_KEEP_FINISHED_WORK_DAYS') ?? defaultRetention.finishedWorkDays,
    attributionDays: number('PROKURA_KEEP_ATTRIBUTION_DAYS') ?? defaultRetention.attributionDays,
    resultDays: number('PROKURA_KEEP_RESULT_DAYS') ?? defaultRetention.resultDays,
    evidenceDays: number('PROKURA_KEEP_EVIDENCE_DAYS') ?? defaultRetention.evidenceDays,
    messageDays: number('PROKURA_KEEP_MESSAGE_DAYS') ?? defaultRetention.messageDays,
    chatDays: number('PROKURA_KEEP_CHAT_DAYS') ?? defaultRetention.chatDays,
  }
}

function faultPointsOf(text: (name: SettingName) => string | null): Config['faults'] {
  return {
    enabled: text('PROKURA_FAULTS') === 'on',
    crashAt: text('PROKURA_CRASH_AT'),
    crashFile: text('PROKURA_CRASH_FILE'),
    pauseAt: text('PROKURA_PAUSE_AT'),
    pauseFile: text('PROKURA_PAUSE_FILE'),
  }
}

function browserOf(
  text: (name: SettingName) => string | null,
  number: (name: SettingName) => number | null,
): Config['browser'] {
  return {
    isOn: text('PROKURA_BROWSER') === 'on',
    doors: text('PROKURA_BROWSER_DOORS'),
    contextsMax: number('PROKURA_BROWSER_CONTEXTS') ?? 3,
    parkedMax: number('PROKURA_BROWSER_PARKED') ?? 8,
    mayRunUnsandboxed: text('PROKURA_BROWSER_UNSANDBOXED') === 'test',
    paymentHostsFile: text('PROKURA_PAYMENT_HOSTS'),
    chromiumPath: text('CHROMIUM_PATH'),
  }
}

/** Settings that are each right, but wrong together. */
function crossCheck(config: Config): string[] {
  const faults: string[] = []
  const { enabled, crashAt, crashFile, pauseAt, pauseFile } = config.faults
  const movesMoney = config.stripe.live !== undefined && !isRehearsal(config.stripe.live.url)
  if (enabled && movesMoney) {
    faults.push('PROKURA_FAULTS=on does not work with live payments; unset PROKURA_STRIPE_SECRET_KEY')
  }
  if (!enabled && (crashAt !== null || crashFile !== null || pauseAt !== null)) {
    faults.push('PROKURA_CRASH_AT, PROKURA_CRASH_FILE and PROKURA_PAUSE_AT work only with PROKURA_FAULTS=on')
  }
  for (const [name, point] of [
    ['PROKURA_CRASH_AT', crashAt?.replace(/:\d+$/, '')],
    ['PROKURA_PAUSE_AT', pauseAt],
  ] as const) {
    if (point && !crashPoints.some((known) => known === point)) {
      faults.push(`${name} names "${point}", which is not a crash point. "prokura crash-points" lists them`)
    }
  }
  if (pauseAt !== null && pauseFile === null) faults.push('PROKURA_PAUSE_AT needs PROKURA_PAUSE_FILE')
  if (config.keysFile !== null && config.keys !== null) {
    faults.push('PROKURA_KEYS_FILE and PROKURA_KEYS are both set; set only one of them')
  }
  if (config.vaultKeysFile !== null && config.vaultKeys !== null) {
    faults.push('PROKURA_VAULT_KEYS_FILE and PROKURA_VAULT_KEYS are both set; set only one of them')
  }
  for (const proxy of config.trustedProxies) {
    const [address = '', bits = '0', ...rest] = proxy.split('/')
    const bitsMax = isIP(address) === 6 ? 128 : 32
    if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > bitsMax || rest.length > 0) {
      faults.push(
        `PROKURA_TRUSTED_PROXIES holds "${proxy}", which is neither an address nor a network such as 10.0.0.0/8`,
      )
    }
  }
  if (config.ucpHost !== null && !/^(?:[a-z0-9-]+\.)+[a-z0-9-]+(?::\d{1,5})?$/i.test(config.ucpHost))
    faults.push(`PROKURA_UCP_HOST is "${config.ucpHost}", which is not a host name such as shops.example.com`)
  for (const port of config.ownPorts) {
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      faults.push('PROKURA_OWN_PORTS holds a value that is not a port; use numbers from 1 to 65535')
  }
  if (config.testClock && config.liveRail !== 'none' && movesMoney) {
    faults.push('PROKURA_TEST_CLOCK=on does not work with a live rail; set PROKURA_LIVE_RAIL=none')
  }
  return faults
}
