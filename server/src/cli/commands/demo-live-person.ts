import { randomBytes } from 'node:crypto'
import type { Id } from '../../core/id.ts'
import { issueKey } from '../../domain/accounts/api-keys/public.ts'
import { CommandFailure } from '../failure.ts'
import { administer } from '../operator/administer.ts'
import { roleConfig } from '../role-config.ts'
import { simulatorKey } from '../up/rehearsal.ts'
import type { Up } from '../up/start-up.ts'
import type { DemoClient } from './demo-client.ts'
import { demoProfile } from './demo-person.ts'

export type Buyer = { readonly profileId: string; readonly methodId: string }

// biome-ignore lint/suspicious/noExplicitAny: answers of our own API, whose shapes its contract fixes
type Answer = any

/** The page of an integrator, on which the component is shown. */
const page = 'https://shop.example'

/** A person with a card, which they have entered at Stripe. */
export async function openBuyer({ ready, state }: Up, client: DemoClient): Promise<Buyer> {
  const { base_url: baseUrl, keys } = ready
  const profile = await client.rest(keys.secret_live, 'POST', '/v1/profiles', demoProfile)
  const publishable_key = await pageKey(state.path, ready.account_id)
  const component = 'AddPaymentMethod'
  const vouched = await client.rest(keys.secret_live, 'POST', '/v1/elements/client_secrets', {
    profile_id: profile.id,
    components: [component],
  })
  const begun = await post(
    `${baseUrl}/elements/v1/bootstraps`,
    { publishable_key, component },
    { origin: page },
  )
  const { session } = await post(`${baseUrl}/elements/v1/sessions`, {
    ...{ publishable_key, component, bootstrap: begun.bootstrap },
    ...{ profile_id: profile.id, client_secret: vouched.client_secret },
  })
  const setup = await client.rest(session, 'POST', '/elements/v1/card_setups', {})
  await enterCard(ready.sandbox.stripe_url, setup.client_secret)
  const added = await client.rest(session, 'POST', '/elements/v1/payment_methods', {
    type: 'card',
    card: {
      kind: 'existing',
      vault_token_id: setup.id,
      agentic_credentials_enrollment_requested: true,
      agentic_terms_acknowledged: true,
    },
  })
  const path = `/v1/profiles/${profile.id}/payment_methods/${added.id}`
  await client.rest(keys.secret_live, 'POST', path, { is_default: true })
  return { profileId: String(profile.id), methodId: String(added.id) }
}

/** What the processor's fields do in the frame, once their person has typed a card. */
async function enterCard(stripeUrl: string, clientSecret: string): Promise<void> {
  const [setup] = clientSecret.split('_secret')
  const answer = await fetch(`${stripeUrl}/v1/setup_intents/${setup}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulatorKey}` },
    body: new URLSearchParams({ payment_method: 'pm_card_visa', return_url: page }),
  })
  if (!answer.ok) throw new CommandFailure(`The simulator of Stripe takes no card: ${await answer.text()}`)
}

type As = { readonly client: DemoClient; readonly key: string; readonly baseUrl: string }

/** The person opens the approval page, proves the card to its bank in a window, and says yes. */
export async function releaseAsPerson(
  { client, key, baseUrl }: As,
  { id, max_allowed_amount }: Answer,
  { methodId: profile_payment_method_id }: Buyer,
): Promise<void> {
  const link = await client.rest(key, 'POST', `/v1/purchase_intents/${id}/approval_links`, {})
  const claimed = await post(`${baseUrl}/elements/v1/approval_links/claim`, {
    token: new URL(link.url).hash.slice(1),
    claim_secret: randomBytes(24).toString('base64url'),
  })
  const { session } = claimed
  const proof = await client.rest(session, 'POST', '/elements/v1/purchase_intent/payment_verifications', {
    profile_payment_method_id,
  })
  const window = String(proof.window_url).split('#')[1]
  const ask = (path: string, more: object) =>
    post(`${baseUrl}/elements/v1/ceremonies/${path}`, { window, ...more })
  const { bank } = await ask('open', {})
  await fetch(`${bank.url}/complete`, { method: 'POST', redirect: 'manual' })
  await ask('open', {})
  await ask('finish', { is_confirmed: true })
  const { assertion } = await client.rest(session, 'GET', `/elements/v1/payment_verifications/${proof.id}`)
  await client.rest(session, 'POST', '/elements/v1/purchase_intent/approve', {
    approve: true,
    ...{ max_allowed_amount, profile_payment_method_id },
    payment_verification: { method: 'popup', assertion },
  })
}

async function pageKey(state: string, accountId: string): Promise<string> {
  const tenant = { accountId: accountId as Id<'acct'>, mode: 'live' } as const // as `up` has made it
  const { token } = await administer(roleConfig(state), (admin) =>
    admin.inTenant(tenant, async (ctx) =>
      issueKey(ctx, {
        kind: 'publishable',
        name: 'page of the rehearsal',
        preset: 'full',
        origins: [page],
        capabilities: ['elements'],
      }),
    ),
  )
  return token
}

async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new CommandFailure(`${new URL(url).pathname} answered ${text}`)
  return text === '' ? {} : JSON.parse(text)
}
