import type { PlaceAnswer } from '../../domain/buying/channels/port.ts'
import type { Call } from '../../domain/buying/rails/port.ts'
import type { Challenge } from '../../protocols/mpp/challenge.ts'
import { writeCredential } from '../../protocols/mpp/pay.ts'
import { payToolCall, readToolCall } from '../../protocols/mpp/tool-payments.ts'
import { chooseChallenge, isCurrency, readChallenge, type Usable } from './choose-challenge.ts'
import type { PaidRequest } from './paid-request.ts'
import type { Approved, Payer } from './payer.ts'
import type { SentPayment } from './payments.ts'
import { refused, withoutChallenge } from './place-answer.ts'
import { priceOf } from './price-of.ts'
import { within } from './send-request.ts'

/** A payment; or the end of the order, and then nothing has been paid. */
type Made = { readonly payment: SentPayment } | { readonly end: PlaceAnswer }

/** A challenge is answered while there is time to send the same answer once more, should what comes of it be lost. */
const freshMs = 30_000

/** Answers the challenge of the offer while it is fresh, and otherwise a new one that asks for the same. */
export async function makePayment(payer: Payer, approved: Approved, call: Call): Promise<Made> {
  const next = within(call)
  const first = challengeOf(payer, approved, call)
  if (isFresh(first, payer)) return { payment: answerChallenge(approved, first) }
  const renewed = await renewChallenge(payer, { approved, first }, next())
  return 'end' in renewed ? renewed : { payment: answerChallenge(approved, renewed.usable) }
}

/**
 * The payment that another process has made of the order, if this is certain: it has answered the challenge of the offer if that was
 * fresh, and it was if it still is.
 */
export function makeSamePayment(payer: Payer, approved: Approved, call: Call): SentPayment | null {
  const first = challengeOf(payer, approved, call)
  // guard paid-by-one-challenge: a process repeats no payment that another one may have made otherwise
  return isFresh(first, payer) ? answerChallenge(approved, first) : null
}

/** The challenge of the offer. Whether it has expired is not looked at. */
function challengeOf(payer: Payer, { request, reference }: Approved, { mode }: Call): Usable {
  const asking = { request, methods: payer.methodsIn(mode), mode, now: new Date(0) }
  const read = readChallenge(reference.challenge, asking)
  if (typeof read === 'string') throw new Error(`a challenge that could be answered cannot any more: ${read}`)
  return read
}

function isFresh({ expiresAt }: Usable, { now }: Payer): boolean {
  return expiresAt.getTime() - now().getTime() > freshMs
}

async function renewChallenge(
  payer: Payer,
  { approved, first }: { approved: Approved; first: Usable },
  call: Call,
): Promise<{ readonly usable: Usable } | { readonly end: PlaceAnswer }> {
  const { request, sent } = approved
  const { total, currency } = sent.offer
  const said = await payer.askPrice(request, call)
  const price = priceOf(said)
  if (price === null) return { end: withoutChallenge(said, payer.now()) }
  const asking = { request, methods: [first.method], mode: call.mode, now: payer.now() }
  const found = chooseChallenge(price.challenges, asking, currency)
  if ('why' in found) return { end: refused('merchant_changed', found.why) }
  const { charge } = found.chosen
  // guard paid-amount: a new challenge is paid at the price that was approved
  if (charge.amount !== total || !isCurrency(charge, currency))
    return { end: refused('price_changed', 'It asks for another amount by now.') }
  if (price.isTool !== approved.reference.isTool)
    return { end: refused('merchant_changed', 'It wants to be paid in another way by now.') }
  const { method } = first
  // guard paid-recipient: a new challenge pays nobody else
  if (
    charge.recipient !== first.charge.recipient ||
    method.sellerOf(charge) !== method.sellerOf(first.charge)
  )
    return { end: refused('merchant_changed', 'It wants somebody else to be paid by now.') }
  return { usable: found.chosen }
}

function answerChallenge(
  { sent: { instrument }, request, reference }: Approved,
  { challenge, charge, method, expiresAt }: Usable,
): SentPayment {
  if (instrument.kind !== 'credential') throw new Error('what is paid over MPP is paid with a credential')
  const payload = method.payloadOf(instrument.reference, charge)
  return { ...paymentBy({ request, challenge, isTool: reference.isTool }, payload), expiresAt }
}

/** The answer to the challenge, where it belongs: in a header, or in the call of a tool. */
function paymentBy(
  { request, challenge, isTool }: { request: PaidRequest; challenge: Challenge; isTool: boolean },
  payload: Readonly<Record<string, string>>,
): Omit<SentPayment, 'expiresAt'> {
  if (!isTool) {
    const { header, value } = writeCredential(challenge, payload)
    return { headers: { [header]: value }, body: null }
  }
  const call = readToolCall(request.body)
  if (call === null) throw new Error('a tool has named a price and was not called')
  return { headers: {}, body: payToolCall(call, challenge, payload) }
}
