import type { TestAccount } from '../../harness/app.ts'
import { memberOf, type Sent } from '../client.ts'
import type { Lane, LaneRequest } from './lane.ts'
import {
  canCancel,
  canRetry,
  channelOf,
  chargedOf,
  domainOf,
  hasStrangerOrder,
  type KeyName,
  type Model,
  type ModelCart,
  type ModelIntent,
  type ModelPolicy,
  type ModelProfile,
  newModel,
  type SellerName,
  sellerNames,
  sum,
  usualPrice,
  usualStock,
} from './model.ts'
import type { Answer } from './predict-create.ts'

/** A fault planted into answers, which the model must notice. */
export type Lie = (sent: Sent, request: LaneRequest) => Sent

/** One account in a lane, as its callers hold it. */
export type Real = {
  lane: Lane
  account: TestAccount
  keys: Record<KeyName, { id: string; agentId: string; token: string }>
  sellers: readonly Seller[]
  /** Makes names different that several runs of a lane would share. */
  run: number
  send(request: LaneRequest): Promise<Sent>
}

/** A merchant of ours with one thing to sell. */
export type Seller = {
  name: SellerName
  key: string
  accountId: string
  itemId: string
  variantId: string
  url: string
  /** A history has changed it. */
  isTouched: boolean
}

export type World = { start: Date; sellers: number }

let runs = 0

export async function openSellers(lane: Lane): Promise<Seller[]> {
  const sellers: Seller[] = []
  for (const name of sellerNames) sellers.push(await openSeller(lane, name))
  return sellers
}

export async function openSeller(lane: Lane, name: SellerName): Promise<Seller> {
  const domain = domainOf(name)
  const url = `https://${domain}/thing`
  const account = await lane.newAccount('Seller')
  const key = account.keys.secret_test
  const post = async (path: string, body: object) => bodyOf(await lane.send({ path, key, body }), [200, 201])
  await post('/v1/merchant', { name: `Native ${name}`, currency: 'EUR', ...usualIdentity(name) })
  await proveDomain(lane, account)
  const item = await post('/v1/merchant/catalog_items', {
    title: 'Thing',
    url,
    variants: [{ sku: 'T-1', price: 1000 }],
  })
  await post(`/v1/merchant/catalog_items/${item.id}/publish`, {})
  const [variant] = item.variants as { id: string }[] // as the contract shows an item
  const ids = { itemId: String(item.id), variantId: variant?.id ?? '' }
  return { name, key, accountId: account.accountId, ...ids, url, isTouched: true }
}

function usualIdentity(name: SellerName): object {
  return { domain: domainOf(name), mcc: '5999', country: 'FR' }
}

export async function proveDomain(lane: Lane, { accountId }: { accountId: string }): Promise<void> {
  await lane.sql('update merchants set domain_verified_at = prokura_now() where account_id = $1', [accountId])
}

/** Every history finds every merchant in the same state. */
async function resetSellers(lane: Lane, sellers: readonly Seller[]): Promise<void> {
  for (const seller of sellers.filter(({ isTouched }) => isTouched)) {
    const { name, key } = seller
    bodyOf(await lane.send({ path: '/v1/merchant', key, body: usualIdentity(name) }), [200])
    await proveDomain(lane, seller)
    await writeVariant(lane.send, seller, { price: usualPrice, quantity: usualStock })
    seller.isTouched = false
  }
}

/** A fresh account with two profiles that can pay, and the model of it. */
export async function openRun(
  lane: Lane,
  sellers: readonly Seller[],
  { start, sellers: count }: World,
  lie: Lie | null,
): Promise<{ model: Model; real: Real }> {
  await lane.clock.set(start)
  lane.rail.refusesCaptures = false
  const account = await lane.newAccount('Buyer')
  const issue = (preset: 'full' | 'buyer_agent' | 'read_only') => lane.app.newKey(account, 'test', preset)
  const keys = {
    person: await issue('full'),
    agent: await issue('buyer_agent'),
    reader: await issue('read_only'),
  }
  const send = async (request: LaneRequest) => {
    const sent = await lane.send(request)
    return lie ? lie(sent, request) : sent
  }
  const real: Real = { lane, account, keys, sellers, run: ++runs, send }
  const model = newModel(start.getTime(), count)
  model.profiles = [
    await newProfile(real, 'visa_auto_approved', 'active'),
    await newProfile(real, 'visa_ineligible', 'ineligible'),
    await newProfile(real, 'visa_auto_approved', 'active', false),
  ]
  await resetSellers(lane, sellers)
  // In about half of the histories most purchases are unattended, so that many failed ones were allowed by a policy.
  if (start.getUTCMonth() % 2 === 0) model.policies.push(await allowMost(real))
  return { model, real }
}

async function allowMost(real: Real): Promise<ModelPolicy> {
  const perPurchase = 50_000
  const body = {
    name: 'Most',
    currency: 'EUR',
    limits: { per_transaction_max: perPurchase },
    approval: { mode: 'never' },
  }
  const sent = await real.send({ path: '/v1/policies', key: real.keys.person.token, body })
  return {
    id: String(bodyOf(sent, [201]).id),
    terms: {
      currency: 'EUR',
      profile: null,
      key: null,
      method: null,
      perPurchase,
      interval: null,
      perDay: null,
      fee: null,
      blocked: null,
      approval: { mode: 'never', minutes: null },
      tolerance: null,
      onExceed: 'reapprove',
    },
    version: 1,
    isArchived: false,
    created: [],
  }
}

export const address = {
  address_type: 'both',
  line1: '1 Rue',
  city: 'Paris',
  postal_code: '75001',
  country: 'FR',
}

async function newProfile(
  real: Real,
  card: 'visa_auto_approved' | 'visa_ineligible',
  enrolment: 'active' | 'ineligible',
  hasAddress = true,
): Promise<ModelProfile> {
  const key = real.keys.person.token
  const profile = bodyOf(
    await real.send({
      path: '/v1/profiles',
      key,
      body: {
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'ada@example.com',
        country: 'FR',
        addresses: hasAddress ? [address] : [],
      },
    }),
    [201],
  )
  const id = String(profile.id)
  const method = bodyOf(
    await real.send({ path: `/v1/profiles/${id}/payment_methods`, key, body: cardBody(card, true) }),
    [201],
  )
  return {
    id,
    isArchived: false,
    hasAddress,
    methods: [{ id: String(method.id), card, isDefault: true, isDeleted: false, enrolment, refusedCodes: 0 }],
  }
}

export function cardBody(card: string, isDefault: boolean): object {
  return {
    type: 'card',
    is_default: isDefault,
    card: {
      kind: 'existing',
      vault_token_id: card,
      agentic_credentials_enrollment_requested: true,
      agentic_terms_acknowledged: true,
    },
  }
}

/** Its price or its stock is another from now on. */
export async function writeVariant(
  send: Real['send'],
  seller: Seller,
  written: { price?: number; quantity?: number | null },
): Promise<void> {
  const { key, itemId, variantId } = seller
  const body = { variants: [{ id: variantId, ...written }] }
  seller.isTouched = true
  bodyOf(await send({ path: `/v1/merchant/catalog_items/${itemId}`, key, body }), [200])
}

export function realSeller({ sellers }: Pick<Real, 'sellers'>, shop: string): Seller {
  const seller = sellers.find(({ name }) => name === shop)
  if (!seller) throw new Error(`no merchant of ours sells in ${shop}`)
  return seller
}

export function bodyOf(sent: Sent, statuses: readonly number[]): Record<string, unknown> {
  if (!statuses.includes(sent.status) || typeof sent.body !== 'object' || sent.body === null)
    throw new Error(`instead of ${statuses.join(' or ')}: ${sent.status} ${sent.text}`)
  return { ...sent.body }
}

export function codeOf(sent: Sent): string | null {
  const code = memberOf(memberOf(sent.body, 'detail'), 'code')
  return typeof code === 'string' ? code : null
}

/** Throws unless the product's answer is the predicted one. */
export function expectAnswer(sent: Sent, foretold: Answer): void {
  const given = { status: sent.status, code: codeOf(sent) }
  if (given.status === foretold.status && given.code === foretold.code) return
  throw new Error(
    `answered ${given.status} ${given.code ?? ''}, foretold ${foretold.status} ${foretold.code ?? ''}: ${sent.text.slice(0, 600)}`,
  )
}

/** Throws unless a purchase is shown as the model has it; learns the ids that only the product knows. */
export function expectShown(intent: ModelIntent, body: unknown): void {
  intent.id = String(memberOf(body, 'id'))
  const carts = memberOf(body, 'carts')
  for (const [index, shown] of (Array.isArray(carts) ? carts : []).entries()) {
    const cart = intent.carts[index]
    if (!cart) continue
    cart.id = String(memberOf(shown, 'id'))
    const order = memberOf(shown, 'order')
    if (typeof order !== 'string') continue
    if (cart.order) cart.order.id = order
    else cart.strangerOrder = order
  }
  const [given, foretold] = [shownOf(body), foretoldOf(intent)]
  if (given !== foretold)
    throw new Error(
      `a purchase is shown otherwise than foretold\n  shown    ${given}\n  foretold ${foretold}`,
    )
}

/** The facts of a purchase that the model knows, as one line. */
function foretoldOf(intent: ModelIntent): string {
  const { approvedBy, approvalExpires } = intent
  return JSON.stringify({
    status: intent.status,
    expected: intent.expected,
    cap: intent.cap,
    actual: chargedOf(intent),
    told: chargedOf(intent) || null,
    refunded: sum(intent.carts.flatMap(({ order }) => order?.refunds ?? [])),
    sequence: intent.events.length,
    partial: intent.isPartial,
    failure: intent.failure,
    next: intent.nextAction,
    required: intent.isRequired,
    approved_by: approvedBy === null || approvedBy === 'policy' ? approvedBy : 'person',
    expires:
      intent.status === 'awaiting_approval' && approvalExpires !== null
        ? new Date(approvalExpires).toISOString()
        : null,
    carts: intent.carts.map(foretoldCart),
  })
}

function foretoldCart(cart: ModelCart): object {
  return {
    status: cart.status,
    attempt: cart.attempt,
    retry: canRetry(cart),
    cancel: canCancel(cart),
    channel: channelOf(cart.shop),
    expected: cart.expected,
    cap: cart.cap,
    actual: cart.actual,
    refunded: sum(cart.order?.refunds ?? []),
    failure: cart.failure,
    order: cart.order !== null || hasStrangerOrder(cart),
  }
}

export function shownOf(body: unknown): string {
  const of = (name: string) => memberOf(body, name)
  const approval = of('approval')
  const carts = of('carts')
  return JSON.stringify({
    status: of('status'),
    expected: of('expected_amount'),
    cap: of('max_allowed_amount'),
    actual: of('actual_amount'),
    told: chargedBy(of('summary')),
    refunded: of('refunded_amount'),
    sequence: of('sequence'),
    partial: of('partial'),
    failure: memberOf(of('failure_reason'), 'code') ?? null,
    next: memberOf(of('next_action'), 'type') ?? null,
    required: memberOf(approval, 'required'),
    approved_by: memberOf(approval, 'approved_by'),
    expires: of('status') === 'awaiting_approval' ? memberOf(approval, 'expires_at') : null,
    carts: (Array.isArray(carts) ? carts : []).map((cart) => ({
      status: memberOf(cart, 'status'),
      attempt: memberOf(cart, 'attempt_number'),
      retry: memberOf(cart, 'can_retry'),
      cancel: memberOf(cart, 'can_cancel'),
      channel: memberOf(cart, 'channel'),
      expected: memberOf(cart, 'expected_amount'),
      cap: memberOf(cart, 'max_allowed_amount'),
      actual: memberOf(cart, 'actual_amount'),
      refunded: memberOf(cart, 'refunded_amount'),
      failure: memberOf(memberOf(cart, 'failure_reason'), 'code') ?? null,
      order: memberOf(cart, 'order') !== null,
    })),
  })
}

/** The charged amount in the summary; null: it names none. */
function chargedBy(summary: unknown): number | null {
  const [, amount = ''] = /[€$]([\d,.]+) charged/.exec(String(summary)) ?? []
  return amount === '' ? null : Number(amount.replace(/[,.]/g, ''))
}

/** The last event has the number that the model counts, and no other comes after it. */
export async function expectSequence(real: Real, intent: ModelIntent): Promise<void> {
  const last = intent.events.length
  const path = `/v1/purchase_intents/${intent.id}/events?after=${last - 1}&limit=2`
  const { data } = bodyOf(await real.send({ method: 'GET', path, key: real.keys.reader.token }), [200])
  const sequences = (Array.isArray(data) ? data : []).map((event) => memberOf(event, 'sequence'))
  if (sequences.join() !== String(last))
    throw new Error(`after ${last - 1} come the events ${sequences.join(', ') || 'none'}, foretold ${last}`)
}

/** Reads a purchase and compares it with the model. */
export async function expectAsForetold(real: Real, intent: ModelIntent): Promise<void> {
  const path = `/v1/purchase_intents/${intent.id}${waitingFor(intent)}`
  const sent = await real.send({ method: 'GET', path, key: real.keys.reader.token })
  expectShown(intent, bodyOf(sent, [200]))
  await expectSequence(real, intent)
}

const terminal: readonly string[] = ['succeeded', 'failed', 'cancelled', 'declined']

/** A read waits now and then, for a change that is already there. If it sleeps all the same, the run takes too long and fails. */
function waitingFor({ events, status, nextAction }: ModelIntent): string {
  const last = events.length
  if (last % 3 === 0) return ''
  if (last % 3 === 1) return `?wait_seconds=25&after_sequence=${last - 1}`
  if (terminal.includes(status)) return `?wait_seconds=25&after_sequence=${last}`
  return nextAction === null ? '' : '?wait_seconds=25'
}
