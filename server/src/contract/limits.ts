import { cardLimits } from './card-limits.ts'
import type { LimitSpec } from './limit-spec.ts'

const hour = 3600

/**
 * Every limit that one caller may not exceed, so that no caller can stop the others. Each is a setting; docs/operations.md lists them.
 */
export const limitsTable = {
  streams: {
    setting: 'PROKURA_LIMIT_STREAMS',
    default: 50,
    max: 100_000,
    description: 'Event streams that one account and mode may have open at once, per API process.',
    scope: 'account.streams',
  },
  chatStreams: {
    setting: 'PROKURA_LIMIT_CHAT_STREAMS',
    default: 1000,
    max: 100_000,
    description: 'Streams of chats that one account and mode may have open at once, per API process.',
    scope: 'account.chat_streams',
  },
  chatMessages: {
    setting: 'PROKURA_LIMIT_CHAT_MESSAGES',
    default: 3,
    max: 1_000_000,
    description: 'Messages that may wait for their turn in one chat, beside the one that is answered.',
  },
  quoteWaits: {
    setting: 'PROKURA_LIMIT_QUOTE_WAITS',
    default: 20,
    max: 100_000,
    description:
      'Requests of one account and mode that may wait for a merchant to answer a quote at once, per API process.',
    scope: 'account.quote_waits',
  },
  intentWaits: {
    setting: 'PROKURA_LIMIT_INTENT_WAITS',
    default: 100,
    max: 100_000,
    description:
      'Requests of one account and mode that may wait for a purchase intent to change (`wait_seconds`) at once, per API process.',
    scope: 'account.purchase_intent_waits',
  },
  agentIntentWaits: {
    setting: 'PROKURA_LIMIT_AGENT_INTENT_WAITS',
    default: 20,
    max: 100_000,
    description: 'The same of one agent: all keys of an agent share its places.',
    scope: 'agent.purchase_intent_waits',
    isOfAgent: true,
  },
  lookWaits: {
    setting: 'PROKURA_LIMIT_LOOK_WAITS',
    default: 50,
    max: 100_000,
    description:
      'Requests of one account and mode that may wait for a look at shops elsewhere at once, per API process.',
    scope: 'account.look_waits',
  },
  looks: {
    setting: 'PROKURA_LIMIT_LOOKS',
    default: 120,
    max: 1_000_000,
    description:
      'Looks at shops elsewhere that one account and mode may begin in a minute: by previews of purchases, and for products by their URLs. What was seen in the last ten minutes is not counted.',
    scope: 'account.looks',
    windowSeconds: 60,
  },
  imports: {
    setting: 'PROKURA_LIMIT_IMPORTS',
    default: 2,
    max: 1_000,
    description:
      'Files over 64 KiB that may be taken in at once for the imports of one account and mode, per API process.',
    scope: 'account.imports',
    together: 'importsTogether',
  },
  importsTogether: {
    setting: 'PROKURA_LIMIT_IMPORTS_TOGETHER',
    default: 64,
    max: 10_000,
    description:
      'Files over 64 KiB that an API process takes in at once, of all accounts. Beyond it: 503 `busy`.',
  },
  requests: {
    setting: 'PROKURA_LIMIT_REQUESTS',
    default: 256,
    max: 1_000_000,
    description:
      'Requests of one account and mode that may be under way at once, per API process. Open streams are not counted.',
    scope: 'account.requests',
  },
  checkoutsAddressMinute: {
    setting: 'PROKURA_LIMIT_CHECKOUTS_ADDRESS_MINUTE',
    default: 120,
    max: 1_000_000,
    description:
      'Checkouts that platforms at one address (v6: one /64) may create, change and complete in a minute.',
    scope: 'ip',
    windowSeconds: 60,
  },
  checkoutsAddressHour: {
    setting: 'PROKURA_LIMIT_CHECKOUTS_ADDRESS_HOUR',
    default: 3_000,
    max: 1_000_000,
    description: 'The same in an hour.',
    scope: 'ip',
    windowSeconds: 3_600,
  },
  discoveryAnonymousMinute: {
    setting: 'PROKURA_LIMIT_DISCOVERY_ANONYMOUS_MINUTE',
    default: 60,
    max: 1_000_000,
    description:
      'Requests to the catalog and the registry that one address (v6: one /64) may make in a minute without a key.',
    scope: 'ip',
    windowSeconds: 60,
  },
  discoveryAnonymousHour: {
    setting: 'PROKURA_LIMIT_DISCOVERY_ANONYMOUS_HOUR',
    default: 1000,
    max: 1_000_000,
    description: 'The same in an hour.',
    scope: 'ip',
    windowSeconds: hour,
  },
  discoveryLive: {
    setting: 'PROKURA_LIMIT_DISCOVERY_LIVE',
    default: 100,
    max: 1_000_000,
    description:
      'Requests to the catalog and the registry that all secret keys of one account may make in a second in live mode; its publishable keys have as much again.',
    scope: 'api_key',
    windowSeconds: 1,
  },
  discoveryTest: {
    setting: 'PROKURA_LIMIT_DISCOVERY_TEST',
    default: 25,
    max: 1_000_000,
    description: 'The same in test mode.',
    scope: 'api_key',
    windowSeconds: 1,
  },
  impressions: {
    setting: 'PROKURA_LIMIT_IMPRESSIONS',
    default: 100,
    max: 1_000_000,
    description: 'Confirmations of impressions that one address (v6: one /64) may send in a second.',
    scope: 'ip',
    windowSeconds: 1,
  },
  attributionImpressions: {
    setting: 'PROKURA_LIMIT_ATTRIBUTION_IMPRESSIONS',
    default: 600,
    max: 1_000_000,
    description: 'Confirmations of impressions that may name one attribution id in an hour.',
    scope: 'attribution',
    windowSeconds: hour,
  },
  importsPerHour: {
    setting: 'PROKURA_LIMIT_IMPORTS_PER_HOUR',
    default: 120,
    max: 10_000,
    description: 'Catalog imports that one account and mode may begin in an hour.',
    scope: 'account.imports_per_hour',
    windowSeconds: hour,
  },
  destinationTests: {
    setting: 'PROKURA_LIMIT_DESTINATION_TESTS',
    default: 20,
    max: 10_000,
    description: 'Test events that may be requested in an hour for one destination.',
    scope: 'destination.tests',
    windowSeconds: hour,
  },
  accountTests: {
    setting: 'PROKURA_LIMIT_ACCOUNT_TESTS',
    default: 100,
    max: 10_000,
    description: 'Test events that may be requested in an hour for all destinations of one account and mode.',
    scope: 'account.destination_tests',
    windowSeconds: hour,
  },
  destinationRecoveries: {
    setting: 'PROKURA_LIMIT_DESTINATION_RECOVERIES',
    default: 10,
    max: 10_000,
    description: 'Recoveries that may be requested in an hour for one destination.',
    scope: 'destination.recoveries',
    windowSeconds: hour,
  },
  accountRecoveries: {
    setting: 'PROKURA_LIMIT_ACCOUNT_RECOVERIES',
    default: 50,
    max: 10_000,
    description: 'Recoveries that may be requested in an hour for all destinations of one account and mode.',
    scope: 'account.destination_recoveries',
    windowSeconds: hour,
  },
  destinationRedeliveries: {
    setting: 'PROKURA_LIMIT_DESTINATION_REDELIVERIES',
    default: 120,
    max: 10_000,
    description: 'Events that may be delivered again in an hour, one by one, to one destination.',
    scope: 'destination.redeliveries',
    windowSeconds: hour,
  },
  accountRedeliveries: {
    setting: 'PROKURA_LIMIT_ACCOUNT_REDELIVERIES',
    default: 600,
    max: 10_000,
    description:
      'Events that may be delivered again in an hour, one by one, to all destinations of one account and mode.',
    scope: 'account.destination_redeliveries',
    windowSeconds: hour,
  },
  integrationChecks: {
    setting: 'PROKURA_LIMIT_INTEGRATION_CHECKS',
    default: 60,
    max: 10_000,
    description: 'Integration checks that one account may begin in an hour.',
    scope: 'account.integration_checks',
    windowSeconds: hour,
  },
  onboardingLinks: {
    setting: 'PROKURA_LIMIT_ONBOARDING_LINKS',
    default: 100,
    max: 10_000,
    description: 'Onboarding links that one account and mode may make in an hour.',
    scope: 'account.onboarding_links',
    windowSeconds: hour,
  },
  elements: {
    setting: 'PROKURA_LIMIT_ELEMENTS',
    default: 1_200,
    max: 1_000_000,
    description:
      'Components that the pages of one publishable key may begin to show in a minute, with the sessions that their frames ask for. One address has a tenth.',
    scope: 'api_key',
    windowSeconds: 60,
  },
  onboardingGuesses: {
    setting: 'PROKURA_LIMIT_ONBOARDING_GUESSES',
    default: 20,
    max: 1_000_000,
    description:
      'Unknown onboarding links that one address may try in a minute, per API process. After that, further unknown links are 429; links ' +
      'that exist still work from there.',
  },
  connections: {
    setting: 'PROKURA_LIMIT_CONNECTIONS',
    default: 8000,
    max: 1_000_000,
    description:
      'Connections that one API process has open. Beyond it, a new one replaces the oldest one that never sent a key, of the ' +
      'address that has most of these.',
  },
  addressConnections: {
    setting: 'PROKURA_LIMIT_ADDRESS_CONNECTIONS',
    default: 1000,
    max: 1_000_000,
    description:
      'Connections that one address (v6: one /64) has open to one API process. Beyond it, a new one replaces its oldest one that ' +
      'never sent a key. Behind trusted proxies: requests under way of one client, beyond which 429 `ip.requests`.',
  },
  takeSeconds: {
    setting: 'PROKURA_LIMIT_TAKE_SECONDS',
    default: 30,
    max: 3600,
    description:
      'Seconds for which a caller may read nothing of an answer that waits for it. After that, the connection is closed.',
  },
  anonymousBodyBytes: {
    setting: 'PROKURA_LIMIT_ANONYMOUS_BODY_BYTES',
    default: 65_536,
    max: 262_144,
    description: 'The largest body without a key, signed answers of merchants included. Beyond it 413.',
  },
  heldBodyBytes: {
    setting: 'PROKURA_LIMIT_HELD_BODY_BYTES',
    default: 67_108_864,
    max: 999_999_999,
    description:
      'Bytes of unfinished bodies that one API process holds: one account, and all callers without a key together, a quarter of ' +
      'them; one address without a key a sixteenth. Beyond it 503 `busy`.',
  },
  keyGuesses: {
    setting: 'PROKURA_LIMIT_KEY_GUESSES',
    // A client that keeps using a wrong key is looked up once a second; several clients may share an address.
    default: 300,
    max: 1_000_000,
    description:
      'Unknown keys that one address (v6: one /64) may try in a minute, per API process. After that, every other unknown key is 429 `ip`; ' +
      'keys that exist still work from there.',
  },
  reads: {
    setting: 'PROKURA_LIMIT_READS',
    default: 4,
    max: 1000,
    description:
      'Lists, searches and calculations that one account and mode may have under way at once, per API process; more wait for two seconds. Always below `PROKURA_LONG_READERS`.',
  },
  bulk_reads: {
    setting: 'PROKURA_LIMIT_BULK_READS',
    default: 1,
    max: 1000,
    description:
      'The same of exports and of pages beyond an offset of 10,000, which wait for five seconds. Always below `PROKURA_BULK_READERS`.',
  },
  writes: {
    setting: 'PROKURA_LIMIT_WRITES',
    default: 11,
    max: 1000,
    description:
      'Transactions that one account and mode may have under way at once, per API process; more wait for ten seconds. Always below `PROKURA_WRITERS`.',
  },
  rateCards: {
    setting: 'PROKURA_LIMIT_RATE_CARDS',
    default: 500,
    max: 1000,
    description: 'Rate cards that a merchant may have active at once.',
  },
  rateCardZones: {
    setting: 'PROKURA_LIMIT_RATE_CARD_ZONES',
    default: 20_000,
    max: 1_000_000,
    description:
      'Zones of all active rate cards of a merchant together. A zone with postal prefixes counts once for each of them, and a card without zones counts one.',
  },
  rateCardEntries: {
    setting: 'PROKURA_LIMIT_RATE_CARD_ENTRIES',
    default: 10_000,
    max: 1_000_000,
    description:
      'Tiers, labels, markets and locations that all active rate cards of a merchant name together.',
  },
  marketRegions: {
    setting: 'PROKURA_LIMIT_MARKET_REGIONS',
    default: 20_000,
    max: 1_000_000,
    description:
      'Countries, subdivisions and postal prefixes that all markets of a merchant include and exclude together.',
  },
  simulationCpu: {
    setting: 'PROKURA_LIMIT_SIMULATION_CPU',
    default: 2000,
    max: 60_000,
    description:
      'Milliseconds of computing for one simulation of a policy over past intents, in slices; beyond that it is 503 `busy`.',
  },
  simulations: {
    setting: 'PROKURA_LIMIT_SIMULATIONS',
    default: 2,
    max: 1_000,
    description:
      'Simulations of a policy over past intents that one account and mode may have under way at once, per API process.',
    scope: 'account.simulations',
  },
  hostTests: {
    setting: 'PROKURA_LIMIT_HOST_TESTS',
    default: 5,
    max: 10_000,
    description:
      'Attempts of test events at one host in an hour, over all accounts; this machine is not counted. Tests that are asked for beyond it get 429, others are put off.',
  },
  ...cardLimits,
} as const satisfies Record<string, LimitSpec>

export type LimitName = keyof typeof limitsTable
type Table = typeof limitsTable
/** Rates over a time, which all processes count together. */
export type RateName = {
  [Name in LimitName]: Table[Name] extends { scope: string; windowSeconds: number } ? Name : never
}[LimitName]
/** Numbers at once, which each process counts for itself. */
export type SlotName = {
  [Name in LimitName]: Table[Name] extends { windowSeconds: number }
    ? never
    : Table[Name] extends { scope: string }
      ? Name
      : never
}[LimitName]

/** The limits in effect, by name. */
export type Limits = { readonly [Name in LimitName]: number }

export function mapLimits(valueFor: (name: LimitName) => number): Limits {
  const names = Object.keys(limitsTable) as LimitName[] // the keys of a constant
  return Object.fromEntries(names.map((name) => [name, valueFor(name)])) as Limits // one value under each of its names
}
