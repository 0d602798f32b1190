import type { BookOrder } from './book.ts'
import { parcelFaults, plain } from './parcel.ts'
import { expectedOf, type PlannedBuyer, type PlannedProduct, type Purchases } from './plan.ts'

/** How a purchase ended, by our own answer, by the shop's book and by the processor. Amounts are in minor units. */
export type Ended = {
  readonly status: string
  readonly code: string | null
  /** Why it was not bought, in its own words. */
  readonly why: string
  readonly amount: number | null
  readonly channel: string | null
  readonly orderId: string | null
  /** What the book has more than before. */
  readonly orders: readonly BookOrder[]
  /** What is held or taken of each card that was charged. */
  readonly charges: readonly number[]
}

/** `not_bought` leaves nothing behind; `wrong` is everything that a shop or a buyer would have to mend. */
type Verdict = 'bought' | 'refused' | 'not_bought' | 'wrong'

type About = { readonly plan: Purchases; readonly product: PlannedProduct; readonly buyer: PlannedBuyer }

/** Whether a purchase is as it has to be, and what is not. */
export function judge(about: About, ended: Ended): { verdict: Verdict; wrong: string[] } {
  const { refused } = expectedOf(about.plan, about.product, about.buyer)
  if (ended.status !== 'succeeded') {
    const left = leftBehind(ended)
    if (left.length > 0) return { verdict: 'wrong', wrong: left }
    const isMeant =
      refused !== null && (refused.length === 0 || (ended.code !== null && refused.includes(ended.code)))
    return { verdict: isMeant ? 'refused' : 'not_bought', wrong: [] }
  }
  const wrong = faultsOf(about, ended)
  if (refused !== null) wrong.unshift('it had to be refused')
  return { verdict: wrong.length === 0 ? 'bought' : 'wrong', wrong }
}

/** What was not bought has to leave the shop as it was. */
function leftBehind({ status, orders, charges }: Ended): string[] {
  const left: string[] = []
  if (orders.length > 0) left.push(`it ended ${status}, and the book has ${numbersOf(orders)}`)
  if (charges.length > 0) left.push(`it ended ${status}, and a card was charged ${charges.join(', ')}`)
  return left
}

function faultsOf({ plan, product, buyer }: About, ended: Ended): string[] {
  const { orders, charges, amount, channel, orderId } = ended
  const wrong: string[] = []
  const must = (isSo: boolean, what: string) => {
    if (!isSo) wrong.push(what)
  }
  must(channel === 'browser', `it was bought by ${channel}`)
  must(orders.length === 1, `the book has ${orders.length} orders more: ${numbersOf(orders)}`)
  must(charges.length === 1, `${charges.length} cards were charged: ${charges.join(', ')}`)
  const [order] = orders
  if (order === undefined) return wrong
  const total = minorOf(order.total, plan.currency)
  const { total: known } = expectedOf(plan, product, buyer)
  must(total !== null, `the total “${order.total}” is no amount`)
  must(known === null || total === known, `the total is ${total}, and has to be ${known}`)
  must(charges[0] === total, `the order is ${total}, and ${charges[0]} was charged`)
  must(amount === total, `the order is ${total}, and the purchase says ${amount}`)
  const { currency, status, number, parcel } = order
  must((currency ?? plan.currency) === plan.currency, `the order is in ${currency}`)
  must(status === null || plan.paid === undefined || plan.paid.includes(status), `the order is “${status}”`)
  must(
    orderId === null || orderId.includes(number),
    `the purchase has the order number ${orderId}, not ${number}`,
  )
  return [...wrong, ...goodsFaults(order, product), ...parcelFaults(parcel, buyer)]
}

function numbersOf(orders: readonly BookOrder[]): string {
  return orders
    .map(({ number, status }) => `order ${number}${status === null ? '' : ` (${status})`}`)
    .join(', ')
}

function goodsFaults(
  { lines }: BookOrder,
  { goods, quantity = 1, selections = [], options }: PlannedProduct,
) {
  const wrong: string[] = []
  const [line] = lines
  const sold = lines.map((one) => `${one.quantity} “${one.goods}”`).join(', ')
  const isIt = [goods].flat().some((name) => plain(name) === plain(line?.goods ?? ''))
  if (lines.length !== 1 || line === undefined || !isIt || Number(line.quantity) !== quantity)
    wrong.push(`the shop sold ${sold}, and not ${quantity} “${[goods].flat()[0]}”`)
  if (line === undefined || line.options === null) return wrong
  const wanted = options ?? selections.map(({ value }) => value)
  const said = ` ${plain(line.options)} `
  for (const option of wanted)
    if (!said.includes(` ${plain(option)} `))
      wrong.push(`the options are “${line.options}”, without “${option}”`)
  if (wanted.length === 0 && said.trim() !== '')
    wrong.push(`the options are “${line.options}”, and none was chosen`)
  return wrong
}

/** `116.0000` of USD is 11600. Books often keep more digits than money has; these are rounded. */
export function minorOf(text: string, currency: string): number | null {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/u.exec(text) ?? []
  if (whole === undefined) return null
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  const isUp = (fraction[digits] ?? '0') >= '5'
  return Number(whole + fraction.slice(0, digits).padEnd(digits, '0')) + (isUp ? 1 : 0)
}
