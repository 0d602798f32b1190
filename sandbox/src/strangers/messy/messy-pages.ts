import type { Address } from '../shop/cart.ts'
import type { Product } from '../shop/goods.ts'
import type { Order } from '../shop/memory.ts'
import { moneyText } from '../shop/money-text.ts'
import type { Priced } from '../shop/price-cart.ts'
import { type Fill, type Html, html, written } from '../web/html.ts'

export const dollars = (amount: number) => moneyText(amount, 'USD', 'en-US')

export function productPage({ handle, name, description, price, stock }: Product): Html {
  const [whole, cents] = dollars(price).slice(1).split('.')
  const isGone = stock === 0
  return frame(
    html`<div class="hero"><img src="/media/${name}.svg" width="420" height="420"><div><div class="ttl">${name}</div><div class="sub">${description}</div>
<div class="prc"><span>$</span><b>${whole}</b><sup>${cents}</sup></div><form action="/bag/add" method="post"><input type="hidden" name="i" value="${handle}">
<div class="btn ${isGone && 'off'}"${!isGone && written(' onclick="this.closest(\'form\').submit()"')}>${isGone ? 'all gone' : 'gimme'}</div></form></div></div>`,
  )
}

/** Between the bag and who wants to pay. */
export function offerPage(): Html {
  return frame(html`<div class="card"><div class="ttl">Wait! Protect your glow</div><p>2-Year Protection for only $9.99. Accidents happen.</p>
<form action="/offer" method="post"><input type="hidden" name="y" value="1"><div class="btn" onclick="this.closest('form').submit()">YES, PROTECT IT</div></form>
<form action="/offer" method="post"><input type="hidden" name="y" value="0"><span class="tiny" onclick="this.closest('form').submit()">no thanks, I like risk</span></form></div>`)
}

export function bagPage(priced: Priced): Html {
  if (priced.lines.length === 0) return frame(html`<div class="card">nothing here yet</div>`)
  return frame(
    html`<div class="card"><div class="ttl">your bag</div>${priced.lines.map(
      ({ sku, name, quantity, amount }) =>
        html`<div class="ln"><span>${name} ×${quantity}</span><span>${dollars(amount)}</span><form action="/bag/remove" method="post"><input type="hidden" name="i" value="${sku}"><span onclick="this.closest('form').submit()">✕</span></form></div>`,
    )}<div class="ln"><b>so far</b><b>${dollars(priced.subtotal)}</b></div><div class="btn" onclick="location.href='/co/1'">CHECKOUT</div></div>`,
  )
}

const placeholders: readonly [name: string, text: string][] = [
  ['f1', 'Email'],
  ['f2', 'Full name'],
  ['f3', 'Address'],
  ['f4', 'Apt / unit'],
  ['f5', 'City'],
  ['f6', 'ST'],
  ['f7', 'ZIP'],
  ['f8', 'Phone (for delivery updates)'],
]

export function addressPage(messages: readonly string[]): Html {
  return frame(
    html`<div class="card"><div class="ttl">where to?</div>${oops(messages)}<form action="/co/1" method="post">${placeholders.map(
      ([name, text]) => html`<input name="${name}" placeholder="${text}" autocomplete="off">`,
    )}<div class="btn" onclick="this.closest('form').submit()">keep going</div></form></div>`,
  )
}

export function suggestionPage(typed: Address, better: Address): Html {
  const lines = ({ line1, city, region, postalCode }: Address) => `${line1}, ${city} ${region} ${postalCode}`
  return frame(html`<div class="card"><div class="ttl">did you mean …?</div>
<form action="/co/1b" method="post"><input type="hidden" name="u" value="1"><div class="opt" onclick="this.closest('form').submit()"><b>We suggest</b><br>${lines(better)}</div></form>
<form action="/co/1b" method="post"><input type="hidden" name="u" value="0"><div class="opt" onclick="this.closest('form').submit()"><b>You typed</b><br>${lines(typed)}</div></form></div>`)
}

/** `goesTo`: whoever was asked in riddles is shown what was understood. */
export function payPage(priced: Priced, messages: readonly string[], goesTo: Fill = null): Html {
  return frame(html`<div class="card"><div class="ttl">last step</div>${oops(messages)}${goesTo}${priced.lines.map(
    ({ name, quantity, amount }) =>
      html`<div class="ln"><span>${name} ×${quantity}</span><span>${dollars(amount)}</span></div>`,
  )}<div class="ln"><span>shipping</span><span>${dollars(priced.delivery ?? 0)}</span></div><div class="ln"><span>tax</span><span>${dollars(priced.tax ?? 0)}</span></div>
<div class="ln"><b>total</b><b class="sum">${dollars(priced.total)}</b></div><form action="/co/2" method="post"><input name="p1" placeholder="0000 0000 0000 0000" autocomplete="off"><input name="p2" placeholder="MM/YY" autocomplete="off"><input name="p3" placeholder="CVV" autocomplete="off">
<div class="btn" onclick="this.closest('form').submit()">take my money</div></form></div>`)
}

export function expiredPage(): Html {
  return frame(
    html`<div class="card"><div class="ttl">Your session has expired</div><p>For your security we emptied your bag. Please start again.</p><div class="btn" onclick="location.href='/'">home</div></div>`,
  )
}

export function donePage({ number, email, priced }: Order): Html {
  return frame(
    html`<div class="card"><div class="ttl">woohoo, you’re all set!</div><p>Order #${number} is confirmed. We emailed ${email}.</p><p>You paid <b>${dollars(priced.total)}</b>.</p></div>`,
  )
}

export function oops(messages: readonly string[]): Fill {
  return messages.map((message) => html`<div class="oops">${message}</div>`)
}

export function frame(body: Html): Html {
  return html`<!doctype html><html><head><meta charset="utf-8"><title>GLOWUP</title>${written(style)}</head><body><div class="top" onclick="location.href='/'">GLOWUP*</div>${body}${written(inTheWay)}</body></html>`
}

const style = `<style>
body { margin: 0; font: 17px/1.5 "Trebuchet MS", Verdana, sans-serif; background: linear-gradient(120deg, #fff0f7, #eef0ff); color: #2b1440; min-height: 100vh }
.top { font: 900 28px Impact, sans-serif; letter-spacing: 2px; padding: 16px 28px; color: #ff3d81; cursor: pointer }
.hero { display: flex; gap: 40px; max-width: 980px; margin: 24px auto; padding: 0 20px }
.card { max-width: 520px; margin: 24px auto; background: #fff; padding: 28px; border-radius: 22px; box-shadow: 0 10px 40px #ff3d8122 }
.ttl { font-size: 30px; font-weight: 700; margin-bottom: 10px } .sub { color: #8d7aa3 }
.prc b { font-size: 44px } .prc sup { font-size: 18px }
.btn { background: #ff3d81; color: #fff; text-align: center; padding: 14px; border-radius: 40px; font-weight: 700; cursor: pointer; margin-top: 16px }
.btn.off { background: #ccc; cursor: default } .tiny { font-size: 12px; color: #999; cursor: pointer; text-decoration: underline }
.ln { display: flex; justify-content: space-between; padding: 6px 0; gap: 12px } .opt { border: 2px solid #eadcf5; border-radius: 14px; padding: 12px; margin: 10px 0; cursor: pointer }
input { display: block; width: 100%; box-sizing: border-box; border: 2px solid #eadcf5; border-radius: 14px; padding: 12px; margin: 8px 0; font: inherit } .oops { color: #d0104c; margin: 8px 0 }
.wall, .pop { position: fixed; inset: 0; background: #2b1440cc; display: flex; align-items: center; justify-content: center; z-index: 99 } .wall > div, .pop > div { background: #fff; border-radius: 22px; padding: 28px; max-width: 420px; position: relative }
.x { position: absolute; right: 18px; top: 10px; cursor: pointer; font-size: 22px }
</style>`

/** A wall until somebody accepts, and a pop-up a moment later, once for a visitor. */
const inTheWay = `<script>
const seen = (name) => document.cookie.includes(name + '=1')
const mark = (name) => { document.cookie = name + '=1; path=/; secure' }
function cover(kind, name, inside) {
  const layer = document.createElement('div')
  layer.className = kind
  layer.innerHTML = '<div>' + inside + '</div>'
  for (const part of layer.querySelectorAll('[data-close]')) part.onclick = () => { mark(name); layer.remove() }
  document.body.append(layer)
}
if (!seen('ck')) cover('wall', 'ck', '<div class="ttl">We value your privacy</div><p>We and our 812 partners use cookies.</p><div class="btn" data-close>Accept &amp; continue</div><span class="tiny" data-close>Reject all</span>')
if (!seen('nl')) setTimeout(() => cover('pop', 'nl', '<span class="x" data-close>×</span><div class="ttl">10% off??</div><p>Join the list.</p><input placeholder="you@mail.com"><div class="btn">sign me up</div>'), 800)
</script>`
