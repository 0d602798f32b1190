import type { Answer, Route } from '../json-server.ts'

/**
 * A stand-in of Stripe.js, with the methods that a page uses to have a card kept: https://docs.stripe.com/js. As there, what is typed stands
 * in a frame of this origin, which the page cannot read; and what the bank asks covers the page.
 */
export const scriptRoutes: Route[] = [
  {
    method: 'GET',
    path: '/dahlia/stripe.js',
    handle: () => text('text/javascript; charset=utf-8', script),
  },
  { method: 'GET', path: '/dahlia/card-frame', handle: () => text('text/html; charset=utf-8', cardFrame) },
]

function text(type: string, body: string): Answer {
  return { kind: 'raw', status: 200, type, chunks: [body] }
}

/** Runs in the page. */
const script = `(() => {
  const { origin } = new URL(document.currentScript.src)
  const confirmers = new WeakMap()
  function framed(url, look) {
    const frame = document.createElement('iframe')
    frame.src = url
    frame.setAttribute('style', 'border: 0; width: 100%;' + look)
    return frame
  }
  function elementsOf(key, { clientSecret }) {
    const [heard, waiting] = [{}, new Map()]
    let [card, bank, last] = [null, null, 0]
    addEventListener('message', ({ origin: from, source, data }) => {
      if (from !== origin || source !== card?.contentWindow) return
      const { kind, id, value } = data
      if (kind === 'answer') waiting.get(id)?.(value)
      else if (kind === 'bank') {
        bank?.remove()
        bank = value === null ? null : framed(value, 'position: fixed; inset: 0; height: 100%; background: white')
        if (bank !== null) document.body.append(bank)
      } else heard[kind]?.(value)
    })
    const ask = (what, more = {}) => new Promise((resolve) => {
      waiting.set(++last, resolve)
      card.contentWindow.postMessage({ what, id: last, ...more }, origin)
    })
    const elements = {
      create: () => ({
        on(event, hear) { heard[event] = hear },
        mount(element) {
          card = framed(origin + '/dahlia/card-frame', 'height: 150px')
          element.append(card)
        },
      }),
      submit: () => ask('submit'),
    }
    confirmers.set(elements, (returnUrl) => ask('confirm', { key, clientSecret, returnUrl }))
    return elements
  }
  globalThis.Stripe = (key) => ({
    elements: (options) => elementsOf(key, options),
    confirmSetup: ({ elements, confirmParams }) => confirmers.get(elements)(confirmParams.return_url),
  })
})()
`

/** Has what is typed. It answers its parent alone, and says nothing of a card but whether all of it is there. */
const cardFrame = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Card</title></head><body>
<form>
<p><label>Card number <input name="number" inputmode="numeric" autocomplete="cc-number"></label></p>
<p><label>Expires <input name="expiry" placeholder="MM / YY" autocomplete="cc-exp"></label>
<label>Security code <input name="cvc" inputmode="numeric" autocomplete="cc-csc"></label></p>
</form>
<script>
const form = document.querySelector('form')
const digits = (name) => form.elements[name].value.replace(/\\D/g, '')
const isWhole = () => digits('number').length > 13 && digits('expiry').length === 4 && digits('cvc').length > 2
const tell = (message, origin = '*') => parent.postMessage(message, origin)
form.addEventListener('input', () => tell({ kind: 'change', value: { complete: isWhole() } }))
form.addEventListener('submit', (event) => event.preventDefault())
async function ask(path, key, body) {
  const sent = body === undefined ? {} : { method: 'POST', body: new URLSearchParams(body) }
  return (await fetch(path, { ...sent, headers: { authorization: 'Bearer ' + key } })).json()
}
async function confirm({ key, clientSecret, returnUrl }, origin) {
  const setup = '/v1/setup_intents/' + clientSecret.split('_secret')[0]
  let said = await ask(setup + '/confirm', key, {
    client_secret: clientSecret, return_url: returnUrl, use_stripe_sdk: 'true', 'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': digits('number'), 'payment_method_data[card][cvc]': digits('cvc'),
    'payment_method_data[card][exp_month]': digits('expiry').slice(0, 2),
    'payment_method_data[card][exp_year]': digits('expiry').slice(2),
  })
  if (said.next_action) tell({ kind: 'bank', value: said.next_action.use_stripe_sdk.stripe_js }, origin)
  while (said.status === 'requires_action') {
    await new Promise((resolve) => setTimeout(resolve, 200))
    said = await ask(setup + '?client_secret=' + clientSecret, key)
  }
  tell({ kind: 'bank', value: null }, origin)
  const error = said.error ?? (said.status === 'succeeded' ? null : said.last_setup_error)
  return error ? { error } : { setupIntent: said }
}
addEventListener('message', async ({ source, origin, data }) => {
  if (source !== parent) return
  const error = { type: 'validation_error', message: 'Your card is incomplete.' }
  const value = data.what === 'confirm' ? await confirm(data, origin) : isWhole() ? {} : { error }
  tell({ kind: 'answer', id: data.id, value }, origin)
})
tell({ kind: 'ready' })
</script>
</body></html>
`
