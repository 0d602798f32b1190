import type { SandboxNames } from '../../platform/egress/egress.ts'
import type { SandboxUrls } from './sandbox-world.ts'

/** What live mode is set to where it is rehearsed at the simulator of Stripe, whose keys everybody knows. */
export function rehearsalSettings({ stripe_url }: SandboxUrls, port: number): Record<string, string> {
  return {
    PROKURA_LIVE_RAIL: 'stripe',
    PROKURA_LIVE_CAP_DAILY: '1000.00 USD',
    PROKURA_STRIPE_URL: stripe_url,
    PROKURA_STRIPE_SECRET_KEY: simulatorKey,
    PROKURA_STRIPE_PUBLISHABLE_KEY: 'pk_live_sandbox',
    PROKURA_STRIPE_CARDHOLDER: 'ich_sandbox',
    PROKURA_STRIPE_TOKENS: 'on',
    PROKURA_STRIPE_AUTHORIZATIONS_SECRET: authorizationsSecret,
    PROKURA_CARDS_URL: `http://cards.localhost:${port}`,
  }
}

/** Of the simulator's account in live mode. The vault reads the numbers of cards with it. */
export const simulatorKey = 'sk_live_sandbox'

const authorizationsSecret = 'whsec_live_sandbox'

/** Has the simulator ask about charges of issued cards, as an operator does in the Dashboard. */
export async function decideCharges(
  { stripe_url, control_token }: SandboxUrls,
  baseUrl: string,
): Promise<void> {
  const endpoint = `${baseUrl}/inbound/stripe/authorizations`
  const answer = await fetch(`${stripe_url}/control/issuing`, {
    method: 'POST',
    headers: { authorization: `Bearer ${control_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, secret: authorizationsSecret }),
  })
  if (!answer.ok) throw new Error(`the simulator of Stripe does not take its settings: ${answer.status}`)
}

/** The shops of the sandbox by their names: test mode's, and live mode's too where it is rehearsed. */
export function sandboxNames(
  { strangers: { addresses, authority, payment_hosts } }: SandboxUrls,
  isRehearsed: boolean,
): SandboxNames {
  const names = { addresses, certificate: authority.certificate, paymentHosts: payment_hosts }
  return isRehearsed ? { ...names, modes: ['test', 'live'] } : names
}
