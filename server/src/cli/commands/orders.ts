import { type Command, Option } from 'commander'
import { minorPerMajor } from '../../core/money.ts'
import type { Order } from '../../domain/trade/orders/order.ts'
import { CommandFailure } from '../failure.ts'
import { asksYes, isTalking } from '../purchases/ask.ts'
import { completeId, kinds } from '../purchases/complete-id.ts'
import { addressLine } from '../purchases/people.ts'
import { type ApiOptions, asksService, type ProductApi, productApi } from '../purchases/product-api.ts'
import { row } from '../purchases/say-terms.ts'
import { money, out, outJson, styled, table } from '../terminal.ts'
import { wholeNumber } from '../whole-number.ts'
import { type AskedAmount, readAmount } from './buy-options.ts'

type ShownOrders = ApiOptions & { received?: boolean }

export function defineOrders(orders: Command): void {
  const of = (name: string, description: string) =>
    asksService(orders.command(name))
      .description(description)
      .argument('<order>', 'its id, or a beginning or end that no other has')
  const received = 'the orders that your merchant has received, instead of those that you have placed'
  asksService(orders.command('list'))
    .description('List your orders, newest first.')
    .option('--received', received)
    .option('--limit <n>', 'how many at most', wholeNumber(1, 200), 20)
    .action(list)
  of('show', 'Show what was ordered, what it cost, where it is, and what came back.')
    .option('--received', received)
    .action(show)
  of('cancel', 'Cancel an order that its merchant has not answered, and release its payment.')
    .option('--reason <text>', 'why; the merchant sees it')
    .action(cancel)
  of('return', 'Ask the merchant of an order to take back what was bought.')
    .addOption(
      new Option('--reason <reason>', 'why the goods go back')
        .choices(['damaged', 'defective', 'not_as_described', 'wrong_item', 'no_longer_wanted', 'other'])
        .default('other'),
    )
    .option('--note <text>', 'a note to the merchant')
    .action(sendBack)
  of('refund', 'As the merchant: show the order, ask, and give back all that is left of it, or an amount.')
    .option(
      '--amount <amount>',
      'what to give back in all, such as 12.50 (default: everything that is left)',
      readAmount,
    )
    .option('--return <id>', 'the return that it settles')
    .option('--reason <text>', 'why; the buyer sees it')
    .option('--yes', 'give it back without a question')
    .action(refund)
}

async function list({ limit, received, ...options }: ShownOrders & { limit: number }): Promise<void> {
  const api = productApi(options)
  const page: { data: Order[]; total: number } = await api.get(
    `${received ? '/v1/merchant/orders' : '/v1/orders'}?limit=${limit}`,
  )
  if (options.json) return outJson(page)
  if (page.data.length === 0) return out(`There is no such order in ${api.mode} mode.`)
  const cells = page.data.map((one) => [
    one.id,
    one.status,
    one.payment_status,
    money(one.total_amount, one.currency),
    received ? one.customer.name : merchantOf(one),
    one.created_at.slice(0, 16).replace('T', ' '),
  ])
  const who = received ? 'FOR' : 'FROM'
  for (const line of table(['ID', 'STATUS', 'PAYMENT', 'TOTAL', who, 'PLACED (UTC)'], cells)) out(line)
  if (page.total > page.data.length) out(`… and ${page.total - page.data.length} more; --limit shows more.`)
}

function merchantOf({ merchant: { domain, name } }: Order): string {
  return domain ?? name ?? 'a merchant'
}

async function show(given: string, { received, ...options }: ShownOrders): Promise<void> {
  const api = productApi(options)
  said(api, await api.get(await pathOf(api, given, received)), options)
}

async function pathOf(api: ProductApi, given: string, received = false): Promise<string> {
  const kind = received ? kinds.received : kinds.order
  return `${kind.list}/${await completeId(api, kind, given)}`
}

async function cancel(
  given: string,
  { reason, ...options }: ApiOptions & { reason?: string },
): Promise<void> {
  const api = productApi(options)
  const body = reason === undefined ? {} : { reason }
  said(api, await api.post(`${await pathOf(api, given)}/cancel`, body), options)
}

async function sendBack(
  given: string,
  { reason, note, ...options }: ApiOptions & { reason: string; note?: string },
): Promise<void> {
  const api = productApi(options)
  const body = { reason, ...(note === undefined ? {} : { note }) }
  said(api, await api.post(`${await pathOf(api, given)}/returns`, body), options)
}

type Refunding = ApiOptions & { amount?: AskedAmount; return?: string; reason?: string; yes?: boolean }

async function refund(given: string, options: Refunding): Promise<void> {
  if (!options.yes && !isTalking(options))
    throw new CommandFailure('A person must agree to this, and nobody can be asked here. Add --yes to agree.')
  const api = productApi(options)
  const path = await pathOf(api, given, true)
  const order: Order = await api.get(path)
  const { amount, reason } = options
  if (amount && amount.currency !== order.currency) throw new CommandFailure(otherCurrency(order, amount))
  const settled = options.return === undefined ? 'everything that is left' : `what ${options.return} is about`
  const what = amount ? money(amount.amount, order.currency) : settled
  if (!options.json) said(api, order, options)
  if (!options.yes && !(await asksYes(`Give back ${what}?`))) {
    out('Nothing was given back.')
    process.exitCode = 1
    return
  }
  const after: Order = await api.post(`${path}/refunds`, {
    ...(amount ? { amount: amount.amount } : {}),
    ...(options.return === undefined ? {} : { return_id: options.return }),
    ...(reason === undefined ? {} : { reason }),
  })
  if (options.json) outJson(after)
  else for (const line of refundRows(after)) out(line)
}

function otherCurrency({ currency }: Order, { amount, currency: named }: AskedAmount): string {
  const example = (BigInt(amount) / minorPerMajor(named)).toString()
  return `The order is in ${currency}, and not in ${named}. Write the amount with its currency, such as --amount "${example} ${currency}".`
}

function said({ mode }: ProductApi, order: Order, { json }: ApiOptions): void {
  if (json) {
    outJson(order)
    return
  }
  const { id, status, payment_status, currency, shipping_address, customer } = order
  out(
    `${styled('bold', merchantOf(order))}, ${status}, payment ${payment_status}  ${styled('dim', `${id} (${mode} mode)`)}`,
  )
  for (const { quantity, title, unit_amount } of order.line_items)
    out(row('item', `${quantity} × ${title}, ${money(unit_amount, currency)} each`))
  out(row('for', shipping_address === null ? customer.name : addressLine(shipping_address)))
  for (const { type, amount } of order.totals)
    out(row(type, money(type === 'discount' ? -amount : amount, currency)))
  for (const line of afterwards(order)) out(line)
}

/** What has happened to it since it was placed. */
function afterwards(order: Order): string[] {
  const { fulfillments, returns, confirmation_reference, note, cancel_reason, order_url } = order
  return [
    ...(confirmation_reference === null ? [] : [row('reference', confirmation_reference)]),
    ...(order_url === null ? [] : [row('at', order_url)]),
    ...(note === null ? [] : [row('note', note)]),
    ...(cancel_reason === null ? [] : [row('cancelled', cancel_reason)]),
    ...fulfillments.map(({ status, carrier, tracking_number, tracking_url }) =>
      row(
        'on its way',
        [status, carrier, tracking_number, tracking_url].filter((part) => part !== null).join(', '),
      ),
    ),
    ...returns.map(({ id, status, reason, merchant_note }) =>
      row(
        'return',
        `${status}, ${reason}${merchant_note === null ? '' : `: ${merchant_note}`}${styled('dim', `  ${id}`)}`,
      ),
    ),
    ...refundRows(order),
  ]
}

/** At a merchant elsewhere, what it says that it gave back is an adjustment alone. */
function refundRows({ refunds, adjustments, currency }: Order): string[] {
  if (refunds.length === 0)
    return adjustments
      .filter(({ type }) => type === 'refund')
      .map(({ amount, reason }) =>
        row('refund', `${money(amount, currency)}${reason === null ? '' : `, ${reason}`}`),
      )
  return refunds.map(({ amount, status, reason }) =>
    row('refund', `${money(amount, currency)}, ${status}${reason === null ? '' : `: ${reason}`}`),
  )
}
