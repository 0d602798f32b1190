import type { Tenant } from '../../../contract/context.ts'
import type { Offer, Way } from '../channels/public.ts'
import {
  type Cart,
  confirmingCart,
  type IntentChange,
  type IntentEvent,
  isTerminalCart,
  type LoadedCart,
  type LoadedIntent,
} from '../intents/public.ts'
import type { WalletTerms } from '../rails/public.ts'
import type { EffectRow, EffectStep, FundingRow, HoldRow } from './journal.ts'
import type { Answered, Command, Facts, Known, Next, Write } from './messages.ts'
import { credentialExpiry, isHandedOver } from './place/handed-over.ts'

type IntentChanges = NonNullable<IntentChange['intent']>
type CartChanges = NonNullable<IntentChange['carts']>[number]['changes']

/** What changes together of a purchase and its cart, and the events that say so. */
export type Saying = {
  readonly intent: IntentChanges
  readonly cart: CartChanges
  readonly events: readonly IntentEvent[]
}

/** What a process has for carts of one account and mode. What it lacks says nothing about them: another process may have it. */
export type Means = {
  /** How it buys at merchants, by the name of the channel. */
  readonly ways: Readonly<Partial<Record<Cart['channel'], Way>>>
  /** How it buys from merchants of ours that take a token; null: it cannot. */
  readonly handedOver: Way | null
  /** The channels that the product has at all, for merchants elsewhere. */
  readonly offered: readonly Cart['channel'][]
  /** The rail at which money is held for the first time; null: it has none. */
  readonly rail: string | null
  /** Every rail that it can call: that one, and others that hold money since before. */
  readonly rails: readonly string[]
  /** Those of them that remember no keys: they are asked by the call as it was sent. */
  readonly asksByCall: readonly string[]
  /** Those whose cards spend a balance of the operator's: the buyer's own card is held first. */
  readonly prefunded: readonly string[]
  /** Those that issue no cards. */
  readonly cardless: readonly string[]
  /** Those that pay for buyers who have a wallet there, and for nobody else. */
  readonly wallets: Readonly<Record<string, WalletTerms>>
  /** Milliseconds that are left of the worker's lease. */
  readonly leaseMs: number
}

/**
 * One cart with everything that its next step depends on, as it is under its locks and as it was changed since. It is a value: a change
 * makes another one, and `CartWriter` writes the difference.
 */
export type CartState = {
  readonly now: Date
  readonly tenant: Tenant
  readonly intent: LoadedIntent['intent']
  readonly cart: LoadedCart
  /** The other carts of the purchase. */
  readonly others: readonly LoadedCart[]
  readonly effects: readonly EffectRow[]
  readonly holds: readonly HoldRow[]
  readonly fundings: readonly FundingRow[]
  /** New purchases are frozen for this account, profile or key. */
  readonly isFrozen: boolean
  /** The cart was due or made due: it is a worker's first look at it, or something happened while the worker made its last call. */
  readonly isWoken: boolean
  readonly means: Means
  /** What was read in this look. */
  readonly known: Partial<Known>
  /** The answer of a call that this look begins with, until it is applied. */
  readonly unheard: Answered | null
  /** The offer of this very look, if it was found acceptable. */
  readonly accepted: Offer | null
  /** Whether the order, which is a row of ours, was read in this very look. */
  readonly isAsked: boolean
  /** In order; the last one is still open. */
  readonly sayings: readonly Saying[]
  /** What other slices write in this look's transaction, in order. */
  readonly writes: readonly Write[]
  /** Whether a cart that was bought costs something else since this look. */
  readonly isCorrected: boolean
  /** How many reports of the rail were refused in this look. */
  readonly refusedMovements: number
}

/** Nothing was changed, read or heard yet in a look. */
export const untouched = {
  unheard: null,
  accepted: null,
  isAsked: false,
  sayings: [],
  writes: [],
  isCorrected: false,
  refusedMovements: 0,
} as const satisfies Partial<CartState>

export function effectOf(state: CartState, step: EffectStep, attempt: number): EffectRow | null {
  return state.effects.find((effect) => effect.step === step && effect.attempt === attempt) ?? null
}

export function journaled(state: CartState, step: EffectStep, attempt: number): EffectRow {
  const effect = effectOf(state, step, attempt)
  if (!effect) throw new Error(`there is no ${step} in the journal`)
  return effect
}

export function holdOf(state: CartState, attempt: number = state.cart.attempt_number): HoldRow | null {
  return state.holds.find((hold) => hold.attempt === attempt) ?? null
}

/**
 * The rail of an attempt: the one that holds its money, or was asked to, and before that the one at which it will be held: that of the wallet
 * that pays, once it is read what does. Null: the journal is from before rails had names, and it is the rail of the mode.
 */
export function railOf(state: CartState, attempt: number): string | null {
  const asked = effectOf(state, 'issue_credential', attempt) ?? effectOf(state, 'authorize', attempt)
  const first = asked ?? holdOf(state, attempt)
  // guard one-rail-an-attempt: what is held at one rail is never captured, released or looked for at another
  return first === null ? railOfPayer(state) : first.rail
}

/** That of the wallet that pays, and otherwise the rail of the mode: a wallet pays where it is what the buyer pays with, and nowhere else. */
function railOfPayer({ means, known }: CartState): string | null {
  const rail = known.payer?.kept_by ?? null
  return rail !== null && means.wallets[rail] !== undefined ? rail : means.rail
}

/** This process cannot call the rail: it decides nothing, and its step is seen to fail, until a process that can has the cart. */
export class NoSuchRail extends Error {
  constructor(rail: string | null) {
    super(`this worker has no rail ${rail}`)
  }
}

export function assertHasRail(state: CartState, attempt: number): void {
  const rail = railOf(state, attempt)
  const isHere = rail === null ? state.means.rail !== null : state.means.rails.includes(rail)
  if (!isHere) throw new NoSuchRail(rail)
}

/** The attempts for which a rail holds money, or may. */
export function attemptsAtRails({ effects, holds, fundings }: CartState): readonly number[] {
  const called = effects.filter((one) => one.step !== 'place' && (isUnsettled(one) || one.state === 'unsent'))
  const held = [...holds, ...fundings].filter(({ status }) => status === 'authorized')
  return [...called, ...held].map(({ attempt }) => attempt)
}

/** Whether the effect may have happened, and no answer has said so. */
export function isUnsettled({ state }: Pick<EffectRow, 'state'>): boolean {
  return state === 'sent' || state === 'unknown'
}

export function isOver({ cart }: CartState): boolean {
  return isTerminalCart(cart.status)
}

export function isCleanup({ cart }: CartState): boolean {
  return cart.stage === 'cleanup'
}

/** Whether the rail has reported something of its charge, and has not been asked since. */
export function hasNews({ known }: CartState): boolean {
  return (known.news ?? []).length > 0
}

/** Whether the effect belongs to the current attempt. */
export function isCurrent({ cart }: CartState, { attempt }: Pick<EffectRow, 'attempt'>): boolean {
  // guard earlier-attempts-are-not-current: the answer to an earlier attempt changes nothing of the current one
  return attempt === cart.attempt_number
}

/** Whether the effect belongs to the current attempt, and the cart still wants it. */
export function isRunning(state: CartState, effect: Pick<EffectRow, 'attempt'>): boolean {
  // guard late-capture-is-no-charge: money that was captured for a cart that is over is not counted as bought
  return isCurrent(state, effect) && state.cart.status === 'in_progress'
}

/** Whether what was taken of a hold pays for the cart; otherwise it was taken for no order. */
export function isCharge({ cart }: CartState, { attempt }: Pick<HoldRow, 'attempt'>): boolean {
  return attempt === cart.attempt_number && cart.status !== 'failed' && cart.status !== 'cancelled'
}

/** How the cart is bought here; null: this process cannot. */
export function wayFor({ cart, means }: Pick<CartState, 'cart' | 'means'>): Way | null {
  return (isHandedOver(cart) ? means.handedOver : means.ways[cart.channel]) ?? null
}

export function wayOf(state: CartState): Way {
  const way = wayFor(state)
  if (way === null)
    throw new Error(`a decision about a cart of ${state.cart.channel} without the means for it`)
  return way
}

/** Until when a merchant of ours can use the credential that is handed to it; null: the cart is bought in another way. */
export function handedOverUntil({ cart }: CartState): Date | null {
  return isHandedOver(cart) ? credentialExpiry(cart) : null
}

/**
 * Whether the status of the intent lets the cart run. Other carts run on while one of them waits for a person; the cart in question waits.
 */
export function mayBuy({ intent, cart }: CartState): boolean {
  switch (intent.status) {
    case 'approved':
    case 'queued':
    case 'awaiting_merchant_auth':
    case 'merchant_auth_failed':
      return true
    case 'awaiting_approval':
      if (confirmingCart(intent) !== null) return true
      // guard question-holds-its-cart: the cart whose price is in question waits for the answer
      return intent.reapproval !== null && intent.reapproval.cart_id !== cart.id
    case 'succeeded':
    case 'failed':
    case 'cancelled':
    case 'declined':
      return false
    default:
      return intent.status satisfies never
  }
}

type CartEventType = Extract<IntentEvent, { cartId: unknown }>['type'] & `cart.${string}`

export function changeCart(state: CartState, changes: CartChanges, ...types: CartEventType[]): CartState {
  const cartId = state.cart.id
  const events = types.map((type): IntentEvent => ({ type, cartId }))
  const cart = { ...state.cart, ...changes }
  return { ...state, cart, sayings: said(state.sayings, { intent: {}, cart: changes, events }) }
}

export function changeIntent(
  state: CartState,
  changes: IntentChanges,
  ...events: readonly IntentEvent[]
): CartState {
  const intent = { ...state.intent, ...changes }
  return { ...state, intent, sayings: said(state.sayings, { intent: changes, cart: {}, events }) }
}

function said(sayings: readonly Saying[], more: Saying): readonly Saying[] {
  const open = sayings.at(-1) ?? { intent: {}, cart: {}, events: [] }
  const whole = {
    intent: { ...open.intent, ...more.intent },
    cart: { ...open.cart, ...more.cart },
    events: [...open.events, ...more.events],
  }
  return [...sayings.slice(0, -1), whole]
}

/** What changes from now on is a move of its own: the state tables have no shorter way. */
export function nextMove(state: CartState): CartState {
  return { ...state, sayings: [...state.sayings, { intent: {}, cart: {}, events: [] }] }
}

export function withEffect(state: CartState, effect: EffectRow): CartState {
  return { ...state, effects: [...state.effects, effect] }
}

type Named = Pick<EffectRow, 'step' | 'attempt'>

export function changeEffect(
  state: CartState,
  { step, attempt }: Named,
  changes: Partial<EffectRow>,
): CartState {
  const effects = state.effects.map((effect) =>
    effect.step === step && effect.attempt === attempt ? { ...effect, ...changes } : effect,
  )
  return { ...state, effects }
}

export function withHold(state: CartState, hold: HoldRow): CartState {
  return { ...state, holds: [...state.holds, hold] }
}

export function changeHold(state: CartState, attempt: number, changes: Partial<HoldRow>): CartState {
  const holds = state.holds.map((hold) =>
    hold.attempt === attempt ? { ...hold, ...changes, updated_at: state.now } : hold,
  )
  return { ...state, holds }
}

export function withWrite(state: CartState, write: Write): CartState {
  return { ...state, writes: [...state.writes, write] }
}

/** The cart after an input, and what is to be done next; without it the cart goes on by itself. */
export type Turn = { readonly state: CartState; readonly next?: Next }

/** Reads what a cart lacks, and looks again. */
export function read(
  state: CartState,
  fact: keyof Facts,
  about: Pick<Extract<Command, { kind: 'read' }>, 'cardId' | 'rail'> = {},
): Turn {
  const command = { kind: 'read', fact, ...about } as const
  return { state, next: { kind: 'command', command } }
}
