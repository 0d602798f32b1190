import { everyOperation } from '../../../src/composition.ts'
import { standsOn } from '../../../src/contract/operation.ts'
import { liftedLimits, startTestApp, type TestApp } from '../../harness/app.ts'
import { openPage } from '../../harness/approval-pages.ts'
import { type Buyer, createPurchase, newBuyer } from '../../harness/buyers.ts'
import {
  type Component,
  type ComponentPage,
  elementsOfTests,
  openComponentPage,
} from '../../harness/component-page.ts'
import { purchaseAtWall } from '../../harness/merchant-wall.ts'
import type { SuiteRun, Tally } from '../suite.ts'

const components = [
  'AddPaymentMethod',
  'AddOrSelectPaymentMethod of a profile',
  'AddOrSelectPaymentMethod of a purchase',
  'MerchantAuthHandoff',
  'ApprovalPage',
] as const
type Name = (typeof components)[number]

/** What a component can name: a card, and a proof that was begun with it. */
type Named = { readonly card: string; readonly proof: string }

type Call = {
  /** The operation that it is. */
  readonly id: string
  readonly may: readonly Name[]
  readonly method: 'GET' | 'POST'
  readonly path: (named: Named) => string
  readonly body?: (named: Named) => object
  /** What of `Named` stands in it: another one is not there. */
  readonly names?: keyof Named
  /** It names what is not there, which is looked for once the session may call it at all. */
  readonly misses?: true
}

const [add, selectForProfile, selectForPurchase, handoff, approval] = components
const adders = [add, selectForProfile, selectForPurchase] as const

/** Who may do what, by the documentation: written by hand, and not read from the operations. */
const calls: readonly Call[] = [
  {
    id: 'v1_list_profile_payment_methods',
    may: [selectForProfile, selectForPurchase, approval],
    method: 'GET',
    path: () => '/payment_methods',
  },
  {
    id: 'v1_create_profile_payment_method',
    may: adders,
    method: 'POST',
    path: () => '/payment_methods',
    body: () => ({ type: 'card', card: { kind: 'existing', vault_token_id: 'visa_auto_approved' } }),
  },
  {
    id: 'v1_verify_profile_payment_method',
    may: adders,
    method: 'POST',
    path: ({ card }) => `/payment_methods/${card}/verify`,
    body: () => ({ method: 'otp', code: '123456' }),
    names: 'card',
  },
  {
    id: 'elements_create_enrollment_verification',
    may: adders,
    method: 'POST',
    path: ({ card }) => `/payment_methods/${card}/payment_verifications`,
    body: () => ({}),
    names: 'card',
  },
  {
    id: 'elements_create_card_setup',
    may: adders,
    method: 'POST',
    path: () => '/card_setups',
  },
  {
    id: 'v1_create_wallet_sign_in',
    may: adders,
    method: 'POST',
    path: () => '/wallet_sign_ins',
  },
  {
    id: 'v1_complete_wallet_sign_in',
    may: adders,
    method: 'POST',
    path: () => '/wallet_sign_ins/wlt_01jb2w9m4ye6xs3kq8t7v5c0zd/complete',
    misses: true,
  },
  {
    id: 'elements_add_billing_address',
    may: adders,
    method: 'POST',
    path: () => '/billing_addresses',
    body: () => ({ line1: 'Ring 1', city: 'Wien', postal_code: '1010', country: 'AT' }),
  },
  {
    id: 'elements_create_standing_budget',
    may: adders,
    method: 'POST',
    path: ({ card }) => `/payment_methods/${card}/standing_budgets`,
    body: () => ({ budget: { amount: 5000, currency: 'EUR', interval: 'month' } }),
  },
  {
    id: 'v1_get_purchase_intent',
    may: [selectForPurchase, handoff, approval],
    method: 'GET',
    path: () => '/purchase_intent',
  },
  {
    id: 'elements_create_approval_verification',
    may: [selectForPurchase, approval],
    method: 'POST',
    path: () => '/purchase_intent/payment_verifications',
    body: ({ card }) => ({ profile_payment_method_id: card }),
    names: 'card',
  },
  {
    id: 'elements_get_payment_verification',
    may: [...adders, approval],
    method: 'GET',
    path: ({ proof }) => `/payment_verifications/${proof}`,
    names: 'proof',
  },
  {
    id: 'elements_prove_payment_by_code',
    may: [...adders, approval],
    method: 'POST',
    path: ({ proof }) => `/payment_verifications/${proof}/code`,
    body: () => ({ code: '000000' }),
    names: 'proof',
  },
  {
    id: 'elements_begin_credential_ticket',
    may: [handoff],
    method: 'POST',
    path: () => '/purchase_intent/credential_tickets',
    body: () => ({}),
  },
  {
    id: 'elements_seal_credential_ticket',
    may: [handoff],
    method: 'POST',
    path: () => '/purchase_intent/credential_tickets/ticket_01jb2w9m4ye6xs3kq8t7v5c0zd/seal',
    body: () => ({ key: 'vsk_1', enc: 'AAAA', ciphertext: 'AAAA' }),
  },
  {
    id: 'v1_retry_purchase_intent',
    may: [handoff],
    method: 'POST',
    path: () => '/purchase_intent/retry',
    body: () => ({ credential_ticket_id: 'ticket_01jb2w9m4ye6xs3kq8t7v5c0zd' }),
  },
  {
    id: 'v1_approve_purchase_intent',
    may: [approval],
    method: 'POST',
    path: () => '/purchase_intent/approve',
    body: () => ({ approve: true, max_allowed_amount: 1 }),
  },
]

/** Sessions of every component × every call × whose card or proof it names, and every way in which a session is none. */
export async function checkSessions({ server, tally }: SuiteRun): Promise<void> {
  const app = await startTestApp({ server, elements: elementsOfTests, limits: liftedLimits })
  try {
    checkThatAllAreListed(tally)
    const world = await makeWorld(app)
    for (const name of components) await checkComponent(world, name, tally)
    await checkEndedSessions(world, tally)
  } finally {
    await app.stop()
  }
}

function checkThatAllAreListed(tally: Tally): void {
  const reached = everyOperation.filter(
    (operation) => standsOn(operation, 'elements') && ['secret', 'session'].includes(operation.auth),
  )
  for (const { id } of reached)
    if (calls.some((call) => call.id === id)) tally.pass()
    else tally.fail(`${id} is reached by sessions of components, and the list does not say by which`)
}

type World = {
  readonly app: TestApp
  readonly page: ComponentPage
  readonly buyer: Buyer
  readonly own: Named
  readonly foreign: Readonly<Record<string, Named>>
  open(name: Name): Promise<Component>
}

async function makeWorld(app: TestApp): Promise<World> {
  const page = await openComponentPage(app)
  const buyer = await newBuyer(app, { card: 'visa_otp_required', enrolled: true })
  const named = async (from: ComponentPage, owner: Buyer): Promise<Named> => {
    const component = await from.openVouched('AddPaymentMethod', { profile_id: owner.profileId })
    const card = owner.paymentMethodId ?? ''
    const { body } = await component.post(`/payment_methods/${card}/payment_verifications`)
    return { card, proof: body.id }
  }
  const stranger = { key: app.stranger.keys.secret_test }
  const live = { key: app.account.keys.secret_live }
  const card = { card: 'visa_otp_required', enrolled: true } as const
  const foreign = {
    'another profile': await named(page, await newBuyer(app, card)),
    'another account': await named(
      await openComponentPage(app, { account: app.stranger }),
      await newBuyer(app, { ...card, ...stranger }),
    ),
    'another mode': { card: (await newBuyer(app, { card: null, ...live })).profileId, proof: 'pver_live' },
    'another origin': {
      card: 'pm_01jb2w9m4ye6xs3kq8t7v5c0zd',
      proof: (await named(await openComponentPage(app, { origin: 'https://other.example' }), buyer)).proof,
    },
    'never existed': {
      card: 'pm_01jb2w9m4ye6xs3kq8t7v5c0zd',
      proof: 'pver_01jb2w9m4ye6xs3kq8t7v5c0zd',
    },
  }
  return {
    app,
    page,
    buyer,
    own: await named(page, buyer),
    foreign,
    async open(name) {
      const ofProfile = { profile_id: buyer.profileId }
      if (name === add) return page.open('AddPaymentMethod', ofProfile)
      if (name === selectForProfile) return page.open('AddOrSelectPaymentMethod', ofProfile)
      if (name === handoff) {
        const { id } = await purchaseAtWall(app)
        return page.open('MerchantAuthHandoff', { purchase_intent_id: id })
      }
      const { body } = await createPurchase(app, buyer)
      if (name === selectForPurchase)
        return page.open('AddOrSelectPaymentMethod', { purchase_intent_id: body.id })
      const session = await openPage(app, body.id)
      const ask = (method: 'GET' | 'POST', path: string, sent?: object) =>
        app.request(method, `/elements/v1${path}`, { key: session, ...(sent ? { body: sent } : {}) })
      return {
        session,
        get: (path) => ask('GET', path),
        post: (path, sent = {}) => ask('POST', path, sent),
      }
    },
  }
}

/** The status and code of a call. */
async function outcomeOf(component: Component, call: Call, named: Named): Promise<string> {
  const path = call.path(named)
  const { status, body } =
    call.method === 'GET' ? await component.get(path) : await component.post(path, call.body?.(named))
  return status < 300 ? 'done' : `${status} ${Array.isArray(body?.detail) ? 'invalid' : body?.detail?.code}`
}

const kept = ['403 insufficient_scope', '404 not_found']

async function checkComponent(world: World, name: Name, tally: Tally): Promise<void> {
  for (const call of calls) {
    const component = await world.open(name)
    const own = await outcomeOf(component, call, world.own)
    // A proof that another page has begun is not this one's, nor a card of another profile.
    const isElsewhere = name === approval && call.names === 'proof'
    const isMissed = (name === handoff || call.misses === true) && own === '404 not_found'
    const isReached = !kept.includes(own) || isElsewhere || isMissed
    if (call.may.includes(name) ? isReached && own !== kept[0] : own === kept[0] || own === kept[1])
      tally.pass()
    else tally.fail(`${name} calls ${call.id}: ${own}`)
    if (call.names === undefined) continue
    for (const [whose, named] of Object.entries(world.foreign)) {
      const outcome = await outcomeOf(component, call, named)
      const isRefused = call.may.includes(name) ? outcome === kept[1] : kept.includes(outcome)
      if (isRefused) tally.pass()
      else tally.fail(`${name} calls ${call.id} with what is of ${whose}: ${outcome}`)
    }
  }
}

/** A session that is over, of a revoked key, or none at all reaches nothing. */
async function checkEndedSessions({ app, page, own, open }: World, tally: Tally): Promise<void> {
  for (const name of components) {
    const component = await open(name)
    const as = (session: string): Component => ({
      session,
      get: (path) => app.request('GET', `/elements/v1${path}`, { key: session }),
      post: (path, body = {}) => app.request('POST', `/elements/v1${path}`, { key: session, body }),
    })
    const ends: Record<string, () => Promise<Component>> = {
      'never existed': async () => as(`${component.session.slice(0, -4)}0000`),
      'is a secret key': async () => as(app.account.keys.secret_test),
      'is a publishable key': async () => as(page.key),
      'is over': async () => {
        await app.sql(`update element_sessions set expires_at = prokura_now() - interval '1 second'`)
        return component
      },
    }
    for (const [how, make] of Object.entries(ends)) {
      const ended = await make()
      for (const call of calls) {
        const outcome = await outcomeOf(ended, call, own)
        if (outcome === '410 session_expired') tally.pass()
        else tally.fail(`a session of ${name} that ${how} calls ${call.id}: ${outcome}`)
      }
    }
  }
  const last = await open(add)
  await app.sql(`update api_keys set revoked_at = prokura_now() where id = $1`, [page.keyId])
  for (const call of calls) {
    const outcome = await outcomeOf(last, call, own)
    if (outcome === '410 session_expired') tally.pass()
    else tally.fail(`a session of a revoked key calls ${call.id}: ${outcome}`)
  }
}
