import {
  type CartStatus,
  type CartTrigger,
  cartMachine,
  type IntentStatus,
  type IntentTrigger,
  intentMachine,
} from '../../../src/domain/buying/intents/machine.ts'
import {
  channelOf,
  expectedOf,
  isOver,
  type Model,
  type ModelCart,
  type ModelIntent,
  type ModelItem,
  sum,
} from './model.ts'

/** Moves as the published table says. A move that the table does not have is a mistake of the model. */
export function moveIntent(model: Model, intent: ModelIntent, trigger: IntentTrigger): void {
  const moves: Readonly<Partial<Record<IntentTrigger, IntentStatus>>> = intentMachine[intent.status]
  const to = moves[trigger]
  if (!to) throw new Error(`the model would take an intent out of ${intent.status} by ${trigger}`)
  model.coverage.moved('intent', intent.status, trigger)
  intent.status = to
}

export function moveCart(model: Model, cart: ModelCart, trigger: CartTrigger): void {
  const moves: Readonly<Partial<Record<CartTrigger, CartStatus>>> = cartMachine[cart.status]
  const to = moves[trigger]
  if (!to) throw new Error(`the model would take a cart out of ${cart.status} by ${trigger}`)
  model.coverage.moved('cart', cart.status, trigger)
  cart.status = to
}

/** Without a cart that waits at a sign-in, and with one that runs, the purchase goes on. */
export function leaveSignIn(model: Model, intent: ModelIntent): void {
  if (intent.status !== 'awaiting_merchant_auth') return
  const open = intent.carts.filter(({ status }) => !isOver(status))
  if (open.length === 0 || open.some(({ status }) => status === 'awaiting_merchant_auth')) return
  moveIntent(model, intent, 'no_sign_in_left')
  intent.events.push('purchase_intent.approved')
  intent.nextAction = null
}

/** One cart for each shop, and for each paid request, each with its share of the cap. */
export function makeCarts(model: Model, intent: ModelIntent): void {
  const shops = [...new Set(intent.items.map(({ shop }) => shop))]
  const groups = shops.flatMap((shop) => {
    const items = intent.items.filter((item) => item.shop === shop)
    // Each request is paid by itself.
    return channelOf(shop) === 'mpp' ? items.map((item) => [item]) : [items]
  })
  const expected = groups.map(expectedOf)
  const fees = divide(
    intent.fee,
    groups.map(() => 1),
  )
  const taxes = divide(intent.tax, expected)
  const tolerances = divide(Math.floor((intent.expected * intent.tolerance) / 100), expected)
  const full = groups.map((_, index) =>
    sum([expected, fees, taxes, tolerances].map((one) => one[index] ?? 0)),
  )
  const caps = lower(full, intent.cap)
  intent.carts = groups.map((items, index) =>
    newCart(items, {
      expected: expected[index] ?? 0,
      cap: caps[index] ?? 0,
      fee: fees[index] ?? 0,
      tax: taxes[index] ?? 0,
      tolerance: intent.tolerance,
    }),
  )
  intent.events.push('purchase_intent.started', ...groups.map(() => 'cart.created'))
  void model
}

function newCart(
  items: ModelItem[],
  terms: Pick<ModelCart, 'expected' | 'cap' | 'fee' | 'tax' | 'tolerance'>,
): ModelCart {
  return {
    id: '',
    shop: items[0]?.shop ?? '',
    items,
    status: 'created',
    attempt: 1,
    ...terms,
    actual: 0,
    failure: null,
    isKnown: true,
    isCleanup: false,
    signInUntil: null,
    offer: null,
    charged: 0,
    order: null,
    strangerOrder: '',
    answeredAt: null,
  }
}

/** Lowered pro rata, never raised. */
export function lower(caps: readonly number[], most: number): number[] {
  return sum(caps) <= most ? [...caps] : divide(most, caps)
}

/** Whole cents that sum to the total: floors, then a cent each to the shares that lost most by rounding. */
function divide(total: number, weights: readonly number[]): number[] {
  const whole = sum(weights)
  const used = whole === 0 ? weights.map(() => 1) : weights
  const all = whole === 0 ? weights.length : whole
  const shares = used.map((weight) => Math.floor((total * weight) / all))
  const left = total - sum(shares)
  const order = used
    .map((weight, index) => ({ index, lost: (total * weight) % all }))
    .sort((a, b) => b.lost - a.lost || a.index - b.index)
  for (const { index } of order.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1
  return shares
}
