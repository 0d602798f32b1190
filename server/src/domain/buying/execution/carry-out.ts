import type { ActingContext } from '../../../contract/context.ts'
import { cardOfMethod, readPayingMethod } from '../../buyers/payment-methods/public.ts'
import { readKeptAnswers } from '../../buyers/shop-answers/public.ts'
import { openCard, stopAtForeignCharges } from '../card-authorizations/public.ts'
import { proposePrice, readSellers } from '../intents/public.ts'
import { native } from '../native/public.ts'
import { readNews } from '../rail-movements/public.ts'
import type { CartState } from './cart-state.ts'
import type { Channels } from './channels.ts'
import type { CartWriter } from './commit-turn.ts'
import { payingId } from './effects/hold.ts'
import type { Command, Done, Facts } from './messages.ts'
import { nativeOfferRequest, nativePlaceRequest } from './native-requests.ts'
import { hostOf, readMoreHosts, readSites } from './offer/route-cart.ts'
import { isHandedOver } from './place/handed-over.ts'

/** Carries out what a cart needs in its own transaction, under its locks. */
export async function carryOut(
  ctx: ActingContext,
  writer: CartWriter,
  state: CartState,
  command: Command,
  channels: Channels,
): Promise<Done> {
  switch (command.kind) {
    case 'read': {
      const { fact, cardId = null, rail = null } = command
      const value = await readers[fact]({ ctx, state, channels, cardId, rail })
      return { kind: 'read', facts: { [fact]: value } }
    }
    case 'offer':
      return await offerHere(ctx, state)
    case 'place':
      return {
        kind: 'place',
        answer: await native.place(nativePlaceRequest(state), ctx),
      }
    case 'read_order':
      return { ...command, answer: await native.read(command.orderRow, ctx) }
    case 'open_card': {
      const { profile_id: profileId, agent_id: agentId } = state.intent
      const card = { ...command.card, cartId: state.cart.id, profileId, agentId }
      return { kind: 'open_card', card: await openCard(ctx, card, command.funds) }
    }
    case 'compare_charges':
      return { kind: 'compare_charges', foreign: await stopAtForeignCharges(ctx, command.charges) }
    case 'propose_price': {
      await writer.write(state)
      const { lines, total } = command.offer
      const units = lines.map(({ itemId, unitAmount }) => ({ itemId, unitAmount }))
      const asked = await proposePrice(ctx, writer.loaded, { cartId: state.cart.id, units, total })
      const { intent, carts } = writer.loaded
      return { kind: 'propose_price', refusal: asked.ok ? null : asked.refusal, intent, carts }
    }
    default:
      return command satisfies never
  }
}

type Reading = {
  readonly ctx: ActingContext
  readonly state: CartState
  readonly channels: Channels
  readonly cardId: string | null
  readonly rail: string | null
}

/** How each fact is read. */
const readers: { readonly [Fact in keyof Facts]: (reading: Reading) => Promise<Facts[Fact]> | Facts[Fact] } =
  {
    payer: ({ ctx, state }) => readPayer(ctx, state),
    sentCard: async ({ ctx, state, cardId }) =>
      cardId === null ? null : await cardOfMethod(ctx, { profileId: state.intent.profile_id, id: cardId }),
    moreHosts: ({ ctx, state }) => readMoreHosts(ctx, state.cart),
    keptAnswers: ({ ctx, state: { intent } }) => readKeptAnswers(ctx, intent.profile_id),
    site: readSite,
    sellerRefusal: readSellerRefusal,
    async tokenOrder({ ctx, state, channels: { orderOfToken } }) {
      if (orderOfToken === null) throw new Error('this worker buys nothing by tokens')
      return await orderOfToken(ctx, { intentId: state.intent.id })
    },
    news: ({ ctx, state: { cart } }) => readNews(ctx, cart.id),
    offerHeldSeconds: ({ state, channels }) => channels.rails.of(state.tenant)?.circuit?.heldSeconds() ?? 0,
    railHeld: ({ state, channels, rail }) => ({
      rail,
      seconds: channels.rails.named(state.tenant, rail)?.circuit?.reserve() ?? 0,
    }),
  }

/** What pays is read beside the catalog: an offer that is accepted is paid in this very turn. */
async function offerHere(ctx: ActingContext, state: CartState): Promise<Done> {
  const [payer, answer] = await Promise.all([
    readPayer(ctx, state),
    native.offer(nativeOfferRequest(state), ctx),
  ])
  return { kind: 'offer', answer, facts: { payer } }
}

function readPayer(ctx: ActingContext, state: CartState): Promise<Facts['payer']> {
  const { profile_id: profileId } = state.intent
  return readPayingMethod(ctx.tx.ahead, ctx.tenant, { profileId, id: payingId(state) })
}

async function readSite({ ctx, state: { cart } }: Reading): Promise<Facts['site']> {
  const [item] = cart.items
  if (!item) return null
  const { sites } = await readSites(ctx, [item.url])
  return sites.get(hostOf(item.url)) ?? null
}

/** Another merchant sells the item by now, or its backend has not confirmed its endpoint. */
async function readSellerRefusal({ ctx, state: { intent, cart } }: Reading): Promise<Facts['sellerRefusal']> {
  const ofCart = new Set<string>(cart.items.map(({ id }) => id))
  const sold = await readSellers(
    ctx,
    intent.items.filter(({ id }) => ofCart.has(id)),
  )
  if (sold.some(({ hasChanged }) => hasChanged)) return 'merchant_changed'
  // A merchant that takes a token charges it by itself: no order of this purchase waits for its backend.
  if (isHandedOver(cart)) return null
  return sold.some(({ now }) => now?.awaits_confirmation) ? 'merchant_unavailable' : null
}
