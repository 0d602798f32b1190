import type { CallContext } from '../../../../contract/context.ts'
import { Problem } from '../../../../contract/problem.ts'
import type { CartRow } from '../cart.ts'
import { atStage, stageOf } from '../cart-stage.ts'
import { changeIntent } from '../change-intent.ts'
import type { LoadedIntent, PurchaseIntent } from '../intent.ts'
import type { CredentialTicket, CredentialTickets } from './credential-tickets.ts'
import { nextSignIn, signInAction } from './sign-in-action.ts'

/**
 * Uses a ticket up, and the cart that waits for it goes on. A ticket of another purchase is destroyed by the attempt, and the refusal is
 * returned and not thrown, so that this is kept.
 */
export async function redeemTicket(
  ctx: CallContext,
  loaded: LoadedIntent,
  { id, tickets }: { id: string; tickets: CredentialTickets },
): Promise<PurchaseIntent | Problem> {
  const ticket = await tickets.lock(ctx, id)
  const decided = decideTicket(ticket, loaded, ctx.now)
  switch (decided.kind) {
    case 'unknown':
      throw new Problem('not_found', { param: 'credential_ticket_id' })
    case 'used':
      throw new Problem('ticket_used')
    case 'wrong_intent':
      await tickets.end(ctx, id, 'destroyed')
      return new Problem('ticket_wrong_intent')
    case 'not_at_a_wall':
      throw new Problem('not_retryable', {
        message:
          'The cart of this ticket waits for no sign-in at its host, and the ticket stays as it is. `next_action` of v1_get_purchase_intent says what is awaited.',
      })
    case 'use':
      await tickets.end(ctx, id, 'used')
      return goOn(ctx, loaded, decided.cart, id)
    default:
      return decided satisfies never
  }
}

type TicketDecision =
  | { readonly kind: 'unknown' | 'used' | 'wrong_intent' | 'not_at_a_wall' }
  | { readonly kind: 'use'; readonly cart: CartRow }

/** The order is part of the promise: what is wrong with a ticket itself comes before what is wrong with the purchase. */
export function decideTicket(
  ticket: CredentialTicket | null,
  { intent, carts }: LoadedIntent,
  now: Date,
): TicketDecision {
  if (ticket === null) return { kind: 'unknown' }
  if (ticket.state !== 'open') return { kind: 'used' }
  if (ticket.intentId !== intent.id) return { kind: 'wrong_intent' }
  const isWaiting = intent.status === 'awaiting_merchant_auth' || intent.status === 'merchant_auth_failed'
  const cart = carts.find(({ id }) => id === ticket.cartId)
  if (!isWaiting || cart?.status !== 'awaiting_merchant_auth') return { kind: 'not_at_a_wall' }
  const wait = stageOf(cart)
  if (wait.kind !== 'sign_in' || wait.until <= now) return { kind: 'not_at_a_wall' }
  if (wait.host !== null && wait.host !== ticket.host) return { kind: 'not_at_a_wall' }
  // guard ticket-of-its-kind: nobody's password is opened for a shop that waits for a code
  if ((wait.code === null) !== (ticket.kind === 'password')) return { kind: 'not_at_a_wall' }
  return { kind: 'use', cart }
}

function goOn(ctx: CallContext, loaded: LoadedIntent, cart: CartRow, ticket: string): PurchaseIntent {
  const wait = stageOf(cart)
  const session = wait.kind === 'sign_in' ? (wait.code?.session ?? null) : null
  ctx.tx.wake('carts')
  const object = changeIntent(ctx, loaded, {
    intent: { status: 'approved', next_action: null },
    carts: [
      {
        id: cart.id,
        changes: {
          status: 'in_progress',
          ...atStage({ kind: 'offer', tries: 0, since: ctx.now, signIn: { ticket, session } }),
          due_at: ctx.now,
          lease_until: null,
        },
      },
    ],
    events: [{ type: 'purchase_intent.merchant_auth_submitted', cartId: cart.id }],
  })
  const other = nextSignIn(loaded.carts, cart.id)
  if (other === null) return object
  return changeIntent(ctx, loaded, {
    intent: { status: 'awaiting_merchant_auth', next_action: signInAction(other) },
    events: [{ type: 'purchase_intent.awaiting_merchant_auth', cartId: other.id }],
  })
}
