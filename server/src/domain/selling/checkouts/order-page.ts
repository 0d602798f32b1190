import type { Reads, Tenant } from '../../../contract/context.ts'
import type { HostedReply } from '../../../contract/hosted-page.ts'
import { html } from '../../../platform/pages/html.ts'
import { pageOf } from '../../../platform/pages/layout.ts'
import { type Order, readSoldOrder } from '../../trade/orders/public.ts'
import { selectCheckoutOfOrder } from './checkouts.sql.ts'

/**
 * What a person sees who opens the address of an order that a platform was given: how it stands, and where to ask. Who bought what is not
 * there, since anybody who was sent the address may open it.
 */
export async function orderPage(
  reads: Pick<Reads, 'maybe'>,
  { accountId, mode }: Tenant,
  orderId: string,
): Promise<HostedReply> {
  const [checkout, order] = await Promise.all([
    reads.maybe(selectCheckoutOfOrder({ account_id: accountId, mode, order_id: orderId })),
    readSoldOrder(reads, { accountId, mode }, orderId),
  ])
  const isTest = mode === 'test'
  if (!checkout || !order) {
    const title = 'There is no such order'
    const body = html`<h1>${title}</h1>
<p>Check the address, or open it from the message in which you got it.</p>`
    return pageOf({ status: 404, title, isTest, body })
  }
  const { merchant } = order
  const seller = merchant.name ?? merchant.domain ?? merchant.slug ?? 'the merchant'
  const title = `Your order at ${seller}`
  const body = html`<h1>${title}</h1>
<p>${said[order.status]}</p>
<p>Order ${order.id}.</p>
${merchant.domain === null ? null : html`<p class="foot">Questions about it are answered by ${seller}: ${merchant.domain}.</p>`}`
  return pageOf({ status: 200, title, isTest, body })
}

const said: Readonly<Record<Order['status'], string>> = {
  awaiting_confirmation: 'The merchant has not answered yet. Nothing was charged.',
  confirmed: 'The merchant has taken your order.',
  fulfilling: 'The merchant is sending your order.',
  completed: 'Your order is complete.',
  rejected: 'The merchant did not take the order. Nothing was charged.',
  cancelled: 'The order was cancelled.',
  expired: 'The merchant did not answer in time. Nothing was charged.',
}
