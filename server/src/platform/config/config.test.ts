import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ConfigError, describeConfig, type Environment, readConfig } from './config.ts'
import { settingsTable } from './settings-table.ts'

function faultsOf(env: Environment): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

test('an empty environment is a working configuration', () => {
  expect(readConfig({})).toMatchObject({
    databaseUrl: null,
    port: 3000,
    liveRail: 'none',
    allowLoopback: false,
    trustedProxies: [],
  })
})

test('every setting is read into what the product asks for', () => {
  const config = readConfig({
    DATABASE_URL: 'postgres://u:p@db/prokura',
    PORT: '0',
    PROKURA_PUBLIC_URL: 'https://api.example.com/',
    PROKURA_ALLOW_LOOPBACK: 'test',
    PROKURA_TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1',
    PROKURA_UCP_HOST: 'shops.example.com',
    PROKURA_FAULTS: 'on',
    PROKURA_CRASH_AT: 'capture.before:2',
    PROKURA_WRITERS: '8',
  })
  expect(config).toMatchObject({
    port: 0,
    publicUrl: 'https://api.example.com',
    allowLoopback: true,
    trustedProxies: ['10.0.0.0/8', '2001:db8::1'],
    ucpHost: 'shops.example.com',
    faults: { enabled: true, crashAt: 'capture.before:2' },
    writers: 8,
  })
  expect(config.databaseUrl?.reveal()).toBe('postgres://u:p@db/prokura')
  expect(config.databaseDirectUrl?.reveal()).toBe('postgres://u:p@db/prokura')
})

test('a model for pages is named whole, and its key does not go over the network in the clear', () => {
  const model = {
    PROKURA_PAGE_READER_URL: 'http://127.0.0.1:8080/v1/',
    PROKURA_PAGE_READER_MODEL: 'openai-compatible/small-1',
  }
  const config = readConfig({ ...model, PROKURA_PAGE_READER_KEY: 'canary-of-a-key' })
  expect(config.pageReader).toMatchObject({
    provider: 'openai-compatible',
    url: 'http://127.0.0.1:8080/v1',
    model: 'small-1',
  })
  expect(inspect(config, { depth: null })).not.toContain('canary-of-a-key')
  expect(readConfig({}).pageReader).toBeNull()
  expect(faultsOf({ PROKURA_PAGE_READER_MODEL: 'small-1' })).toEqual([
    'PROKURA_PAGE_READER_MODEL must be openai-compatible/NAME or anthropic/NAME, not "small-1"',
  ])
  expect(faultsOf({ PROKURA_PAGE_READER_KEY: 'canary-of-a-key' })).toEqual([
    'PROKURA_PAGE_READER_KEY would be for PROKURA_PAGE_READER_MODEL, which is not set',
  ])
  expect(
    faultsOf({
      ...model,
      PROKURA_PAGE_READER_URL: 'http://models.example.com/v1',
      PROKURA_PAGE_READER_KEY: 'canary-of-a-key',
      PROKURA_PAGE_READER_KEY_FILE: 'key',
    }),
  ).toEqual([
    'PROKURA_PAGE_READER_URL is plain http, and would carry the key in the clear; use https',
    'PROKURA_PAGE_READER_KEY and PROKURA_PAGE_READER_KEY_FILE are both set; set only one of them',
  ])
})

test('a model of chats has a provider and an address, and its key does not go over the network in the clear', () => {
  expect(readConfig({}).chatModel).toBeNull()
  const local = {
    PROKURA_CHAT_MODEL: 'openai-compatible/org/small-1',
    PROKURA_CHAT_URL: 'http://127.0.0.1:11434/v1/',
  }
  expect(
    readConfig({ ...local, PROKURA_CHAT_KEY_FILE: 'key', PROKURA_CHAT_COST: '300/1500 USD' }).chatModel,
  ).toEqual({
    provider: 'openai-compatible',
    model: 'org/small-1',
    url: 'http://127.0.0.1:11434/v1',
    keyFile: 'key',
    tokensPerRun: 200_000,
    tokensPerDay: 5_000_000,
    costPerDay: null,
    cost: { input: 300n, output: 1500n, currency: 'USD' },
  })
  const hosted = readConfig({ PROKURA_CHAT_MODEL: 'anthropic/large-1', PROKURA_CHAT_TOKENS_PER_RUN: '50000' })
  expect(hosted.chatModel).toMatchObject({
    provider: 'anthropic',
    url: 'https://api.anthropic.com/v1',
    tokensPerRun: 50_000,
  })
  expect(faultsOf({ PROKURA_CHAT_MODEL: 'small-1' })).toEqual([
    'PROKURA_CHAT_MODEL must be openai-compatible/NAME or anthropic/NAME, not "small-1"',
  ])
  expect(faultsOf({ PROKURA_CHAT_MODEL: 'openai-compatible/small-1', PROKURA_CHAT_COST: '3 USD' })).toEqual([
    'PROKURA_CHAT_MODEL needs PROKURA_CHAT_URL, the base of the API of the model',
    'PROKURA_CHAT_COST must be like 300/1500 USD: minor units for a million tokens of input, and of output',
  ])
  expect(faultsOf({ PROKURA_CHAT_URL: 'https://models.example.com/v1' })).toEqual([
    'PROKURA_CHAT_URL would be for PROKURA_CHAT_MODEL, which is not set',
  ])
  expect(
    faultsOf({ ...local, PROKURA_CHAT_URL: 'http://models.example.com/v1', PROKURA_CHAT_KEY_FILE: 'key' }),
  ).toEqual(['PROKURA_CHAT_URL is plain http, and would carry the key in the clear; use https'])
})

test('passkeys are of the host of the elements, or of a domain above it', () => {
  const url = { PROKURA_ELEMENTS_URL: 'https://elements.shop.example:8443' }
  expect(readConfig(url).rpId).toBeNull()
  for (const id of ['elements.shop.example', 'shop.example'])
    expect(readConfig({ ...url, PROKURA_RP_ID: id }).rpId).toBe(id)
  for (const id of [
    'example',
    'hop.example',
    'other.example',
    'https://shop.example',
    'a.elements.shop.example',
  ])
    expect(faultsOf({ ...url, PROKURA_RP_ID: id })).toEqual([
      `PROKURA_RP_ID must be elements.shop.example, the host of PROKURA_ELEMENTS_URL, or a domain above it, not "${id}"`,
    ])
  expect(faultsOf({ PROKURA_RP_ID: 'shop.example' })).toEqual([
    'PROKURA_RP_ID needs PROKURA_ELEMENTS_URL; set both or none',
  ])
})

test('one error names every fault and what to set', () => {
  expect(
    faultsOf({
      PORT: '70000',
      PROKURA_LOG_LEVEL: 'loud',
      PROKURA_PUBLIC_URL: 'ftp://x',
      PROKURA_FAULTZ: 'on',
    }),
  ).toEqual([
    'PROKURA_FAULTZ is not a setting; did you mean PROKURA_FAULTS?',
    'PORT must be a whole number from 0 to 65535, not "70000"',
    'PROKURA_PUBLIC_URL must be a URL that begins with http:// or https://, not "ftp://x"',
    'PROKURA_LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent, not "loud"',
  ])
})

test.each([
  [{ PROKURA_CRASH_AT: 'capture.before' }, /only with PROKURA_FAULTS=on/],
  [{ PROKURA_CRASH_FILE: 'points' }, /only with PROKURA_FAULTS=on/],
  [{ PROKURA_FAULTS: 'on', PROKURA_CRASH_AT: 'nowhere' }, /which is not a crash point/],
  [{ PROKURA_FAULTS: 'on', PROKURA_PAUSE_AT: 'relay.read' }, /needs PROKURA_PAUSE_FILE/],
  [{ PROKURA_KEYS_FILE: 'keys.txt', PROKURA_KEYS: 'k1:x' }, /are both set/],
  [{ PROKURA_TRUSTED_PROXIES: '10.0.0.0/8,proxy.local' }, /"proxy.local", which is neither an address/],
  [{ PROKURA_TRUSTED_PROXIES: '10.0.0.0/64' }, /is neither an address nor a network/],
] as [Record<string, string>, RegExp][])('%o is refused', (env, fault) => {
  expect(faultsOf(env)).toEqual([expect.stringMatching(fault)])
})

test.each([
  [{ PROKURA_PUBLIC_URL: 'http://x/y?z' }, 'PROKURA_PUBLIC_URL must have no ? and no #'],
  [{ PROKURA_PUBLIC_URL: 'http://x/#z' }, 'PROKURA_PUBLIC_URL must have no ? and no #'],
  [{ PROKURA_PUBLIC_URL: 'http://u:hunter2@x' }, 'PROKURA_PUBLIC_URL must have no user and no password'],
  [{ PROKURA_PUBLIC_URL: 'ftp://u:hunter2@x' }, 'not "ftp://[redacted]@x"'],
  [{ DATABASE_URL: 'postgres://u:hunter2@/x' }, 'DATABASE_URL is not a complete URL: a host must follow'],
  [{ DATABASE_URL: 'postgres://u:hun#ter2@x/x' }, 'Percent-encode special characters of the password'],
] as [Record<string, string>, string][])('an unusable URL is refused with its fault: %o', (env, words) => {
  expect(faultsOf(env)).toEqual([expect.stringContaining(words)])
  expect(faultsOf(env).join() + JSON.stringify(describeConfig(env))).not.toMatch(/hunter2|hun#ter2/)
})

test('no secret is shown: not in a fault, not in the description, not when printed', () => {
  const env = { DATABASE_URL: 'mysql://user:hunter2@db', PROKURA_KEYS: 'k1:hunter2' }
  expect(faultsOf(env).join()).toContain('DATABASE_URL')
  expect(faultsOf(env).join()).not.toContain('hunter2')
  expect(JSON.stringify(describeConfig(env))).not.toContain('hunter2')
  const config = readConfig({ DATABASE_URL: 'postgres://user:hunter2@db/x', PROKURA_KEYS: 'k1:hunter2' })
  expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toContain('hunter2')
})

test('the description has every setting, with where its value comes from', () => {
  const described = describeConfig({ PORT: '4000' })
  expect(described.map(({ name }) => name)).toEqual(Object.keys(settingsTable))
  expect(described.find(({ name }) => name === 'PORT')).toMatchObject({
    value: '4000',
    source: 'environment',
    default: '3000',
  })
  expect(described.every(({ description }) => description.length > 10)).toBe(true)
})

const live = { PROKURA_STRIPE_SECRET_KEY: 'sk_live_hunter2', PROKURA_STRIPE_NETWORK_ID: 'profile_1' }

const liveRail = {
  PROKURA_LIVE_RAIL: 'stripe',
  PROKURA_STRIPE_SECRET_KEY: 'rk_live_hunter2',
  PROKURA_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  PROKURA_PUBLIC_URL: 'https://api.example.com',
  PROKURA_ELEMENTS_URL: 'https://elements.example.com',
  PROKURA_CARDS_URL: 'https://cards.example.com',
  PROKURA_LIVE_CAP_DAILY: '500.00 USD, 40000 JPY, 12.5 KWD',
}

test('live mode has a rail once everything that it needs is said, and its caps in minor units', () => {
  expect(readConfig({}).liveRail).toBe('none')
  const { liveRail: rail, liveCapDaily } = readConfig(liveRail)
  expect([rail, [...liveCapDaily]]).toEqual([
    'stripe',
    [
      ['USD', 50_000n],
      ['JPY', 40_000n],
      ['KWD', 12_500n],
    ],
  ])
})

test('a simulator on this machine is rehearsed with, by keys and clocks of tests', () => {
  const simulator = {
    PROKURA_STRIPE_URL: 'http://127.0.0.1:4000',
    PROKURA_FAULTS: 'on',
    PROKURA_TEST_CLOCK: 'on',
  }
  expect(readConfig({ ...liveRail, ...simulator }).liveRail).toBe('stripe')
})

test('shared payment tokens have an account by mode, and none by default', () => {
  expect(readConfig({}).stripe).toEqual({})
  const both = readConfig({ ...live, PROKURA_SANDBOX_STRIPE_URL: 'http://127.0.0.1:4000' }).stripe
  expect(both).toMatchObject({
    test: { url: 'http://127.0.0.1:4000', networkId: 'profile_test_sandbox' },
    live: { url: 'https://api.stripe.com', networkId: 'profile_1' },
  })
  expect(both.live?.secretKey.reveal()).toBe('sk_live_hunter2')
  expect(inspect(both, { depth: 9 }) + JSON.stringify([both, describeConfig(live)])).not.toContain('hunter2')
})

test('sellers elsewhere are paid from live mode where the operator says so, and by nobody else', () => {
  const simulator = { PROKURA_SANDBOX_STRIPE_URL: 'http://127.0.0.1:4000' }
  expect(readConfig({ ...liveRail, ...simulator }).tokenIssuers).toMatchObject({
    test: { url: 'http://127.0.0.1:4000' },
  })
  expect(readConfig({ ...liveRail, ...simulator }).tokenIssuers.live).toBeUndefined()
  const { tokenIssuers } = readConfig({ ...liveRail, PROKURA_STRIPE_TOKENS: 'on' })
  expect(tokenIssuers.test).toBeUndefined()
  expect(tokenIssuers.live?.url).toBe('https://api.stripe.com')
  expect(tokenIssuers.live?.secretKey.reveal()).toBe('rk_live_hunter2')
})

test('the vault reads cards with a key of its own, which no account has', () => {
  const { stripe, cardReaders } = readConfig({
    ...live,
    PROKURA_STRIPE_CARDHOLDER: 'ich_1',
    PROKURA_VAULT_STRIPE_KEY: 'rk_live_reads',
  })
  expect(stripe.live).toMatchObject({ cardholder: 'ich_1' })
  expect(cardReaders.live?.secretKey.reveal()).toBe('rk_live_reads')
  expect([stripe.test, cardReaders.test]).toEqual([undefined, undefined])
  expect(readConfig(live).cardReaders).toEqual({})
})

test.each([
  ['a key that pays for nothing', { PROKURA_STRIPE_SECRET_KEY: 'sk_live_hunter2' }, 'pays for nothing'],
  ['a network without its key', { PROKURA_STRIPE_NETWORK_ID: 'profile_1' }, 'set both or none'],
  ['a live rail without an account', { ...liveRail, PROKURA_STRIPE_SECRET_KEY: undefined }, 'SECRET_KEY'],
  ['tokens of a live mode without a rail', { PROKURA_STRIPE_TOKENS: 'on' }, 'set PROKURA_LIVE_RAIL=stripe'],
  ['one without a cap', { ...liveRail, PROKURA_LIVE_CAP_DAILY: undefined }, 'LIVE_CAP_DAILY'],
  ['one without an address', { ...liveRail, PROKURA_PUBLIC_URL: undefined }, 'PUBLIC_URL'],
  ['one without a page for cards', { ...liveRail, PROKURA_CARDS_URL: undefined }, 'needs PROKURA_CARDS_URL'],
  ['one without frames', { ...liveRail, PROKURA_ELEMENTS_URL: undefined }, 'needs PROKURA_ELEMENTS_URL'],
  ['one whose cards go to the vault', { ...liveRail, PROKURA_CARDS: 'vault' }, 'PROKURA_CARDS=processor'],
  [
    'one that takes cards where frames are',
    { ...liveRail, PROKURA_CARDS_URL: 'https://elements.example.com' },
    'host of its own',
  ],
  [
    'one that takes cards where the API is',
    { ...liveRail, PROKURA_CARDS_URL: 'https://api.example.com' },
    'host of its own',
  ],
  ['one with a test key for pages', { ...liveRail, PROKURA_STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, 'pk_live_'],
  ['one with another kind of key', { ...liveRail, PROKURA_STRIPE_SECRET_KEY: 'whsec_hunter2' }, 'sk_live_'],
  ['one with crash points', { ...liveRail, PROKURA_FAULTS: 'on' }, 'live payments'],
  ['one with a clock of tests', { ...liveRail, PROKURA_TEST_CLOCK: 'on' }, 'live rail'],
  ['a cap in no currency', { PROKURA_LIVE_CAP_DAILY: '500.00 US' }, 'no amount of a currency'],
  ['a cap with too many digits', { PROKURA_LIVE_CAP_DAILY: '500.001 USD' }, 'no amount of a currency'],
  ['a cap in yen with decimals', { PROKURA_LIVE_CAP_DAILY: '500.00 JPY' }, 'no amount of a currency'],
  ['a cap that names a currency twice', { PROKURA_LIVE_CAP_DAILY: '5 USD, 50 USD' }, 'twice'],
  ["a vault with a key of Stripe's test mode", { PROKURA_VAULT_STRIPE_KEY: 'rk_test_hunter2' }, 'test mode'],
  ['a holder of cards without an account', { PROKURA_STRIPE_CARDHOLDER: 'ich_1' }, 'no card is issued'],
  ["a key of Stripe's test mode", { ...live, PROKURA_STRIPE_SECRET_KEY: 'sk_test_hunter2' }, 'test mode'],
  [
    "a restricted one of Stripe's test mode",
    { ...live, PROKURA_STRIPE_SECRET_KEY: 'rk_test_hunter2' },
    'test mode',
  ],
  ['crash points beside live payments', { ...live, PROKURA_FAULTS: 'on' }, 'live payments'],
] as [string, Environment, string][])('%s starts nothing', (_, env, why) => {
  const faults = faultsOf(env)
  expect(faults).toEqual([expect.stringContaining(why)])
  expect(faults.join()).not.toContain('hunter2')
})

describe('wallets at Link', () => {
  const link = { PROKURA_LINK_URL: 'https://api.link.com', PROKURA_LINK_CLIENT_ID: 'lwlpk_1' }

  test('pay beside the live rail, and the vault reads their cards as nobody', () => {
    expect(readConfig({}).linkAccount).toBeNull()
    expect(readConfig({ ...liveRail, ...link }).linkAccount).toEqual({
      url: 'https://api.link.com',
      loginUrl: 'https://login.link.com',
      clientId: 'lwlpk_1',
    })
    const vault = readConfig({ PROKURA_LINK_URL: 'https://api.link.com' })
    expect([vault.linkAccount, vault.linkUrl]).toEqual([null, 'https://api.link.com'])
  })

  test.each([
    ['a client without an address', { PROKURA_LINK_CLIENT_ID: 'lwlpk_1' }, 'needs PROKURA_LINK_URL'],
    [
      'an address without a client',
      { PROKURA_LINK_URL: 'https://api.link.com' },
      'needs PROKURA_LINK_CLIENT_ID',
    ],
    ['none of live mode', { ...link, PROKURA_LIVE_RAIL: 'none' }, 'needs PROKURA_LIVE_RAIL=stripe'],
    [
      'real wallets in a rehearsal',
      { ...link, PROKURA_STRIPE_URL: 'http://127.0.0.1:4000' },
      'all three of them',
    ],
    [
      'simulated wallets for real money',
      { ...link, PROKURA_LINK_URL: 'http://127.0.0.1:4000' },
      'all three of them',
    ],
  ])('that are %s are refused', (_, settings, why) => {
    const env = { ...liveRail, ...settings }
    expect(() => readConfig(env.PROKURA_LIVE_RAIL === 'none' ? { ...link } : env)).toThrow(why)
  })
})
