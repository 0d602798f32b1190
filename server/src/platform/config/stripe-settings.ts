import { Secret } from '../secrets/secret.ts'
import { type SettingName, settingsTable } from './settings-table.ts'

/** `networkId`: the profile for which others have tokens issued. */
export type StripeAccount = { readonly url: string; readonly secretKey: Secret; readonly networkId: string }

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
            networkId: 'profile_test_sandbox',
          },
        }),
    ...(url === null || secretKey === null || networkId === null
      ? {}
      : { live: { url, secretKey: new Secret(secretKey), networkId } }),
  }
}

/** Stripe's test mode, where a key for it is set; else the simulator, which knows its agent. */
export function tokenIssuerOf(
  text: (name: SettingName) => string | null,
): Pick<StripeAccount, 'url' | 'secretKey'> | null {
  const [simulator, url] = [text('PROKURA_SANDBOX_STRIPE_URL'), text('PROKURA_STRIPE_URL')]
  const secretKey = text('PROKURA_STRIPE_TEST_ISSUER_KEY')
  if (secretKey !== null && url !== null) return { url, secretKey: new Secret(secretKey) }
  return simulator === null ? null : { url: simulator, secretKey: new Secret('sk_test_agent') }
}

/** A half of an account would look like none, and a test key would sell goods for money that does not exist. */
export function stripeFaults(values: ReadonlyMap<SettingName, unknown>): string[] {
  const [key, network] = [values.get('PROKURA_STRIPE_SECRET_KEY'), values.get('PROKURA_STRIPE_NETWORK_ID')]
  const url = values.get('PROKURA_STRIPE_URL')
  const issuer = values.get('PROKURA_STRIPE_TEST_ISSUER_KEY')
  const isSet = (value: unknown): value is string => typeof value === 'string'
  return [
    ...(isSet(issuer) && !/^(sk|rk)_test_/.test(issuer)
      ? ["PROKURA_STRIPE_TEST_ISSUER_KEY is no key of Stripe's test mode, and tokens would move real money"]
      : []),
    ...(isSet(key) === isSet(network)
      ? []
      : ['PROKURA_STRIPE_SECRET_KEY and PROKURA_STRIPE_NETWORK_ID are set together; set both or none']),
    ...(isSet(key) && /^(sk|rk)_test_/.test(key) && url === settingsTable.PROKURA_STRIPE_URL.default
      ? [
          "PROKURA_STRIPE_SECRET_KEY is a key of Stripe's test mode, and live mode would take it; set a live key",
        ]
      : []),
  ]
}
