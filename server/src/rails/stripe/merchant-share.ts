import type { Call, MerchantShare, NotNow, ShareAnswer } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { fromStripe, toStripe } from './currencies.ts'
import { refused } from './intents.ts'
import { errorOf, keyField, notNowOf } from './payment-intent.ts'
import { type StripeAnswer, type StripeApi, within } from './stripe-api.ts'

/**
 * Takes back from a merchant what a charge has transferred to it. What a transfer was reversed by is listed with its key, and that is read
 * first: Stripe forgets keys after a day.
 */
export async function recoverShare(
  api: StripeApi,
  { key, hold, amount, currency }: MerchantShare,
  call: Call,
): Promise<ShareAnswer> {
  const next = within(call)
  const transfer = await transferOf(api, hold, next())
  if (!('left' in transfer)) return transfer.kind === 'none' ? moved(0n) : transfer
  const known = await madeUnder(
    key,
    await api.send(
      (stripe, options) => stripe.transfers.listReversals(transfer.id, { limit: 100 }, options),
      next(),
    ),
    currency,
  )
  if (known.kind !== 'none') return known
  const most = amount < transfer.left ? amount : transfer.left
  if (most === 0n) return moved(0n)
  const told = toStripe(most, currency)
  if (told === null) return refused({ code: 'currency_not_supported' })
  const params = { amount: told, metadata: { [keyField]: key } }
  const said = await api.send(
    (stripe, options) => stripe.transfers.createReversal(transfer.id, params, options),
    next(),
    key,
  )
  return answerTo(said, currency)
}

/** Pays it again. Transfers of one hold are in a group, in which one with the key is found. */
export async function payShare(
  api: StripeApi,
  { key, hold, amount, currency }: MerchantShare,
  call: Call,
): Promise<ShareAnswer> {
  const next = within(call)
  const transfer = await transferOf(api, hold, next())
  if (!('left' in transfer)) return transfer.kind === 'none' ? moved(0n) : transfer
  const transfer_group = `prokura_${hold}`
  const known = await madeUnder(
    key,
    await api.send(
      (stripe, options) => stripe.transfers.list({ transfer_group, limit: 100 }, options),
      next(),
    ),
    currency,
  )
  if (known.kind !== 'none') return known
  const told = toStripe(amount, currency)
  if (told === null) return refused({ code: 'currency_not_supported' })
  const said = await api.send(
    (stripe, options) =>
      stripe.transfers.create(
        {
          amount: told,
          currency: currency.toLowerCase(),
          destination: transfer.destination,
          transfer_group,
          metadata: { [keyField]: key },
        },
        options,
      ),
    next(),
    key,
  )
  return answerTo(said, currency)
}

type Transfer = { readonly id: string; readonly destination: string; readonly left: bigint }
type Nothing = { readonly kind: 'none' }

/** What the charge of a hold has transferred; none: the operator was paid. */
async function transferOf(
  api: StripeApi,
  hold: string,
  call: Call,
): Promise<Transfer | Nothing | NotNow | { readonly kind: 'unknown' }> {
  const expand = ['latest_charge.transfer']
  const said = await api.send(
    (stripe, options) => stripe.paymentIntents.retrieve(hold, { expand }, options),
    call,
  )
  if (said.kind !== 'answer') return { kind: 'unknown' }
  if (said.status !== 200) return notNowOf(said) ?? { kind: 'unknown' }
  const { latest_charge: charge, currency } = said.body
  if (!isRecord(charge) || typeof currency !== 'string') return { kind: 'unknown' }
  if (charge.transfer == null) return { kind: 'none' }
  if (!isRecord(charge.transfer)) return { kind: 'unknown' }
  const { id, destination, amount, amount_reversed } = charge.transfer
  const own = currency.toUpperCase()
  const [paid, back] = [fromStripe(amount, own), fromStripe(amount_reversed, own)]
  if (typeof id !== 'string' || typeof destination !== 'string' || paid === null || back === null)
    return { kind: 'unknown' }
  return { id, destination, left: paid - back }
}

/** What a list has under a key. */
function madeUnder(key: string, said: StripeAnswer, currency: string): ShareAnswer | Nothing {
  // The list changes nothing.
  if (said.kind !== 'answer') return { kind: 'unknown' }
  if (said.status !== 200 || !Array.isArray(said.body.data)) return notNowOf(said) ?? { kind: 'unknown' }
  const made: unknown = said.body.data.find(
    (one: unknown) => isRecord(one) && isRecord(one.metadata) && one.metadata[keyField] === key,
  )
  const amount = isRecord(made) ? fromStripe(made.amount, currency) : null
  if (amount !== null) return moved(amount)
  return said.body.has_more === true ? { kind: 'unknown' } : { kind: 'none' }
}

function answerTo(said: StripeAnswer, currency: string): ShareAnswer {
  if (said.kind === 'not_sent') return said
  if (said.kind !== 'answer') return { kind: 'unknown' }
  if (said.status === 200) {
    const amount = fromStripe(said.body.amount, currency)
    return amount === null ? { kind: 'unknown' } : moved(amount)
  }
  const { code } = errorOf(said)
  if (code === 'balance_insufficient' || code === 'insufficient_funds')
    return refused({ code: 'balance_insufficient' })
  return notNowOf(said) ?? { kind: 'unknown' }
}

function moved(amount: bigint): Extract<ShareAnswer, { kind: 'done' }> {
  return { kind: 'done', value: { moved: amount } }
}
