// Everything on the pages of this shop is drawn here.
const root = document.querySelector('#root')
const frameOrigin = document.body.dataset.frame

/** An element with its attributes; a function is a listener. */
function h(tag, attributes, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? '' : value)
  }
  element.append(
    ...children.flat(Number.POSITIVE_INFINITY).filter((child) => child !== null && child !== false),
  )
  return element
}

async function call(path, body) {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, body === undefined ? undefined : sent)
  return { ok: response.ok, body: await response.json() }
}

async function show() {
  const [, page, name] = location.pathname.split('/')
  if (page === 'products') await showProduct(name)
  else if (page === 'checkout') await showCheckout()
  else if (page === 'orders') await showOrder(name)
  else await showHome()
}

function go(path) {
  history.pushState({}, '', path)
  return show()
}

window.addEventListener('popstate', show)

function draw(title, ...content) {
  document.title = `${title} – Stride`
  const link = (event) => {
    event.preventDefault()
    return go('/')
  }
  root.replaceChildren(
    h(
      'header',
      {},
      h('a', { href: '/', click: link, class: 'logo' }, 'STRIDE'),
      h('button', { class: 'bag', 'aria-label': 'Open cart', click: openDrawer }, 'Bag'),
    ),
    h('main', {}, ...content),
  )
}

async function showHome() {
  const { body } = await call('/api/products')
  const cards = body.map((product) =>
    h(
      'a',
      { class: 'card', href: `/products/${product.handle}` },
      h('img', { src: `/media/${product.handle}.svg`, alt: product.title }),
      h('h2', {}, product.title),
      h('span', {}, product.price),
    ),
  )
  draw('Shoes', h('h1', {}, 'Made for moving'), h('div', { class: 'grid' }, cards))
}

async function showProduct(handle) {
  const { ok, body: product } = await call(`/api/products/${handle}`)
  if (!ok) return draw('Not found', h('h1', {}, 'Page not found'))
  let chosen = product.variants.length === 1 ? product.variants[0] : undefined
  const price = h('p', { class: 'price' }, product.price)
  const add = h(
    'button',
    { class: 'primary', disabled: !chosen, click: () => addToBag(chosen) },
    'Add to bag',
  )
  const choices = Object.entries(product.options).map(([name, values]) =>
    h(
      'div',
      { role: 'radiogroup', 'aria-label': name, class: 'swatches' },
      values.map((value) => {
        const variant = product.variants.find(({ choice }) => choice[name] === value)
        return h(
          'button',
          {
            role: 'radio',
            'aria-checked': 'false',
            disabled: !variant?.available,
            click: (event) => {
              chosen = variant
              for (const other of event.target.parentElement.children)
                other.setAttribute('aria-checked', 'false')
              event.target.setAttribute('aria-checked', 'true')
              price.textContent = variant.price
              add.disabled = false
            },
          },
          value,
        )
      }),
    ),
  )
  const text = h('div', {}, h('h1', {}, product.title), price, h('p', {}, product.description), choices, add)
  draw(
    product.title,
    h('div', { class: 'product' }, h('img', { src: `/media/${handle}.svg`, alt: product.title }), text),
  )
  describe(product)
}

/** For search engines that run scripts. */
function describe(product) {
  const offers = product.variants.map(({ sku, price_amount, available }) => ({
    '@type': 'Offer',
    sku,
    price: price_amount,
    priceCurrency: product.currency,
    availability: `https://schema.org/${available ? 'InStock' : 'OutOfStock'}`,
  }))
  const about = { '@context': 'https://schema.org/', '@type': 'Product', name: product.title, offers }
  root.append(h('script', { type: 'application/ld+json' }, JSON.stringify(about)))
}

async function addToBag(variant) {
  await call('/api/cart/lines', { sku: variant.sku, quantity: 1 })
  await openDrawer()
}

async function openDrawer() {
  document.querySelector('dialog')?.remove()
  const { body: cart } = await call('/api/cart')
  const change = (sku, quantity) => async () => {
    await call('/api/cart/lines', { sku, quantity })
    await openDrawer()
  }
  const lines = cart.lines.map(({ sku, name, quantity, amount }) =>
    h(
      'li',
      {},
      h('span', {}, `${name} × ${quantity}`),
      h('span', {}, amount),
      h('button', { 'aria-label': `One more ${name}`, click: change(sku, quantity + 1) }, '+'),
      h('button', { 'aria-label': `One less ${name}`, click: change(sku, quantity - 1) }, '−'),
    ),
  )
  const close = () => document.querySelector('dialog').remove()
  const checkout = () => {
    close()
    return go('/checkout')
  }
  const drawer = h(
    'dialog',
    { class: 'drawer', 'aria-label': 'Your bag' },
    h('button', { class: 'close', 'aria-label': 'Close', click: close }, '×'),
    h('h2', {}, 'Your bag'),
    cart.lines.length === 0 ? h('p', {}, 'Nothing in here yet.') : h('ul', {}, lines),
    h('p', { class: 'price' }, `Subtotal ${cart.subtotal}`),
    h('button', { class: 'primary', disabled: cart.lines.length === 0, click: checkout }, 'Check out'),
  )
  document.body.append(drawer)
  drawer.showModal()
}

const fields = [
  ['email', 'Email', 'email', 'email'],
  ['first_name', 'First name', 'given-name'],
  ['last_name', 'Last name', 'family-name'],
  ['address_1', 'Address', 'address-line1'],
  ['city', 'City', 'address-level2'],
  ['state', 'State', 'address-level1'],
  ['postcode', 'ZIP code', 'postal-code'],
]

async function showCheckout() {
  const { body: cart } = await call('/api/cart')
  if (cart.lines.length === 0) return draw('Checkout', h('h1', {}, 'Your bag is empty'))
  const summary = h('aside', { 'aria-label': 'Order summary' })
  const deliveries = h('fieldset', { class: 'deliveries' })
  const problem = h('p', { role: 'alert' })
  const inputs = fields.map(([name, label, autocomplete, type = 'text']) =>
    h('label', {}, label, h('input', { name, autocomplete, type, required: true })),
  )
  const form = h('form', { novalidate: true, submit: (event) => event.preventDefault() }, [
    h('h2', {}, 'Contact and delivery'),
    inputs,
    h('input', { type: 'hidden', name: 'country', value: 'US' }),
    deliveries,
  ])
  const frame = h('iframe', {
    title: 'Card details',
    src: `${frameOrigin}/frame?merchant=${location.hostname}`,
    width: '100%',
    height: '130',
  })
  const pay = h('button', { class: 'primary', click: () => payNow(frame, pay, problem) }, `Pay ${cart.total}`)
  const update = (next) => drawTotals(next, { summary, deliveries, pay })
  form.addEventListener('change', async () => {
    const typed = Object.fromEntries(new FormData(form))
    if (fields.some(([name]) => !typed[name])) return
    const { ok, body } = await call('/api/checkout', typed)
    problem.textContent = ok ? '' : body.errors.join(' ')
    if (ok) update(body)
  })
  update(cart)
  draw(
    'Checkout',
    h('div', { class: 'checkout' }, h('div', {}, form, h('h2', {}, 'Payment'), frame, problem, pay), summary),
  )
}

function drawTotals(cart, { summary, deliveries, pay }) {
  const row = (name, text) => h('div', { class: 'row' }, h('span', {}, name), h('span', {}, text ?? '—'))
  summary.replaceChildren(
    ...cart.lines.map(({ name, quantity, amount }) => row(`${name} × ${quantity}`, amount)),
    row('Subtotal', cart.subtotal),
    row('Shipping', cart.shipping),
    row('Tax', cart.tax),
    h('div', { class: 'row total' }, h('strong', {}, 'Total'), h('strong', {}, cart.total)),
  )
  const options = cart.deliveries.map(({ id, name, promise, price }) =>
    h(
      'label',
      { class: 'option' },
      h('input', { type: 'radio', name: 'delivery', value: id, checked: cart.delivery === id }),
      `${name}, ${promise} – ${price}`,
    ),
  )
  deliveries.replaceChildren(h('legend', {}, 'Delivery'), ...options)
  deliveries.hidden = options.length === 0
  pay.textContent = `Pay ${cart.total}`
  pay.disabled = cart.shipping === null
}

function payNow(frame, pay, problem) {
  pay.disabled = true
  const heard = async (event) => {
    if (event.origin !== frameOrigin || event.source !== frame.contentWindow) return
    if (event.data.type !== 'token' && event.data.type !== 'refused') return
    window.removeEventListener('message', heard)
    const { token, error } = event.data
    const { ok, body } = token ? await call('/api/orders', { token }) : { ok: false, body: { error } }
    if (ok) return go(`/orders/${body.number}`)
    problem.textContent = body.error
    pay.disabled = false
  }
  window.addEventListener('message', heard)
  frame.contentWindow.postMessage({ type: 'tokenize' }, frameOrigin)
}

async function showOrder(number) {
  const { ok, body: order } = await call(`/api/orders/${number}`)
  if (!ok) return draw('Not found', h('h1', {}, 'Page not found'))
  draw(
    'Thank you',
    h('h1', {}, 'Thank you for your order'),
    h('p', {}, `Order #${order.number}`),
    h('p', {}, `A confirmation was sent to ${order.email}.`),
    h('p', { class: 'price' }, `Total ${order.total}`),
  )
}

await show()
