import { emit } from '@evershop/evershop/lib/event'
import { pool } from '@evershop/evershop/lib/postgres'
import { updatePaymentStatus } from '@evershop/evershop/oms/services'
import { insert, select } from '@evershop/postgres-query-builder'

const processorUrl = process.env.CARD_PROCESSOR_URL
const merchant = process.env.CARD_MERCHANT

/** Charges the order's total to the card that was typed. Nothing of the card is kept. */
export default async function payOrder(request, response) {
  const { order_id: id, attempt, number, expiry, security_code } = request.body
  const order = await select().from('order').where('uuid', '=', String(id)).load(pool)
  if (order?.payment_method !== 'card' || order.payment_status !== 'pending')
    return refuse(response, 400, 'This order cannot be paid')
  const amount = Math.round(Number(order.grand_total) * 100)
  // An answer that was lost may be asked for once more; another card is another attempt.
  const held = await call('/v1/card_authorizations', `${order.uuid}:${attempt}`, {
    number,
    expiry,
    security_code,
    amount,
    currency: order.currency,
    merchant,
    reference: String(order.order_number),
  })
  if (held.id === null) return refuse(response, 402, 'Your card was declined')
  const taken = await call(`/v1/card_authorizations/${held.id}/captures`, `${order.uuid}:capture`, {
    amount,
    is_final: true,
  })
  if (taken.id === null) return refuse(response, 502, 'The payment could not be completed')
  await insert('payment_transaction')
    .given({
      amount: order.grand_total,
      payment_transaction_order_id: order.order_id,
      transaction_id: taken.id,
      transaction_type: 'online',
      payment_action: 'capture',
    })
    .execute(pool)
  await updatePaymentStatus(order.order_id, 'paid')
  await emit('order_placed', { ...order })
  response.status(200).json({ data: { order_id: order.uuid } })
}

async function call(path, key, body) {
  const answer = await fetch(processorUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })
  const told = await answer.json()
  return { id: answer.ok ? told.id : null }
}

function refuse(response, status, message) {
  response.status(status).json({ error: { status, message } })
}
