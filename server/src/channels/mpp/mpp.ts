import type { Mode } from '../../contract/context.ts'
import type {
  BuyingChannel,
  ChannelDeclaration,
  Elsewhere,
  OfferAnswer,
  OfferRequest,
  PlaceAnswer,
  PlaceMemory,
  PlaceRequest,
} from '../../domain/buying/channels/port.ts'
import type { Call } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { chooseChallenge } from './choose-challenge.ts'
import { makePayment, makeSamePayment } from './make-payment.ts'
import { offerOf, unsupported, withoutPrice } from './offer-answer.ts'
import { paidRequest } from './paid-request.ts'
import { approvedOf, Payer } from './payer.ts'
import { Payments } from './payments.ts'
import { placedBy, refused, rememberedBy } from './place-answer.ts'
import { priceOf } from './price-of.ts'
import { within } from './send-request.ts'

const modes: readonly Mode[] = ['test', 'live']

/** Sites that sell for answers to 402: one request is one item, and what it is answered with is what was bought. */
export const mppChannel = {
  name: 'mpp',
  modes,
  payment: 'credential',
  form: 'challenge',
  hasStrangers: true,
  longestCallMs: 20_000,
  open: ({ egress, tokenIssuers }) =>
    createMppChannel({ egress, tokenModes: modes.filter((mode) => tokenIssuers[mode] !== undefined) }),
} as const satisfies ChannelDeclaration<{
  egress: Egress
  tokenIssuers: Readonly<Partial<Record<Mode, object>>>
}>

type Options = { egress: Egress; tokenModes?: readonly Mode[]; now?: () => Date }

/**
 * Pays once, and repeats at most the same payment: the same bytes, while its challenge can be answered.
 *
 * A merchant over MPP keeps no keys that could be asked about or closed. To ask is to send the payment again, and so is to close: what
 * closes an order is that its credential is revoked before, and then the payment that is repeated can charge nothing.
 */
export function createMppChannel({
  egress,
  tokenModes = [],
  now = () => new Date(),
}: Options): BuyingChannel {
  const payer = new Payer({ egress, tokenModes, now })
  const payments = new Payments()
  const ask = (sent: PlaceRequest, call: Call) => askAgain(payer, payments, sent, call)
  return {
    offer: (request, call) => askForPrice(payer, request, call),
    place: (sent, call) => payFor(payer, payments, sent, call),
    ask,
    close: ask,
  }
}

async function askForPrice(
  payer: Payer,
  request: OfferRequest,
  call: Call,
): Promise<OfferAnswer | Elsewhere> {
  const [item, ...others] = request.items
  if (!item) throw new Error('a cart of nothing')
  if (others.length > 0 || item.quantity !== 1)
    return unsupported('merchant_unsupported', 'Requests are paid one at a time, each in a cart of its own.')
  const asked = paidRequest(item, request.site)
  const said = await payer.askPrice(asked, call)
  const price = priceOf(said)
  if (price === null) return withoutPrice(said, payer.now())
  const asking = { request: asked, methods: payer.methodsIn(call.mode), mode: call.mode, now: payer.now() }
  const found = chooseChallenge(price.challenges, asking, request.currency)
  if ('why' in found) return { kind: 'elsewhere', why: found.why }
  return offerOf(request, asked, { ...found.chosen, isTool: price.isTool })
}

async function payFor(
  payer: Payer,
  payments: Payments,
  sent: PlaceRequest,
  call: Call,
): Promise<PlaceAnswer> {
  const next = within(call)
  const approved = approvedOf(sent)
  // guard paid-request: the bytes that are paid are those whose price was asked for
  if (approved.request.sha256 !== approved.reference.request)
    return refused('price_changed', 'The request is another one than its price was asked for.')
  const known = payments.find(sent.key, payer.now())
  const made = known ? { payment: known } : await makePayment(payer, approved, next())
  if ('end' in made) return made.end
  payments.note(sent.key, made.payment, payer.now())
  return placedBy(await payer.pay(approved.request, made.payment, next()))
}

async function askAgain(
  payer: Payer,
  payments: Payments,
  sent: PlaceRequest,
  call: Call,
): Promise<PlaceMemory> {
  const next = within(call)
  const approved = approvedOf(sent)
  const known = payments.find(sent.key, payer.now())
  const payment = known ?? makeSamePayment(payer, approved, next())
  if (payment === null) return { kind: 'unknown' }
  return rememberedBy(await payer.pay(approved.request, payment, next()), payer.now())
}
