import type { CartStatus, IntentStatus } from '../../../src/domain/buying/intents/machine.ts'
import type { OrderPaymentStatus, OrderStatus } from '../../../src/domain/trade/orders/machine.ts'
import { type Coverage, createCoverage } from './coverage.ts'
import type { Behaviour } from './scenarios.ts'

/** How the product should behave, in a few plain objects. Amounts are cents, times milliseconds; ids are learned from answers. */
export type Model = {
  now: number
  isFrozen: boolean
  frozenProfiles: Set<number>
  frozenKeys: Set<KeyName>
  profiles: ModelProfile[]
  policies: ModelPolicy[]
  intents: ModelIntent[]
  /** The money that policies hold and have spent for purchases. */
  ledger: Holding[]
  replies: Map<string, StoredAnswer>
  sellers: ModelSeller[]
  refusesCaptures: boolean
  references: Set<string>
  oldSecrets: OldSecret[]
  coverage: Coverage
}

export const sellerNames = ['n0', 'n1', 'n2', 'n3'] as const
export type SellerName = (typeof sellerNames)[number]

/** A merchant of ours. It sells one thing, for `usualPrice` unless it says otherwise. */
export type ModelSeller = SellerIdentity & { name: SellerName; price: number; stock: number | null }
/** Who a merchant is to its buyers. */
type SellerIdentity = { isMoved: boolean; mcc: string; country: string }

export const usualPrice = 1000
/** Enough for a while. */
export const usualStock = 20

export const keyNames = ['person', 'agent', 'reader'] as const
export type KeyName = (typeof keyNames)[number]

/** The secret of a key from before a roll. It works until this time. */
export type OldSecret = { name: KeyName; token: string; until: number }

export type ModelMethod = {
  id: string
  card: CardName
  isDefault: boolean
  isDeleted: boolean
  enrolment: 'active' | 'ineligible' | 'not_requested' | 'pending_verification' | 'rejected'
  refusedCodes: number
}
export const cardNames = [
  'visa_auto_approved',
  'visa_ineligible',
  'amex_ineligible',
  'visa_otp_required',
  'visa_otp_invalid',
  'visa_issuer_declined',
] as const
type CardName = (typeof cardNames)[number]

export type ModelProfile = {
  id: string
  isArchived: boolean
  hasAddress: boolean
  methods: ModelMethod[]
}

export const intervalNames = ['day', 'week', 'month', 'all_time'] as const
export type IntervalName = (typeof intervalNames)[number]

export type PolicyTerms = {
  currency: 'EUR' | 'USD' | null
  profile: number | null
  key: KeyName | null
  method: ModelMethod | null
  perPurchase: number | null
  interval: { name: IntervalName; amount: number | null; count: number | null } | null
  perDay: number | null
  fee: number | null
  blocked: string | null
  approval:
    | null
    | { mode: 'always' | 'never'; minutes: number | null }
    | { mode: 'above_threshold'; upTo: number; minutes: number | null }
  tolerance: number | null
  onExceed: 'reapprove' | 'fail'
}

export type ModelPolicy = {
  id: string
  terms: PolicyTerms
  version: number
  isArchived: boolean
  /** When intents were created that count for `max_intents_per_day`. */
  created: number[]
}

export type Holding = {
  policy: ModelPolicy
  intent: ModelIntent
  at: number
  amount: number
  count: number
  state: 'reserved' | 'settled' | 'released'
  spent: number
}

export type ModelItem = Behaviour & {
  shop: string
  unit: number
  quantity: number
  /** The identity of our merchant when the purchase was made. */
  soldBy: string | null
}

export type ModelCart = {
  id: string
  shop: string
  items: ModelItem[]
  status: CartStatus
  attempt: number
  expected: number
  cap: number
  fee: number
  tax: number
  tolerance: number
  actual: number
  failure: string | null
  isKnown: boolean
  /** Money is still to be refunded. */
  isCleanup: boolean
  signInUntil: number | null
  /** The offer in this attempt. */
  offer: { units: number[]; subtotal: number; total: number } | null
  /** The money that was captured for this cart and kept, at the rail and not by our word. */
  charged: number
  order: ModelOrder | null
  /** The order at a stranger; the empty text until its id is learned. */
  strangerOrder: string
  /** When the answer to a paid request came; null: none came, or none that says that it was paid. */
  answeredAt: number | null
}

export type ModelOrder = {
  id: string
  status: OrderStatus
  payment: OrderPaymentStatus
  expires: number
  /** The bytes of the accepted answer. */
  answer: string | null
  total: number
  /** The sum that its merchant refunded. */
  refunds: number[]
}

type Question = {
  cart: ModelCart
  cartExpected: number
  cartTax: number
  cartCap: number
  expected: number
  tax: number
  cap: number
}

export type ModelIntent = {
  id: string
  key: KeyName
  profile: number
  method: ModelMethod | null
  policy: ModelPolicy | null
  items: ModelItem[]
  currency: 'EUR' | 'USD'
  status: IntentStatus
  expected: number
  callerMax: number | null
  cap: number
  fee: number
  tax: number
  tolerance: number
  onExceed: 'reapprove' | 'fail'
  settled: number
  isRequired: boolean
  approvedBy: KeyName | 'policy' | null
  approvedAt: number
  approvalExpires: number | null
  nextAction: string | null
  failure: string | null
  isPartial: boolean
  question: Question | null
  /** A retry of these carts was requested, and waits for a person. */
  retry: { carts: readonly ModelCart[]; key: KeyName; methodBefore: ModelMethod | null } | null
  /** A cart that is shipped waits for an address. */
  awaitsAddress: boolean
  carts: ModelCart[]
  /** Its last sign-in was given up in this shift. Whether another cart ended before that is not promised. */
  hasLeftSignIn: boolean
  /** The types of its events, in the order in which the model made them. */
  events: string[]
}

/** What an idempotency key remembers. */
export type StoredAnswer = { request: string; status: number; shown: string; intent: ModelIntent | null }

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

export function newModel(now: number, sellers: number): Model {
  return {
    now,
    isFrozen: false,
    frozenProfiles: new Set(),
    frozenKeys: new Set(),
    profiles: [],
    policies: [],
    intents: [],
    ledger: [],
    replies: new Map(),
    sellers: sellerNames.slice(0, sellers).map(newSeller),
    refusesCaptures: false,
    references: new Set(),
    oldSecrets: [],
    coverage: createCoverage(),
  }
}

function newSeller(name: SellerName): ModelSeller {
  return { name, price: usualPrice, stock: usualStock, isMoved: false, mcc: '5999', country: 'FR' }
}

export function isNative(shop: string): boolean {
  return sellerNames.some((name) => name === shop)
}

/** Shops that have never heard of us, by how they are bought from. The registry of each lane knows them. */
export const strangers: Readonly<Record<string, 'ucp' | 'mpp' | 'browser'>> = {
  u: 'ucp',
  m: 'mpp',
  p: 'browser',
}

export function domainOf(shop: string): string {
  return `${shop}.example`
}

export function channelOf(shop: string): 'native' | 'simulated' | 'ucp' | 'mpp' | 'browser' {
  return isNative(shop) ? 'native' : (strangers[shop] ?? 'simulated')
}

export function isStranger(shop: string): boolean {
  return shop in strangers
}

/** Whether its buyer has an order there: what pays for a request has a result instead. */
export function hasStrangerOrder(cart: ModelCart): boolean {
  return cart.status === 'succeeded' && isStranger(cart.shop) && channelOf(cart.shop) !== 'mpp'
}

export function sellerOf({ sellers }: Readonly<Pick<Model, 'sellers'>>, shop: string): ModelSeller | null {
  return sellers.find(({ name }) => name === shop) ?? null
}

/** The identity of the merchant in a shop at the moment, in one word; null for a shop that is not ours. */
export function identityOf(model: Readonly<Pick<Model, 'sellers'>>, shop: string): string | null {
  const seller = sellerOf(model, shop)
  return seller && [seller.name, seller.isMoved ? 'moved' : 'home', seller.mcc, seller.country].join(' ')
}

/** Whether the merchant of one of these has changed its identity since the purchase was made. */
export function isSoldByAnother(model: Model, items: readonly ModelItem[]): boolean {
  return items.some(({ shop, soldBy }) => soldBy !== identityOf(model, shop))
}

export const terminal: readonly IntentStatus[] = ['succeeded', 'failed', 'cancelled', 'declined']

export function isOver(status: CartStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled'
}

export function isUnknown(cart: ModelCart): boolean {
  return cart.status === 'failed' && !cart.isKnown
}

export function canCancel(cart: ModelCart): boolean {
  return !isOver(cart.status)
}

export function canRetry(cart: ModelCart): boolean {
  return cart.status === 'failed' && cart.isKnown && !cart.isCleanup && cart.attempt < 3
}

export function isFrozenFor(model: Model, intent: { profile: number; key: KeyName }): boolean {
  return model.isFrozen || model.frozenProfiles.has(intent.profile) || model.frozenKeys.has(intent.key)
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

export function expectedOf(items: readonly ModelItem[]): number {
  return sum(items.map(({ unit, quantity }) => unit * quantity))
}

export function chargedOf(intent: ModelIntent): number {
  return sum(intent.carts.filter(({ status }) => status === 'succeeded').map(({ actual }) => actual))
}
