import { Secret } from '../secrets/secret.ts'
import { isRehearsal } from './is-rehearsal.ts'
import { type SettingName, settingsTable } from './settings-table.ts'

export type StripeAccount = {
  readonly url: string
  readonly secretKey: Secret
  /** By which a page has Stripe collect cards; null: none does. */
  readonly publishableKey: string | null
  /** The profile for which others have tokens issued; null: it takes none. */
  readonly networkId: string | null
  /** In whose name cards are issued; null: none are. */
  readonly cardholder: string | null
}

/** Test mode's account is the one that the simulator knows. */
export function stripeOf(
  text: (name: SettingName) => string | null,
): Readonly<Partial<Record<'test' | 'live', StripeAccount>>> {
  const [simulator, url] = [text('PROKURA_SANDBOX_STRIPE_URL'), text('PROKURA_STRIPE_URL')]
  const [secretKey, networkId] = [text('PROKURA_STRIPE_SECRET_KEY'), text('PROKURA_STRIPE_NETWORK_ID')]
  return {
    ...(simulator === null
      ? {}
      : {
          test: {
            url: simulator,
            secretKey: new Secret('sk_test_sandbox'),
            publishableKey: null,
            networkId: 'profile_test_sandbox',
            cardholder: 'ich_sandbox',
          },
        }),
    ...(url === null || secretKey === null
      ? {}
      : {
          live: {
            url,
            secretKey: new Secret(secretKey),
            publishableKey: text('PROKURA_STRIPE_PUBLISHABLE_KEY'),
            networkId,
            cardholder: text('PROKURA_STRIPE_CARDHOLDER'),
          },
        }),
  }
}

/** The simulator tells its account everything. */
export function cardReadersOf(
  text: (name: SettingName) => string | null,
): Readonly<Partial<Record<'test' | 'live', Pick<StripeAccount, 'url' | 'secretKey'>>>> {
  const [simulator, url] = [text('PROKURA_SANDBOX_STRIPE_URL'), text('PROKURA_STRIPE_URL')]
  const key = text('PROKURA_VAULT_STRIPE_KEY')
  return {
    ...(simulator === null ? {} : { test: { url: simulator, secretKey: new Secret('sk_test_sandbox') } }),
    ...(url === null || key === null ? {} : { live: { url, secretKey: new Secret(key) } }),
  }
}

/** The simulator signs with what it is told; everybody knows it, and in test mode it can release no money. */
export function authorizationSecretsOf(
  text: (name: SettingName) => string | null,
): Readonly<Partial<Record<'test' | 'live', Secret>>> {
  const [simulator, secret] = [
    text('PROKURA_SANDBOX_STRIPE_URL'),
    text('PROKURA_STRIPE_AUTHORIZATIONS_SECRET'),
  ]
  return {
    ...(simulator === null ? {} : { test: new Secret('whsec_test_sandbox') }),
    ...(secret === null ? {} : { live: new Secret(secret) }),
  }
}

export function stripeWebhookOf(
  text: (name: SettingName) => string | null,
): { readonly account: string; readonly secret: Secret } | null {
  const [account, secret] = [text('PROKURA_STRIPE_ACCOUNT'), text('PROKURA_STRIPE_WEBHOOK_SECRET')]
  return account === null || secret === null ? null : { account, secret: new Secret(secret) }
}

/**
 * In test mode Stripe's, where a key for it is set; else the simulator, which knows its agent. In live mode the operator's account, where
 * they say so.
 */
export function tokenIssuersOf(
  text: (name: SettingName) => string | null,
): Readonly<Partial<Record<'test' | 'live', Pick<StripeAccount, 'url' | 'secretKey'>>>> {
  const [simulator, url] = [text('PROKURA_SANDBOX_STRIPE_URL'), text('PROKURA_STRIPE_URL')]
  const [testKey, liveKey] = [text('PROKURA_STRIPE_TEST_ISSUER_KEY'), text('PROKURA_STRIPE_SECRET_KEY')]
  const isLive = text('PROKURA_LIVE_RAIL') === 'stripe' && text('PROKURA_STRIPE_TOKENS') === 'on'
  const issuer = (at: string, key: string) => ({ url: at, secretKey: new Secret(key) })
  return {
    ...(testKey !== null && url !== null
      ? { test: issuer(url, testKey) }
      : simulator === null
        ? {}
        : { test: issuer(simulator, 'sk_test_agent') }),
    ...(isLive && url !== null && liveKey !== null ? { live: issuer(url, liveKey) } : {}),
  }
}

/** A half of an account would look like none, and a test key would sell goods for money that does not exist. */
export function stripeFaults(values: ReadonlyMap<SettingName, unknown>): string[] {
  const [key, network] = [values.get('PROKURA_STRIPE_SECRET_KEY'), values.get('PROKURA_STRIPE_NETWORK_ID')]
  const url = values.get('PROKURA_STRIPE_URL')
  const issuer = values.get('PROKURA_STRIPE_TEST_ISSUER_KEY')
  const [reader, cardholder] = [
    values.get('PROKURA_VAULT_STRIPE_KEY'),
    values.get('PROKURA_STRIPE_CARDHOLDER'),
  ]
  const isSet = (value: unknown): value is string => typeof value === 'string'
  const isAtStripe = url === settingsTable.PROKURA_STRIPE_URL.default
  const isOfTestMode = (value: unknown) => isSet(value) && /^(sk|rk)_test_/.test(value)
  return [
    ...(isSet(issuer) && !/^(sk|rk)_test_/.test(issuer)
      ? ["PROKURA_STRIPE_TEST_ISSUER_KEY is no key of Stripe's test mode, and tokens would move real money"]
      : []),
    ...(isSet(network) && !isSet(key)
      ? ['PROKURA_STRIPE_NETWORK_ID needs PROKURA_STRIPE_SECRET_KEY; set both or none']
      : []),
    ...(isSet(key) && !isSet(network) && values.get('PROKURA_LIVE_RAIL') === 'none'
      ? [
          'PROKURA_STRIPE_SECRET_KEY pays for nothing alone; set PROKURA_LIVE_RAIL=stripe, or PROKURA_STRIPE_NETWORK_ID, or unset it',
        ]
      : []),
    ...(isOfTestMode(key) && isAtStripe
      ? [
          "PROKURA_STRIPE_SECRET_KEY is a key of Stripe's test mode, and live mode would take it; set a live key",
        ]
      : []),
    ...(isOfTestMode(reader) && isAtStripe
      ? [
          "PROKURA_VAULT_STRIPE_KEY is a key of Stripe's test mode, and reads no card of live mode; set a live key",
        ]
      : []),
    ...(isSet(cardholder) && !isSet(key)
      ? [
          'PROKURA_STRIPE_CARDHOLDER is set, and PROKURA_STRIPE_SECRET_KEY is not: no card is issued without it',
        ]
      : []),
    ...webhookFaults(values),
    ...liveRailFaults(values),
  ]
}

/** A half of them would answer every message with a refusal. */
function webhookFaults(values: ReadonlyMap<SettingName, unknown>): string[] {
  const isSet = (name: SettingName) => typeof values.get(name) === 'string'
  return isSet('PROKURA_STRIPE_ACCOUNT') === isSet('PROKURA_STRIPE_WEBHOOK_SECRET')
    ? []
    : [
        'PROKURA_STRIPE_ACCOUNT and PROKURA_STRIPE_WEBHOOK_SECRET go together: the endpoint /inbound/stripe/acct_… and the secret that signs what comes there; set both or none',
      ]
}

/** What live mode needs before it moves money: each lack with what to set. */
function liveRailFaults(values: ReadonlyMap<SettingName, unknown>): string[] {
  if (values.get('PROKURA_LIVE_RAIL') !== 'stripe')
    return values.get('PROKURA_STRIPE_TOKENS') === 'on'
      ? [
          'PROKURA_STRIPE_TOKENS=on pays sellers elsewhere from the cards of live mode; set PROKURA_LIVE_RAIL=stripe, or unset it',
        ]
      : []
  const [key, url] = [values.get('PROKURA_STRIPE_SECRET_KEY'), values.get('PROKURA_STRIPE_URL')]
  const publishable = values.get('PROKURA_STRIPE_PUBLISHABLE_KEY')
  const needed = (name: SettingName, what: string) =>
    typeof values.get(name) === 'string' ? [] : [`PROKURA_LIVE_RAIL=stripe needs ${name}: ${what}`]
  return [
    ...needed('PROKURA_STRIPE_SECRET_KEY', "the account's secret or restricted key"),
    ...needed('PROKURA_STRIPE_PUBLISHABLE_KEY', 'with it, people enter cards at Stripe'),
    ...needed('PROKURA_PUBLIC_URL', 'people come back to it from their bank'),
    ...needed(
      'PROKURA_LIVE_CAP_DAILY',
      'the most that all accounts together may spend in a day, such as "500.00 USD"',
    ),
    ...(typeof key === 'string' && !/^(sk|rk)_live_/.test(key) && !isRehearsal(url)
      ? [
          'PROKURA_STRIPE_SECRET_KEY is no live key, and PROKURA_LIVE_RAIL=stripe is about real money; set a key that begins with sk_live_ or rk_live_',
        ]
      : []),
    ...(typeof publishable === 'string' && !/^pk_live_/.test(publishable) && !isRehearsal(url)
      ? [
          'PROKURA_STRIPE_PUBLISHABLE_KEY is no live key; set the one that begins with pk_live_, of the account of PROKURA_STRIPE_SECRET_KEY',
        ]
      : []),
  ]
}
