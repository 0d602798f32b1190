import type { Sealer } from '../../../contract/context.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import type { Buyer, ChannelCall, ChannelItem, PlaceRequest } from '../channels/public.ts'
import { openAnswers, openRequest } from '../intents/public.ts'
import type { PaymentRail } from '../rails/public.ts'
import { cardGrant } from './card-grant.ts'
import { type CartState, holdOf, railOf, wayOf } from './cart-state.ts'
import type { Channels } from './channels.ts'
import { isClosable, makeAtRail } from './effects/effects.ts'
import { billedToHolder } from './funding/billed-to.ts'
import type { Answered, OrderTerms, Outbound } from './messages.ts'

/** What a call is made with. */
type Outside = Pick<StepContext, 'sealer' | 'faults'> & { readonly channels: Channels }

/** Makes the call that a cart has decided on and committed. */
export async function makeCall(
  state: CartState,
  asked: Outbound,
  outside: Outside,
  call: ChannelCall,
): Promise<Answered> {
  switch (asked.kind) {
    case 'offer': {
      const buyer = await buyerToldOf(state, asked.request, outside, call)
      if (buyer === null) return { kind: 'offer', answer: holderUnknown }
      const request = {
        ...asked.request,
        buyer,
        items: withRequests(state, asked.request.items, outside.sealer),
        answers: openAnswers(outside.sealer, state.cart.answers),
      }
      const answer = await channelOf(state, outside).offer(request, call)
      return answer.kind === 'elsewhere' ? answer : { kind: 'offer', answer }
    }
    case 'place': {
      const buyer = await buyerToldOf(state, asked.order, outside, call)
      // Nothing has left: the order is placed once it is known whom its card belongs to.
      if (buyer === null) return { ...asked, answer: { kind: 'not_sent', retryable: true } }
      const told = { ...asked, order: { ...asked.order, buyer } }
      const request = placeRequest(state, told, outside, cardGrant(state, outside))
      return { ...asked, answer: await channelOf(state, outside).place(request, call) }
    }
    case 'place_memory': {
      // A question about an order types nothing.
      const request = placeRequest(state, asked, outside, async () => null)
      const channel = channelOf(state, outside)
      const answer =
        asked.how === 'ask' ? await channel.ask(request, call) : await channel.close(request, call)
      return { ...asked, answer }
    }
    case 'rail':
      return { ...asked, answer: await makeAtRail(railNamed(state, asked, outside), asked.sent, call) }
    case 'rail_memory': {
      const { how, key, sent } = asked
      const rail = railNamed(state, asked, outside)
      const answer =
        how === 'close' && sent !== null && isClosable(sent)
          ? await rail.close(sent, call)
          : await rail.ask(key, call, sent ?? undefined)
      return { ...asked, answer }
    }
    case 'funds': {
      const rail = railNamed(state, asked, outside)
      const amount = (await rail.readFunds?.(asked.currency, call)) ?? null
      return { kind: 'funds', at: asked.at, amount }
    }
    case 'reading': {
      const { kind, reference } = asked.of
      return { ...asked, answer: await railNamed(state, asked, outside).get(kind, reference, call) }
    }
    default:
      return asked satisfies never
  }
}

const holderUnknown = { kind: 'not_now', reason: 'busy', retryAfterSeconds: null } as const

function buyerToldOf(
  state: CartState,
  { buyer }: { readonly buyer: Buyer },
  outside: Outside,
  call: ChannelCall,
): Promise<Buyer | null> {
  const rail = railOf(state, state.cart.attempt_number)
  return billedToHolder(state, buyer, { rail: () => railNamed(state, { rail }, outside), call })
}

function railNamed(
  { tenant }: CartState,
  { rail }: { readonly rail: string | null },
  { channels }: Outside,
): PaymentRail {
  const paid = channels.rails.named(tenant, rail)
  if (paid === null) throw new Error('this worker has no rail for the cart')
  return paid.rail
}

function channelOf({ tenant, cart }: CartState, { channels }: Outside) {
  return channels.channelOf(tenant.mode, cart.channel)
}

function placeRequest(
  state: CartState,
  { attempt, order }: { readonly attempt: number; readonly order: OrderTerms },
  { sealer }: Outside,
  grant: (origin: string) => Promise<string | null>,
): PlaceRequest {
  return {
    ...order,
    items: withRequests(state, order.items, sealer),
    answers: openAnswers(sealer, state.cart.answers),
    instrument: instrumentOf(state, attempt, grant),
  }
}

function instrumentOf(
  state: CartState,
  attempt: number,
  grant: (origin: string) => Promise<string | null>,
): PlaceRequest['instrument'] {
  const hold = holdOf(state, attempt)
  if (!hold) throw new Error('an order without money for it')
  const { kind, reference } = hold
  if (kind === 'authorization') return { kind }
  const form = wayOf(state).form ?? 'token'
  return form === 'card' ? { kind, form, reference, grant } : { kind, form, reference }
}

/** What is sent to the URL of an item is sealed in its row, and opened for the call alone; so is what a person has answered. */
function withRequests(
  { intent }: CartState,
  items: readonly ChannelItem[],
  sealer: Sealer,
): readonly ChannelItem[] {
  return items.map((item) => {
    const stored = intent.items.find(({ id }) => id === item.id)
    return stored?.request ? { ...item, request: openRequest(sealer, stored.id, stored.request) } : item
  })
}
