import { expect } from 'vitest'
import type { TestAccount } from './app.ts'
import type { Buyer, Buying } from './buying.ts'
import { askForSession, newPageKey } from './element-sessions.ts'
import { linkAt } from './link.ts'
import { person } from './person.ts'
import { stripeLiveKey } from './stripe.ts'

/** What a person does in the processor's part of the frame: they enter a card, and confirm it where their bank wants them to. */
export async function enterAtStripe(
  { sandbox }: { sandbox: Pick<Buying['sandbox'], 'stripeUrl'> },
  clientSecret: string,
  card: string,
): Promise<void> {
  const [setup] = clientSecret.split('_secret')
  const answer = await fetch(`${sandbox.stripeUrl}/v1/setup_intents/${setup}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripeLiveKey}` },
    body: new URLSearchParams({ payment_method: card, return_url: 'https://shop.example/back' }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: what it has is what this asks
  const body: any = await answer.json()
  const bank = body.next_action?.redirect_to_url.url
  if (bank) await fetch(`${bank}/complete`, { method: 'POST', redirect: 'manual' })
}

/** A session of the component that adds cards to a profile of live mode, for which the account's server vouches. */
export async function cardSession({ app }: Pick<Buying, 'app'>, { account, profileId }: Buyer) {
  const key = await newPageKey(app, account, 'live')
  const component = 'AddPaymentMethod'
  const subject = { profile_id: profileId }
  const made = await app.post(
    '/v1/elements/client_secrets',
    { ...subject, components: [component] },
    { key: account.keys.secret_live },
  )
  const { client_secret } = made.body
  const { status, body } = await askForSession(app, key, { component, ...subject, client_secret })
  expect(status, JSON.stringify(body)).toBe(201)
  return String(body.session)
}

/** A profile of live mode with an address, and with this test card of Stripe, which Stripe keeps. */
export async function newLiveBuyer(
  buying: Buying,
  card = 'pm_card_visa',
  {
    account = buying.app.account,
    isNew = false,
    who = person,
  }: { account?: TestAccount; isNew?: boolean; who?: object } = {},
): Promise<Buyer & { method: string }> {
  const { app } = buying
  const key = account.keys.secret_live
  if (!isNew) await tryOut(buying, account)
  const profile = await app.post('/v1/profiles', who, { key })
  expect(profile.status).toBe(201)
  const buyer = { account, profileId: profile.body.id, key }
  const session = await cardSession(buying, buyer)
  const setup = await app.post('/elements/v1/card_setups', undefined, { key: session })
  expect(setup.status, JSON.stringify(setup.body)).toBe(201)
  await enterAtStripe(buying, setup.body.client_secret, card)
  const added = await app.post('/elements/v1/payment_methods', cardOf(setup.body.id), { key: session })
  expect(added.status, JSON.stringify(added.body)).toBe(201)
  const path = `/v1/profiles/${buyer.profileId}/payment_methods/${added.body.id}`
  expect((await app.post(path, { is_default: true }, { key })).status).toBe(200)
  return { ...buyer, method: added.body.id }
}

/** A profile of live mode with an address, whose person has signed in to a wallet at Link; `code` names the wallet there. */
export async function newWalletBuyer({
  isNew = false,
  account,
  ...buying
}: Pick<Buying, 'app' | 'sandbox' | 'sql'> & {
  isNew?: boolean
  account?: TestAccount
}): Promise<Buyer & { method: string; code: string }> {
  const { app, sandbox } = buying
  const of = account ?? app.account
  const key = of.keys.secret_live
  if (!isNew) await tryOut(buying, of)
  const profileId: string = (await app.post('/v1/profiles', person, { key })).body.id
  const path = `/v1/profiles/${profileId}/wallet_sign_ins`
  const begun = await app.post(path, undefined, { key })
  expect(begun.status, JSON.stringify(begun.body)).toBe(201)
  await linkAt({ url: sandbox.linkUrl, token: sandbox.controlToken }).say(begun.body.url, 'yes')
  const added = await app.post(`${path}/${begun.body.id}/complete`, undefined, { key })
  expect(added.status, JSON.stringify(added.body)).toBe(201)
  return { account: of, profileId, key, method: added.body.id, code: begun.body.user_code }
}

/** As if ten purchases of the account had succeeded in live mode, on another day: none of its first ones is left. */
async function tryOut({ sql }: Pick<Buying, 'sql'>, { accountId }: TestAccount): Promise<void> {
  await sql(
    `insert into live_holds (account_id, mode, intent_id, number, currency, day, amount, charged, created_at)
     select $1, 'live', 'pi_before_' || n, 1, 'USD', date '2020-01-01', 1, 1, now() from generate_series(1, 10) as n
     on conflict do nothing`,
    [accountId],
  )
  await sql(
    `insert into live_days select currency, day, sum(charged) from live_holds where day = '2020-01-01' group by 1, 2
     on conflict (currency, day) do update set used = excluded.used`,
  )
}

/** A payment method of a card that a person has entered at the processor. */
export function cardOf(setup: string) {
  return {
    type: 'card',
    card: {
      kind: 'existing',
      vault_token_id: setup,
      agentic_credentials_enrollment_requested: true,
      agentic_terms_acknowledged: true,
    },
  }
}
