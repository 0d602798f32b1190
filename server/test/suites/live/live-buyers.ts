import { administer } from '../../../src/cli/operator/administer.ts'
import { issueKey } from '../../../src/domain/accounts/api-keys/public.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { cardOf, enterAtStripe } from '../../harness/live-buyers.ts'
import { person } from '../../harness/person.ts'
import { memberOf } from '../client.ts'
import { queryStored } from '../load/query-stored.ts'
import { bodyOf, type Service } from '../whole-product.ts'
import type { StripeProcess } from './stripe-process.ts'

const page = 'https://shop.example'

/** Profiles of live mode with a card that Stripe keeps, of an account whose first purchases are behind it. */
export async function openLiveBuyers(
  service: Service,
  stripe: StripeProcess,
): Promise<{ attended: string; unattended: string }> {
  await tryOut(service)
  const publishable = await pageKeyOf(service)
  const [attended, unattended] = [
    await newLiveProfile(service, { stripe, publishable }),
    await newLiveProfile(service, { stripe, publishable }),
  ]
  return { attended, unattended }
}

async function newLiveProfile(
  service: Service,
  { stripe, publishable }: { stripe: StripeProcess; publishable: string },
): Promise<string> {
  const send = (path: string, body: object | null, key: string | null, status: number) =>
    sendAsFrame(`${service.ready.base_url}${path}`, { body, key, status })
  const { id } = await send('/v1/profiles', person, service.person, 201)
  const subject = { profile_id: id }
  const component = 'AddPaymentMethod'
  const asked = { ...subject, components: [component] }
  const { client_secret } = await send('/v1/elements/client_secrets', asked, service.person, 201)
  const shown = { publishable_key: publishable, component }
  const { bootstrap } = await send('/elements/v1/bootstraps', shown, null, 201)
  const begun = { ...shown, ...subject, client_secret, bootstrap }
  const session = String((await send('/elements/v1/sessions', begun, null, 201)).session)
  const setup = await send('/elements/v1/card_setups', null, session, 201)
  await enterAtStripe({ sandbox: { stripeUrl: stripe.url } }, String(setup.client_secret), 'pm_card_visa')
  const added = await send('/elements/v1/payment_methods', cardOf(String(setup.id)), session, 201)
  const path = `/v1/profiles/${id}/payment_methods/${memberOf(added, 'id')}`
  await send(path, { is_default: true }, service.person, 200)
  return String(id)
}

type Said = { body: object | null; key: string | null; status: number }

/** A page calls without a key, and says where it stands. The calls of frames are in no document of clients. */
async function sendAsFrame(url: string, { body, key, status }: Said): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      ...(key === null ? { origin: page } : { authorization: `Bearer ${key}` }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return bodyOf({ status: answer.status, headers: {}, text, body: JSON.parse(text) }, status)
}

function pageKeyOf({ environment, accountId }: Service): Promise<string> {
  return administer(readConfig(environment), (admin) =>
    admin.inTenant({ accountId, mode: 'live' }, async (ctx) => {
      const { token } = issueKey(ctx, {
        kind: 'publishable',
        name: 'page',
        preset: 'full',
        capabilities: ['elements'],
        origins: [page],
        clientSecrets: 'optional',
      })
      return token
    }),
  )
}

/** As if the ten purchases that need a person had succeeded on another day. */
async function tryOut({ ready, accountId }: Service): Promise<void> {
  await queryStored(
    ready.database_url,
    `with held as (insert into live_holds (account_id, mode, intent_id, number, currency, day, amount, charged, created_at)
       select $1, 'live', 'pi_before_' || n, 1, 'USD', date '2020-01-01', 1, 1, now() from generate_series(1, 10) as n returning charged)
     insert into live_days select 'USD', '2020-01-01', sum(charged) from held`,
    [accountId],
  )
}
