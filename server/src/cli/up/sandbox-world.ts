import { issueKey, type StartingKeys } from '../../domain/accounts/api-keys/public.ts'
import { addEntry, registryAccount } from '../../domain/discovery/registry/public.ts'
import { selectHeldTestDomain } from '../../domain/selling/merchant/operated-merchants.sql.ts'
import { sandboxDomains } from '../../domain/selling/merchant/public.ts'
import { CommandFailure } from '../failure.ts'
import type { Administration } from '../operator/administer.ts'
import { type StateFolder, stateFiles } from './state-folder.ts'

export type SandboxUrls = {
  processor_url: string
  merchant_url: string
  shops_url: string
  catalog_url: string
  stripe_url: string
  link_url: string
  /** Where the shops with web pages testify. */
  strangers_url: string
  strangers: {
    shops: Record<string, string>
    /** The one address of loopback that each name of theirs stands for. */
    addresses: Record<string, string>
    /** Who vouches for these names; `key_pin` is the SHA-256 of its public key in base64. */
    authority: { certificate: string; key_pin: string }
    /** Where its shops take cards, and its banks ask. */
    payment_hosts: { host: string; roles: string[] }[]
  }
  control_token: string
}

/** A merchant of the sandbox: an account like any other, with a backend that answers its webhooks. */
export type SandboxMerchant = {
  slug: string
  domain: string
  name: string
  account_id: string
  secret_test: string
  destination_id: string | null
  destination_secret: string | null
  /** The addresses that the two sides know of each other; either may move to another port. */
  merchant_url: string | null
  api_origin: string | null
}

/** One item for each behavior of the merchant backend (see sandbox/README.md). */
export const sandboxScenarios = [
  'ok',
  'rejected',
  'silent',
  'late',
  'double',
  'wrong_signature',
  'wrong_event',
  'out_of_stock',
  'price_up_3',
  'price_up_20',
  'slow',
  'error_then_ok',
  'destination_down',
  'other_merchant',
] as const

export type SandboxScenario = (typeof sandboxScenarios)[number]

const sandboxPrice = { amount: 2500, currency: 'USD' } as const

const firstMerchant = {
  slug: 'sandbox-merchant',
  domain: sandboxDomains[0],
  name: 'Sandbox Merchant',
}
const otherMerchant = {
  slug: 'sandbox-other',
  domain: sandboxDomains[1],
  name: 'Sandbox Other Merchant',
}

/** The facts about the sandbox in the ready line of `up`. */
export type SandboxFacts = {
  item_url: string
  item_price: number
  item_currency: string
  items: Record<SandboxScenario, string>
  processor_log_url: string
  merchant_log_url: string
  shops_log_url: string
  catalog_url: string
  /** The simulator of Stripe: shared payment tokens for tests are made there, with the key `sk_test_sandbox`. */
  stripe_url: string
  /** The simulator of Link: people sign in to it, and approve what is asked of their wallets. */
  link_url: string
  /** Shops with web pages that know nothing of agents. Their names are known to this service alone. */
  shops: Record<string, string>
  /** `GET {strangers_url}/{name}/log` is what a shop testifies. */
  strangers_url: string
  /** Sent as a bearer token, it allows changing how the sandbox behaves (`/control/…`). */
  control_token: string
}

export function sandboxFacts(urls: SandboxUrls): SandboxFacts {
  const items = Object.fromEntries(sandboxScenarios.map((scenario) => [scenario, itemUrl(scenario)]))
  return {
    item_url: itemUrl('ok'),
    item_price: sandboxPrice.amount,
    item_currency: sandboxPrice.currency,
    items: items as Record<SandboxScenario, string>, // made from the scenarios themselves
    processor_log_url: `${urls.processor_url}/log`,
    merchant_log_url: `${urls.merchant_url}/log`,
    shops_log_url: `${urls.shops_url}/log`,
    catalog_url: urls.catalog_url,
    stripe_url: urls.stripe_url,
    link_url: urls.link_url,
    shops: urls.strangers.shops,
    strangers_url: urls.strangers_url,
    control_token: urls.control_token,
  }
}

type SeedOptions = {
  /** Whether a worker delivers: then the backends confirm their endpoints before anybody buys. */
  hasWorker: boolean
  /** Whether this service buys at shops that have nothing but pages. */
  hasBrowser: boolean
  state: StateFolder
  baseUrl: string
  urls: SandboxUrls
  account: { account_id: string; keys: StartingKeys }
  /** Runs actions that the public API does not have. */
  administer: <T>(work: (admin: Administration) => Promise<T>) => Promise<T>
}

/**
 * Makes the sandbox's merchants through the public API, as any merchant would: record, items, destination. It is done once; a later start
 * only informs the API and the backend when the other one has moved to another port.
 */
export async function seedSandbox(options: SeedOptions): Promise<void> {
  const known = options.state.read<SandboxMerchant[]>(stateFiles.sandbox)
  const merchants = known ?? (await foundMerchants(options))
  if (!known) options.state.write(stateFiles.sandbox, merchants)
  await options.administer((admin) => knowShops(admin, options))
  for (const merchant of merchants) {
    const merchantUrl = `${options.urls.merchant_url}${merchant.slug === firstMerchant.slug ? '' : `/m/${merchant.slug}`}`
    if (merchant.merchant_url === merchantUrl && merchant.api_origin === originOf(options)) continue
    await connectBackend(options, merchant, merchantUrl)
    options.state.write(stateFiles.sandbox, merchants)
  }
}

/** Shops that say themselves how agents buy there. The others have nothing but pages, which a browser alone can buy from. */
const speakingShops: readonly string[] = ['ucp', 'mpp']

/** The sandbox's shops are bought from as shops of strangers are: test mode contacts nobody else. */
async function knowShops(
  admin: Administration,
  { urls, hasBrowser }: Pick<SeedOptions, 'urls' | 'hasBrowser'>,
): Promise<void> {
  const tenant = { accountId: registryAccount, mode: 'test' } as const
  for (const [name, url] of Object.entries(urls.strangers.shops)) {
    const isSpeaking = speakingShops.includes(name)
    if (!isSpeaking && !hasBrowser) continue
    const { origin } = new URL(url)
    await admin.inTenant(tenant, (ctx) =>
      addEntry(ctx, { origin, channel: isSpeaking ? null : 'browser', name: null }),
    )
  }
}

async function foundMerchants({ administer, account }: SeedOptions): Promise<SandboxMerchant[]> {
  return administer(async (admin) => {
    const own = { account_id: account.account_id, secret_test: account.keys.secret_test }
    const first = (await holderOf(admin, firstMerchant.domain)) ?? own
    const other =
      (await holderOf(admin, otherMerchant.domain)) ?? (await openedFor(admin, otherMerchant.name))
    return [
      { ...firstMerchant, ...first, ...unconnected },
      { ...otherMerchant, ...other, ...unconnected },
    ]
  })
}

const unconnected = { destination_id: null, destination_secret: null, merchant_url: null, api_origin: null }

type Holder = Pick<SandboxMerchant, 'account_id' | 'secret_test'>

/** The account that already has a domain of the sandbox, with a new key: an earlier start made it, and its state folder is gone. */
async function holderOf(admin: Administration, domain: string): Promise<Holder | null> {
  const [held] = await admin.parts.pools.read(selectHeldTestDomain({ domain }))
  if (!held) return null
  const tenant = { accountId: held.account_id, mode: 'test' } as const
  const { token } = await admin.inTenant(tenant, async (ctx) =>
    issueKey(ctx, { kind: 'secret', name: 'sandbox', preset: 'full' }),
  )
  return { account_id: held.account_id, secret_test: token }
}

async function openedFor(admin: Administration, name: string): Promise<Holder> {
  const { account_id, keys } = await admin.openAccount(name)
  return { account_id, secret_test: keys.secret_test }
}

async function connectBackend(
  options: SeedOptions,
  merchant: SandboxMerchant,
  merchantUrl: string,
): Promise<void> {
  const call = caller(options.baseUrl, merchant.secret_test)
  const endpoint = { webhook: { endpoint_url: `${merchantUrl}/webhooks` } }
  if (merchant.destination_id === null) {
    await stockMerchant(options, merchant, call)
    await retireBackends(call)
    const destination = await call('POST', '/v1/merchant/destinations', {
      name: backendName,
      responds_to_quotes: true,
      event_types: ['quote.requested', 'order.requested', 'order.confirmed', 'order.rejected'],
      ...endpoint,
    })
    merchant.destination_id = destination.id
    merchant.destination_secret = destination.secret.secret
  }
  // The backend signs answers only for the origin that it knows, so it must learn of a move.
  await callSandbox(options.urls, `${merchantUrl}/control/destinations`, {
    destination_id: merchant.destination_id,
    secret: merchant.destination_secret,
    api_origin: originOf(options),
  })
  // From here on the backend knows the secret, so its endpoint can confirm itself.
  const path = `/v1/merchant/destinations/${merchant.destination_id}`
  if (merchant.merchant_url !== null && merchant.merchant_url !== merchantUrl)
    await call('POST', path, endpoint)
  if (options.hasWorker) await call('POST', `${path}/test`, {})
  merchant.merchant_url = merchantUrl
  merchant.api_origin = originOf(options)
}

const backendName = 'Sandbox backend'

/** Destinations of a state folder that is gone: nobody knows their secrets any more. */
async function retireBackends(call: Caller): Promise<void> {
  const { data } = await call('GET', '/v1/merchant/destinations')
  for (const { id, name } of data) {
    if (name === backendName) await call('POST', `/v1/merchant/destinations/${id}/archive`, {})
  }
}

/** Its record and its items, where they are missing. */
async function stockMerchant(
  options: SeedOptions,
  { slug, domain, name, account_id }: SandboxMerchant,
  call: Caller,
): Promise<void> {
  const { currency } = sandboxPrice
  const { data: known } = await call('GET', '/v1/merchant/catalog_items?limit=100')
  await options.administer((admin) => admin.holdSandboxDomain(account_id, domain))
  await call('POST', '/v1/merchant', { slug, domain, name, country: 'US', mcc: '5999', currency })
  for (const scenario of sandboxScenarios) {
    if ((scenario === 'other_merchant') !== (slug === otherMerchant.slug)) continue
    const wanted = itemOf(scenario)
    const found = known.find(({ handle }: Answer) => handle === wanted.handle)
    const item = found ?? (await call('POST', '/v1/merchant/catalog_items', wanted))
    await call('POST', `/v1/merchant/catalog_items/${item.id}/publish`, {})
  }
}

function originOf({ baseUrl }: SeedOptions): string {
  return new URL(baseUrl).origin
}

function itemUrl(scenario: SandboxScenario): string {
  const { domain } = scenario === 'other_merchant' ? otherMerchant : firstMerchant
  return `https://${domain}/items/${scenario}`
}

/** The price in the catalog; the last two behaviors cost more than buyers expect. */
function itemOf(scenario: SandboxScenario) {
  const factor = scenario === 'price_up_3' ? 103 : scenario === 'price_up_20' ? 120 : 100
  const price = Math.round((sandboxPrice.amount * factor) / 100)
  return {
    handle: scenario.replaceAll('_', '-'),
    title: `Sandbox item: ${scenario.replaceAll('_', ' ')}`,
    url: itemUrl(scenario),
    item_type: 'product',
    variants: [
      {
        sku: `sandbox-${scenario}`,
        title: 'Default',
        price,
        currency: sandboxPrice.currency,
        availability: 'in_stock',
      },
    ],
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of our own API, whose shapes its contract fixes
type Answer = any

type Caller = (method: string, path: string, body?: unknown) => Promise<Answer>

function caller(baseUrl: string, key: string): Caller {
  return async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok)
      throw new CommandFailure(
        `The sandbox could not be set up: ${method} ${path} answered ${JSON.stringify(answer)}`,
      )
    return answer
  }
}

async function callSandbox({ control_token: token }: SandboxUrls, url: string, body: unknown): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new CommandFailure(`The sandbox refused its setup with status ${response.status}.`)
}
