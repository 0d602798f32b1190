import { addressFields } from '../shop/address.ts'
import { moneyText } from '../shop/money-text.ts'
import type { Storefront } from '../storefront/storefront.ts'
import { type Html, html, written } from '../web/html.ts'
import { habitPage } from './habit-pages.ts'

/** All of the checkout on one page, which a script keeps step by step. */
export function onePage(front: Storefront, habit: 'choose' | 'accordion'): Html {
  const body = habit === 'choose' ? chosenInWindows(front) : foldedOut(front)
  return habitPage(front, 'Checkout', html`<div id="alert"></div>${body}${written(script)}`)
}

/** No button keeps the address: a script does, as soon as none of its fields has the focus. What comes below is drawn anew by that. */
export function keptPage(front: Storefront): Html {
  return habitPage(
    front,
    'Checkout',
    html`<section class="panel" id="buyer"><h2>Customer details</h2>${addressFields(new URLSearchParams())}
<p class="field"><label for="company">Company (optional)</label><input id="company" name="company"></p></section><div id="confirm"></div>${written(`<script>{
  const buyer = document.querySelector('#buyer')
  const post = (step, fields) => fetch('/steps/' + step, { method: 'POST', body: new URLSearchParams(fields) })
  const keep = async () => {
    if (buyer.contains(document.activeElement)) return
    const typed = [...buyer.querySelectorAll('[name]')].map(({ name, value }) => [name, value])
    const { errors } = await (await post('address', typed)).json()
    if (errors.length > 0) return
    await post('delivery', { shipping_method: 'standard' })
    await post('payment', { payment_method: 'card' })
    document.querySelector('#confirm').innerHTML = (await (await fetch('/steps/confirm')).json()).html
  }
  buyer.addEventListener('focusout', () => setTimeout(keep, 50))
}</script>`)}`,
  )
}

/** Guest or not, and the address, in one form; what is chosen in windows stands in fields that nobody types into. */
function chosenInWindows(front: Storefront): Html {
  const chosen = (step: string, name: string) =>
    html`<fieldset><legend>${name}</legend><input readonly id="chosen-${step}" placeholder="${name}"><button type="button" data-opens="${step}">Choose</button></fieldset>`
  return html`<form class="panel" data-form="address">${accounts()}${addressFields(new URLSearchParams())}
<div data-registers><label for="password">Password</label><input type="password" id="password" name="password"></div>
<button type="button" data-step="address">Continue</button></form>
<section class="panel">${chosen('delivery', 'Shipping Method')}${chosen('payment', 'Payment Method')}<div id="confirm"></div></section>
${windowOf('delivery', 'Shipping Method', deliveries(front))}${windowOf('payment', 'Payment Method', payments())}`
}

function windowOf(step: string, title: string, fields: Html): Html {
  return html`<div role="dialog" aria-modal="true" data-window="${step}" hidden style="position:fixed;inset:80px;background:#fff;padding:24px"><h2>${title}</h2><form>${fields}<button type="button" data-step="${step}">Continue</button></form></div>`
}

/** Each step is behind its heading, which folds it out slowly; the page has a base, so that its links to parts lead elsewhere. */
function foldedOut(front: Storefront): Html {
  const panels: [step: string, title: string, fields: Html][] = [
    [
      'account',
      'Step 1: Checkout Options',
      html`<div class="columns"><div><h3>New Customer</h3>${accounts()}<button type="button" data-step="account">Continue</button></div>
<div><h3>Returning Customer</h3><label for="login">E-Mail</label><input id="login" name="login"><label for="password">Password</label><input id="password" type="password" name="password"><button type="button">Login</button></div></div>`,
    ],
    ['address', 'Step 2: Billing Details', withButton('address', addressFields(new URLSearchParams()))],
    ['delivery', 'Step 3: Delivery Method', withButton('delivery', deliveries(front))],
    ['payment', 'Step 4: Payment Method', withButton('payment', payments())],
  ]
  return html`<base href="/">${panels.map(
    ([step, title, fields], at) =>
      html`<section class="panel"><h2><a href="#${step}" data-folds>${title}</a></h2><div id="${step}" data-form="${step}"${at > 0 && html` hidden`}>${fields}</div></section>`,
  )}<section class="panel"><h2>Step 5: Confirm Order</h2><div id="confirm"></div></section>`
}

function withButton(step: string, fields: Html): Html {
  return html`${fields}<button type="button" data-step="${step}">Continue</button>`
}

function accounts(): Html {
  return html`<p>Checkout Options:</p><label class="choice"><input type="radio" name="account" value="register" checked> Register Account</label>
<label class="choice"><input type="radio" name="account" value="guest"> Guest Checkout</label>`
}

function deliveries(front: Storefront): Html {
  return html`<p>Please select the preferred shipping method to use on this order.</p>${front.deliveries.map(
    ({ id, name, price }) =>
      html`<label class="choice"><input type="radio" name="shipping_method" value="${id}"> ${name} - ${moneyText(price, front.currency, front.locale)}</label>`,
  )}`
}

function payments(): Html {
  return html`<label class="choice"><input type="radio" name="payment_method" value="cod"> Cash On Delivery</label>
<label class="choice"><input type="radio" name="payment_method" value="card"> Credit Card</label>`
}

const script = `<script>{
  const kept = new Set()
  const order = ['account', 'address', 'delivery', 'payment']
  const say = (texts) => {
    document.querySelector('#alert').innerHTML = texts.map((text) => '<p class="notice" role="alert">' + text + '</p>').join('')
    if (texts[0]?.startsWith('Success')) setTimeout(() => say([]), 700)
  }
  const box = (step) => document.querySelector('[data-window="' + step + '"]') ?? document.getElementById(step) ?? document.querySelector('[data-form="' + step + '"]')
  const confirmed = async () => {
    const { html } = await (await fetch('/steps/confirm')).json()
    document.querySelector('#confirm').innerHTML = html
  }
  const keep = async (step) => {
    const fields = [...box(step).querySelectorAll('input, select')].filter((one) => one.type !== 'radio' || one.checked)
    const body = new URLSearchParams(fields.map((one) => [one.name, one.value]))
    const { errors } = await (await fetch('/steps/' + step, { method: 'POST', body })).json()
    if (errors.length > 0) return say(errors)
    kept.add(step)
    say(['Success: You have modified your details!'])
    const shown = document.querySelector('#chosen-' + step)
    if (document.querySelector('[data-window="' + step + '"]')) {
      shown.value = box(step).querySelector(':checked').parentElement.textContent.trim()
      box(step).hidden = true
    } else if (document.getElementById(step)) {
      const next = order[order.indexOf(step) + 1]
      fold(document.getElementById(step), false)
      if (next) fold(document.getElementById(next), true)
    }
    if (!document.getElementById('account') || step === 'payment') await confirmed()
  }
  const fold = (part, isOut) => {
    part.hidden = false
    const full = part.scrollHeight + 'px'
    part.style.cssText = 'overflow: hidden; height: ' + (isOut ? '0' : full)
    part.offsetHeight
    part.style.transition = 'height 350ms'
    part.style.height = isOut ? full : '0'
    part.addEventListener('transitionend', () => { part.style.cssText = ''; part.hidden = !isOut }, { once: true })
  }
  const open = (step) => {
    if (!kept.has('address')) return say(['Shipping address required!'])
    box(step).hidden = false
  }
  document.addEventListener('click', (event) => {
    const { target } = event
    if (target.dataset.step) keep(target.dataset.step)
    if (target.dataset.opens) open(target.dataset.opens)
    if ('folds' in target.dataset) {
      event.preventDefault()
      const folded = document.querySelector(target.getAttribute('href'))
      fold(folded, folded.hidden)
    }
  })
  document.addEventListener('change', ({ target }) => {
    const registers = document.querySelector('[data-registers]')
    if (target.name === 'account' && registers) registers.hidden = target.value === 'guest'
  })
}</script>`
