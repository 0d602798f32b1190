import type { Product } from '../shop/goods.ts'
import type { Order } from '../shop/memory.ts'
import { moneyText } from '../shop/money-text.ts'
import type { Priced } from '../shop/price-cart.ts'
import { structuredData } from '../shop/structured-data.ts'
import { type Fill, type Html, html, written } from '../web/html.ts'
import { type Look, shopPage } from '../web/layout.ts'
import { laden } from './sortiment.ts'

export const look: Look = {
  title: 'Kaffeeladen',
  tagline: 'Rösterei in Leipzig',
  lang: 'de',
  accent: '#5b3a21',
}

const euro = (amount: number) => moneyText(amount, 'EUR', 'de-DE')

export function startPage(): Html {
  return frame(
    'Sortiment',
    html`<h1>Unser Sortiment</h1><ul class="grid">${laden.products.map(
      ({ handle, name, price }) =>
        html`<li><a href="/produkt/${handle}"><img src="/media/${handle}.svg" alt=""><h2>${name}</h2></a><span class="price">${euro(price)}</span></li>`,
    )}</ul>`,
  )
}

export function productPage(product: Product, origin: string): Html {
  const path = `/produkt/${product.handle}`
  const isSoldOut = product.stock === 0
  const body = html`<article class="product"><img src="/media/${product.handle}.svg" alt="${product.name}"><div><h1>${product.name}</h1>
<p class="price">${euro(product.price)}</p><p><small>inkl. 19 % MwSt., zzgl. Versandkosten</small></p><p>${product.description}</p>
<p class="stock ${isSoldOut && 'out'}">${isSoldOut ? 'Ausverkauft' : 'Sofort lieferbar'}</p>
<form method="post" action="/warenkorb/hinzufuegen"><input type="hidden" name="artikel" value="${product.handle}"><label for="menge">Menge</label><input class="qty" type="number" id="menge" name="menge" value="1" min="1">
<button${isSoldOut && html` disabled`}>In den Warenkorb</button></form></div></article>`
  const about = { product, origin, path, currency: 'EUR', brand: look.title }
  return frame(product.name, body, structuredData(about))
}

export function basketPage(priced: Priced, messages: readonly string[]): Html {
  if (priced.lines.length === 0)
    return frame('Warenkorb', html`<h1>Warenkorb</h1><p>Ihr Warenkorb ist leer.</p>`)
  return frame(
    'Warenkorb',
    html`<h1>Warenkorb</h1>${notices(messages)}<form class="panel" method="post" action="/warenkorb">${totals(priced, true)}
<label for="gutscheincode">Gutscheincode</label><input id="gutscheincode" name="gutscheincode"><button>Einlösen</button></form><a class="button" href="/kasse">Zur Kasse</a>`,
  )
}

type Field = [name: string, label: string, autocomplete: string, type?: string]

const fields: readonly Field[] = [
  ['email', 'E-Mail-Adresse*', 'email', 'email'],
  ['vorname', 'Vorname*', 'given-name'],
  ['nachname', 'Nachname*', 'family-name'],
  // Street and number apart, for which there is no token of autocomplete.
  ['strasse', 'Straße*', 'address-line1'],
  ['hausnummer', 'Hausnummer*', 'off'],
  ['zusatz', 'Adresszusatz', 'address-line2'],
  ['plz', 'PLZ*', 'postal-code'],
  ['ort', 'Ort*', 'address-level2'],
  ['telefon', 'Telefon', 'tel', 'tel'],
]

export function checkoutPage(priced: Priced, typed: URLSearchParams, messages: readonly string[]): Html {
  const salutation = typed.get('anrede') ?? ''
  const country = typed.get('land') ?? 'DE'
  return frame(
    'Kasse',
    html`<h1>Kasse</h1>${notices(messages)}<form class="columns" method="post" action="/kasse"><div>
<section class="panel"><h2>Rechnungs- und Lieferadresse</h2><label for="anrede">Anrede</label><select id="anrede" name="anrede">${[
      '',
      'Frau',
      'Herr',
      'Divers',
    ].map(
      (one) =>
        html`<option value="${one}"${one === salutation && html` selected`}>${one || 'Bitte wählen'}</option>`,
    )}</select>${fields.map(
      ([name, label, autocomplete, type = 'text']) =>
        html`<label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${typed.get(name)}">`,
    )}<label for="land">Land*</label><select id="land" name="land" autocomplete="country">${[
      ['DE', 'Deutschland'],
      ['AT', 'Österreich'],
      ['CH', 'Schweiz'],
    ].map(
      ([code, name]) => html`<option value="${code}"${code === country && html` selected`}>${name}</option>`,
    )}</select></section>
<section class="panel"><fieldset><legend>Versandart</legend>${laden.deliveries.map(
      ({ id, name, promise, price }) =>
        html`<label class="choice"><input type="radio" name="versandart" value="${id}" onchange="this.form.requestSubmit(this.form.aktualisieren)"${(typed.get('versandart') ?? 'dhl') === id && html` checked`}> ${name} (${promise}) ${euro(price)}</label>`,
    )}</fieldset><button class="plain" name="aktualisieren" value="1" formnovalidate>Versandkosten aktualisieren</button></section>
<section class="panel"><h2>Zahlungsart</h2><label class="choice"><input type="radio" name="zahlungsart" value="kreditkarte" checked> Kreditkarte</label>
<label for="card_number">Kartennummer</label><input id="card_number" name="card_number" autocomplete="cc-number" inputmode="numeric"><label for="card_expiry">Gültig bis (MM/JJ)</label><input id="card_expiry" name="card_expiry" autocomplete="cc-exp"><label for="card_cvc">Prüfziffer</label><input id="card_cvc" name="card_cvc" autocomplete="cc-csc"></section></div>
<aside class="panel"><h2>Ihre Bestellung</h2>${totals(priced, false)}<label class="choice"><input type="checkbox" name="agb" value="1"> Ich habe die AGB und die Widerrufsbelehrung gelesen und akzeptiere sie.*</label>
<label class="choice"><input type="checkbox" name="newsletter" value="1"> Ja, ich möchte den Newsletter erhalten.</label>
<button name="bestellen" value="1">Zahlungspflichtig bestellen</button></aside></form>`,
  )
}

export function thanksPage(order: Order): Html {
  return frame(
    'Vielen Dank',
    html`<h1>Vielen Dank für Ihre Bestellung!</h1><section class="panel"><p>Ihre Bestellnummer lautet <strong>${order.number}</strong>.</p>
<p>Eine Bestätigung haben wir an ${order.email} gesendet.</p>${totals(order.priced, false)}</section>`,
  )
}

function totals(priced: Priced, canRemove: boolean): Html {
  const row = (name: string, amount: number, kind = '') =>
    html`<tr class="${kind}"><th>${name}</th><td class="amount">${euro(amount)}</td></tr>`
  return html`<table><tbody>${priced.lines.map(
    ({ sku, name, quantity, amount }) =>
      html`<tr><td>${quantity} × ${name}${canRemove && html` <button class="plain" name="entfernen" value="${sku}">Entfernen</button>`}</td><td class="amount">${euro(amount)}</td></tr>`,
  )}</tbody><tfoot>${row('Zwischensumme', priced.subtotal)}${priced.discount > 0 && row('Gutschein', -priced.discount)}${priced.delivery !== null && row('Versand', priced.delivery)}
${row('Gesamtsumme', priced.total, 'order-total total')}<tr><td colspan="2"><small>enthält ${euro(priced.tax ?? 0)} MwSt. (19 %)</small></td></tr></tfoot></table>`
}

function notices(messages: readonly string[]): Fill {
  return (
    messages.length > 0 &&
    html`<ul class="notice" role="alert">${messages.map((one) => html`<li>${one}</li>`)}</ul>`
  )
}

function frame(title: string, body: Html, head: Fill = null): Html {
  const nav = html`<a href="/">Sortiment</a><a href="/warenkorb">Warenkorb</a>`
  return shopPage({ look, title, head, nav, body: html`${body}${banner}` })
}

/** In front of the foot of every page until somebody chooses. */
const banner =
  written(`<div id="cookie-banner" role="dialog" aria-label="Cookie-Einstellungen" hidden style="position:fixed;inset:auto 0 0 0;background:#fff;border-top:2px solid #5b3a21;padding:16px 28px;z-index:9">
<p>Wir verwenden Cookies, um unsere Website zu verbessern.</p><button type="button" data-choice="all">Alle akzeptieren</button> <button type="button" data-choice="necessary">Nur notwendige</button></div>
<script>const banner = document.getElementById('cookie-banner')
banner.hidden = document.cookie.includes('cookies=')
for (const button of banner.querySelectorAll('button')) button.onclick = () => { document.cookie = 'cookies=' + button.dataset.choice + '; path=/; secure'; banner.hidden = true }</script>`)
