import { Agent, request } from 'node:https'
import type { StrangersFacts } from '../src/strangers/strangers-server.ts'

export type IssuedCard = { id: string; number: string; expiry: string; cvc: string }

type Seen = { url: URL; status: number; type: string; body: string }

export type Shopper = ReturnType<typeof openShopper>

const redirectsMax = 10

/** A client with cookies that follows redirects, trusts the authority of the shops, and looks their names up in their list alone. */
export function openShopper({ addresses, authority }: Pick<StrangersFacts, 'addresses' | 'authority'>) {
  const agent = new Agent({ keepAlive: false, ca: authority.certificate })
  const jar = new Map<string, string>()
  let seen: Seen = { url: new URL('https://nowhere.test'), status: 0, type: '', body: '' }

  async function send(url: URL, form?: string, type?: string): Promise<Seen> {
    for (let next = { url, form }, redirects = 0; ; redirects++) {
      const answer = await exchange(next.url, next.form, type)
      if (answer.location === undefined) {
        seen = { url: next.url, ...answer }
        return seen
      }
      if (redirects === redirectsMax) throw new Error('Too many redirects')
      next = { url: new URL(answer.location, next.url), form: undefined }
    }
  }

  function exchange(url: URL, form?: string, type = 'application/x-www-form-urlencoded') {
    const address = addresses[url.hostname]
    if (address === undefined) return Promise.reject(new Error(`No shop is called ${url.hostname}`))
    const [host, port] = address.split(':')
    const cookie = [...jar].filter(([name]) => name.startsWith(`${url.hostname} `))
    return new Promise<Omit<Seen, 'url'> & { location: string | undefined }>((resolve, reject) => {
      const call = request(
        {
          agent,
          host,
          port,
          servername: url.hostname,
          path: url.pathname + url.search,
          method: form === undefined ? 'GET' : 'POST',
          headers: {
            host: url.hostname,
            cookie: cookie.map(([name, value]) => `${name.split(' ')[1]}=${value}`).join('; '),
            ...(form === undefined
              ? {}
              : { 'content-type': type, 'content-length': Buffer.byteLength(form) }),
          },
        },
        async (response) => {
          for (const set of response.headers['set-cookie'] ?? []) {
            const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=')
            jar.set(`${url.hostname} ${name}`, value)
          }
          const chunks: Buffer[] = []
          for await (const chunk of response) chunks.push(chunk)
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            body: Buffer.concat(chunks).toString('utf8'),
            location: response.headers.location,
          })
        },
      )
      call.on('error', reject)
      call.end(form)
    })
  }

  const open = (url: string) => send(new URL(url, seen.url))
  return {
    get seen() {
      return seen
    },
    open,
    /** Posts the form of the page in front of it that goes to `action`, with what it holds by itself and what is typed. */
    submit(action: string, typed: Record<string, string> = {}): Promise<Seen> {
      const form = formTo(seen.body, action)
      const fields = { ...form, ...typed }
      return send(new URL(action, seen.url), new URLSearchParams(fields).toString())
    },
    /** As a script of a page does it. */
    postJson: (url: string, body: object) =>
      send(new URL(url, seen.url), JSON.stringify(body), 'application/json'),
  }
}

/** Fields with a value of their own: hidden, checked, preset. Throws when the page has no such form. */
function formTo(body: string, action: string): Record<string, string> {
  for (const [, attributes = '', inner = ''] of body.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)) {
    if (attributeOf(attributes, 'action') !== action) continue
    const fields: Record<string, string> = {}
    for (const [, input = ''] of inner.matchAll(/<input\b([^>]*)>/g)) {
      const name = attributeOf(input, 'name')
      const isChoice = /type="(radio|checkbox)"/.test(input)
      if (name !== undefined && (!isChoice || /\schecked/.test(input)))
        fields[name] = attributeOf(input, 'value') ?? ''
    }
    for (const [, select = '', options = ''] of inner.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
      const chosen = /<option\b([^>]*)\sselected/.exec(options)?.[1]
      fields[attributeOf(select, 'name') ?? ''] = attributeOf(chosen ?? '', 'value') ?? ''
    }
    return fields
  }
  throw new Error(`The page has no form to ${action}`)
}

function attributeOf(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&')
}

export const buyer = {
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  address_1: '12 Analytical Way',
  city: 'Springfield',
  state: 'IL',
  postcode: '62704',
  country: 'US',
}

export function cardTyped({ number, expiry, cvc }: IssuedCard): Record<string, string> {
  return { cardholder: 'Ada Lovelace', card_number: number, card_expiry: expiry, card_cvc: cvc }
}

/** From the page of a product to the page of payment, as a guest at a shop of pages one after the other. */
export async function goToPayment(
  shopper: Shopper,
  url: string,
  chosen: { options?: Record<string, string>; delivery?: string } = {},
): Promise<Seen> {
  await shopper.open(url)
  await shopper.submit('/cart/add', chosen.options)
  await shopper.open('/checkout')
  await shopper.open('/checkout/address')
  await shopper.submit('/checkout/address', buyer)
  if (shopper.seen.url.pathname !== '/checkout/delivery') return shopper.seen
  return shopper.submit('/checkout/delivery', { shipping_method: chosen.delivery ?? 'standard' })
}

/** The total that a page shows, in minor units. */
export function totalShown({ body }: Seen): number {
  const [, text = ''] = /class="order-total total">.*?class="amount">([^<]*)</s.exec(body) ?? []
  return Number(text.replaceAll(/\D/g, ''))
}
