import type { PurchaseIntentEvent } from '../intents/public.ts'

type Purchase = NonNullable<PurchaseIntentEvent['data']['purchase_intent']>
type Cart = NonNullable<PurchaseIntentEvent['data']['cart']>

/** An event, as far as a bundle tells it, and the digest by which the audit chain holds it. */
type PastEvent = Pick<
  PurchaseIntentEvent,
  'id' | 'type' | 'sequence' | 'created_at' | 'actor' | 'cart_id'
> & {
  readonly sha256: string
}

/** What somebody has agreed to, and when. */
type Approval = {
  readonly event_id: string
  readonly approved_by: Purchase['approval']['approved_by']
  readonly approved_at: string
  readonly actor: PurchaseIntentEvent['actor']
  readonly currency_code: string
  readonly expected_amount: number
  /** The cap: no more is charged in all, with fulfillment and tax. */
  readonly max_allowed_amount: number
}

/** A price that a shop has named. */
type PastOffer = { readonly event_id: string; readonly attempt_number: number } & NonNullable<Cart['offer']>

/** A payment that its person has confirmed at the page of a bank or a wallet. */
type Confirmation = { readonly cart_id: string; readonly asked_at: string; readonly confirmed_at: string }

/** What a purchase has been through, by its events. */
export type History = {
  readonly events: PastEvent[]
  readonly approvals: Approval[]
  readonly confirmations: Confirmation[]
  readonly offers: Map<string, PastOffer[]>
  /** When a person was asked last to confirm the payment of a cart, and has not yet. */
  readonly asked: Map<string, string>
}

export function emptyHistory(): History {
  return { events: [], approvals: [], confirmations: [], offers: new Map(), asked: new Map() }
}

/** Events come in their order. What is kept of them is small: with all that they say, the events of a purchase with a hundred carts have many megabytes. */
export function noteEvent(history: History, event: PurchaseIntentEvent, digest: Buffer): void {
  const { id, type, sequence, created_at, actor, cart_id } = event
  const ofCart = cart_id === undefined ? {} : { cart_id }
  history.events.push({ id, type, sequence, created_at, actor, ...ofCart, sha256: digest.toString('hex') })
  const { purchase_intent: purchase, cart } = event.data
  if (purchase) {
    noteApproval(history, event, purchase)
    noteQuestion(history, event, purchase)
  }
  if (!cart) return
  if (type === 'cart.offer_updated' && cart.offer) noteOffer(history, event, cart)
  const askedAt = history.asked.get(cart.id)
  if (askedAt === undefined) return
  // A payment that is authorized after its person was asked was confirmed by them: nothing else authorizes it.
  if (type === 'cart.payment_authorized')
    history.confirmations.push({ cart_id: cart.id, asked_at: askedAt, confirmed_at: created_at })
  if (type === 'cart.payment_authorized' || type === 'cart.failed') history.asked.delete(cart.id)
}

/** Every event shows the last approval: it is told once, with the event that has it first. */
function noteApproval({ approvals }: History, event: PurchaseIntentEvent, purchase: Purchase): void {
  const { approved_by, approved_at } = purchase.approval
  if (approved_at === null || approvals.at(-1)?.approved_at === approved_at) return
  approvals.push({
    event_id: event.id,
    approved_by,
    approved_at,
    actor: event.actor,
    currency_code: purchase.currency_code,
    expected_amount: purchase.expected_amount,
    max_allowed_amount: purchase.max_allowed_amount,
  })
}

function noteQuestion({ asked }: History, { created_at }: PurchaseIntentEvent, purchase: Purchase): void {
  const { status, next_action: action } = purchase
  if (status !== 'awaiting_approval' || action?.type !== 'verify_payment') return
  // Without a cart it asks to prove a card before anything is paid.
  if (action.cart_id !== undefined && !asked.has(action.cart_id)) asked.set(action.cart_id, created_at)
}

function noteOffer({ offers }: History, event: PurchaseIntentEvent, cart: Cart): void {
  if (!cart.offer) return
  const named = offers.get(cart.id) ?? []
  named.push({ event_id: event.id, attempt_number: cart.attempt_number, ...cart.offer })
  offers.set(cart.id, named)
}
