import { cardFields, readCard } from '../shop/card-fields.ts'
import type { TypedCard } from '../shop/card-processor.ts'
import { type Desk, newId } from '../shop/desk.ts'
import { entryOf, type Order } from '../shop/memory.ts'
import { moneyText } from '../shop/money-text.ts'
import { claimCart, keepOrder, payOrder } from '../shop/place-order.ts'
import { noticeOf } from '../storefront/checkout-pages.ts'
import { declineText } from '../storefront/pay-by-card.ts'
import { type Html, html, written } from '../web/html.ts'
import { shopPage } from '../web/layout.ts'
import { notFound, page, type Reply, redirect, type Visit, type WebRoute } from '../web/site.ts'

export const pageHost = 'page.pay.test'
export const bankHost = 'acs.bank.test'

/** What the bank sends to the phone of its customer. */
const code = '482913'

type Challenge = { session: string; card: TypedCard; needsCode: boolean; isPassed: boolean }

/** Cards that wait for the word of the bank. They stay in this process, and a restart forgets them. */
export function openChallenges(): Map<string, Challenge> {
  return new Map()
}

export function sessionNote(session: string): string {
  return `session:${session}`
}

/** The page of a payment company: top-level, under its own name. */
export function payPageRoutes(desk: Desk, challenges: Map<string, Challenge>): WebRoute[] {
  return [
    {
      method: 'GET',
      path: '/pay/:session',
      handle: ({ params }) => {
        const session = params.session ?? ''
        const order = orderOf(desk, session)
        if (order === undefined) return notFound()
        return order.state === 'unpaid' || order.state === 'declined'
          ? page(payPage(order, session, []))
          : redirect(returnTo(desk, session))
      },
    },
    { method: 'POST', path: '/pay/:session', handle: (visit) => takeCard(desk, challenges, visit) },
    { method: 'GET', path: '/authenticated/:id', handle: (visit) => afterBank(desk, challenges, visit) },
  ]
}

/** The bank that issued the card: it lets pass, or asks for a code. */
export function bankRoutes(challenges: Map<string, Challenge>): WebRoute[] {
  return [
    {
      method: 'GET',
      path: '/challenge/:id',
      handle: ({ params }) => {
        const challenge = challenges.get(params.id ?? '')
        if (challenge === undefined) return notFound()
        return page(challenge.needsCode ? codePage(params.id ?? '', []) : passingPage(params.id ?? ''))
      },
    },
    {
      method: 'POST',
      path: '/challenge/:id',
      handle: ({ params, form }) => {
        const id = params.id ?? ''
        const challenge = challenges.get(id)
        if (challenge === undefined) return notFound()
        if (challenge.needsCode && form.get('otp') !== code)
          return page(codePage(id, ['This code is not right.']))
        challenges.set(id, { ...challenge, isPassed: true })
        return redirect(`https://${pageHost}/authenticated/${id}`)
      },
    },
  ]
}

function orderOf({ memory }: Desk, session: string): Order | undefined {
  return memory.orders.get(memory.notes.get(sessionNote(session)) ?? '')
}

function returnTo({ host }: Desk, session: string): string {
  return `https://${host}/payment/return?session=${session}`
}

function takeCard(
  desk: Desk,
  challenges: Map<string, Challenge>,
  { params, form }: Visit,
): Reply | Promise<Reply> {
  const session = params.session ?? ''
  const order = orderOf(desk, session)
  if (order === undefined) return notFound()
  const read = readCard(form)
  if (read.kind === 'wrong') return page(payPage(order, session, read.messages))
  const skus = order.priced.lines.map(({ sku }) => sku)
  const needsCode = skus.includes('challenge')
  if (!needsCode && !skus.includes('frictionless')) return charge(desk, session, read.card)
  const id = newId('acs')
  challenges.set(id, { session, card: read.card, needsCode, isPassed: false })
  desk.memory.commit({
    kind: 'entry',
    entry: entryOf('charge', needsCode ? 'challenged' : 'looked at', { order }),
  })
  return redirect(`https://${bankHost}/challenge/${id}`)
}

function afterBank(
  desk: Desk,
  challenges: Map<string, Challenge>,
  { params }: Visit,
): Reply | Promise<Reply> {
  const challenge = challenges.get(params.id ?? '')
  if (challenge === undefined || !challenge.isPassed) return notFound()
  challenges.delete(params.id ?? '')
  return charge(desk, challenge.session, challenge.card)
}

/** Once for the cart, whatever number of sessions was opened for it. */
async function charge(desk: Desk, session: string, card: TypedCard): Promise<Reply> {
  const order = orderOf(desk, session)
  const cart = desk.memory.carts.get(order?.cartId ?? '')
  if (order === undefined || cart === undefined) return notFound()
  if (cart.orderId !== null) return redirect(returnTo(desk, session))
  const charging: Order = { ...order, state: 'charging' }
  claimCart(desk, cart, charging)
  keepOrder(desk, charging, 'paying')
  await desk.memory.durable()
  const { code: decline } = await payOrder(desk, charging, card)
  return decline === null
    ? redirect(returnTo(desk, session))
    : page(payPage(order, session, [declineText(decline)]))
}

const payLook = { title: 'PayPage', tagline: 'Secure payments', lang: 'en', accent: '#0b6e4f' }

function payPage(order: Order, session: string, messages: readonly string[]): Html {
  const total = moneyText(order.priced.total, order.priced.currency, 'en-US')
  return shopPage({
    look: payLook,
    title: 'Pay',
    body: html`<h1>Pay Paper &amp; Ink</h1>${noticeOf(messages)}<form class="panel" method="post" action="/pay/${session}"><p class="price">${total}</p>
<p>Order ${order.number}</p>${cardFields()}<button>Pay ${total}</button></form><p><a href="https://hosted.shop.test/payment/return?session=${session}">Cancel and return to the shop</a></p>`,
  })
}

const bankLook = { title: 'First Test Bank', tagline: 'Verification', lang: 'en', accent: '#1b3a6b' }

function codePage(id: string, messages: readonly string[]): Html {
  return shopPage({
    look: bankLook,
    title: 'Verify your payment',
    body: html`<h1>Verify your payment</h1>${noticeOf(messages)}<form class="panel" method="post" action="/challenge/${id}"><p>We sent a code to your phone. Enter it to approve this payment.</p>
<label for="otp">Code</label><input id="otp" name="otp" autocomplete="one-time-code" inputmode="numeric"><button>Verify</button></form>`,
  })
}

/** Nothing to do for the customer: the page goes on by itself. */
function passingPage(id: string): Html {
  return shopPage({
    look: bankLook,
    title: 'One moment',
    body: html`<h1>One moment, please …</h1><form id="pass" method="post" action="/challenge/${id}"></form>${written('<script>document.getElementById("pass").submit()</script>')}`,
  })
}
