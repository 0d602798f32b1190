import type { ShopAsk } from '../../channels/browser/shopping-wire.ts'

/** Whether a part of a question is as the words say. */
type Check = (part: unknown) => boolean

/** A question as `shopping-words.ts` writes it, without a field more; null for anything else. */
export function readAsk(said: unknown): ShopAsk | null {
  const isKnown = [health, price, place, product, way].some((check) => check(said))
  return isKnown ? (said as ShopAsk) : null // each of its fields was looked at
}

const text =
  (longest: number): Check =>
  (part) =>
    typeof part === 'string' && part.length <= longest
const whole =
  (least: number, most: number): Check =>
  (part) =>
    Number.isInteger(part) && Number(part) >= least && Number(part) <= most
const amount: Check = (part) => typeof part === 'bigint' && part >= 0n
const flag: Check = (part) => typeof part === 'boolean'
const oneOf =
  (...choices: readonly string[]): Check =>
  (part) =>
    typeof part === 'string' && choices.includes(part)
const orNull =
  (check: Check): Check =>
  (part) =>
    part === null || check(part)
const listOf =
  (check: Check, longest: number): Check =>
  (part) =>
    Array.isArray(part) && part.length <= longest && part.every(check)

/** Each of the fields, none more; those of `optional` may be left out. */
function fields(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check {
  const checks = new Map(Object.entries({ ...required, ...optional }))
  return (part) =>
    typeof part === 'object' &&
    part !== null &&
    !Array.isArray(part) &&
    Object.keys(required).every((name) => Object.hasOwn(part, name)) &&
    Object.entries(part).every(([name, value]) => checks.get(name)?.(value) === true)
}

const httpsUrl: Check = (part) =>
  typeof part === 'string' && part.length <= 4_000 && URL.parse(part)?.protocol === 'https:'
const httpsOrigin: Check = (part) => httpsUrl(part) && URL.parse(String(part))?.origin === part
const host: Check = (part) => typeof part === 'string' && /^[a-z0-9.-]{1,253}$/.test(part)
const mode = oneOf('test', 'live')
const share: Check = (part) => typeof part === 'string' && /^[\w-]{1,100}$/.test(part)
const currency: Check = (part) => typeof part === 'string' && /^[A-Z]{3}$/.test(part)

const address = fields({
  recipientName: text(300),
  line1: text(500),
  line2: orNull(text(500)),
  city: text(300),
  state: orNull(text(300)),
  postalCode: orNull(text(50)),
  country: (part) => typeof part === 'string' && /^[A-Z]{2}$/.test(part),
})

const wanted = {
  id: text(200),
  url: httpsUrl,
  quantity: whole(1, 1_000_000),
  variant: orNull(
    fields(
      {},
      {
        id: text(500),
        sku: text(500),
        selections: listOf(fields({ name: text(500), value: text(500) }), 50),
      },
    ),
  ),
}
const item = fields({ ...wanted, unitAmount: amount, title: orNull(text(2_000)) })
const fulfillment = fields({
  method: oneOf('ship', 'pickup', 'digital'),
  speed: oneOf('cheapest', 'fastest'),
  feeAllowance: amount,
})

const request = fields(
  {
    cart: text(100),
    attempt: whole(0, 1_000_000),
    buyer: fields({
      name: text(600),
      firstName: text(300),
      lastName: orNull(text(300)),
      email: text(320),
      phone: orNull(text(50)),
      shipTo: orNull(address),
      billTo: orNull(address),
    }),
    merchantDomain: host,
    site: httpsOrigin,
    items: listOf(item, 200),
    startAt: orNull(httpsUrl),
    currency,
    fulfillment,
    promoCode: orNull(text(200)),
    moreHosts: listOf(host, 100),
  },
  { answers: listOf(fields({ host, name: text(80), value: text(1_000) }), 100) },
)

const offer = fields({
  lines: listOf(
    fields({
      itemId: text(200),
      quantity: whole(1, 1_000_000),
      unitAmount: amount,
      title: orNull(text(2_000)),
    }),
    200,
  ),
  subtotal: amount,
  fulfillment: amount,
  tax: amount,
  discount: amount,
  total: amount,
  currency,
  reference: orNull(text(100)),
})

const health = fields({ ask: oneOf('health') })
const signIn = orNull(fields({ ticket: text(100), session: orNull(text(100)) }))
const price = fields(
  { ask: oneOf('price'), mode, share, request, has_reader: flag },
  { signIn, session: orNull(text(100)) },
)
const product = fields({
  ask: oneOf('product'),
  mode,
  share,
  request: fields({
    merchantDomain: host,
    site: httpsOrigin,
    moreHosts: listOf(host, 100),
    url: httpsUrl,
    currency: orNull(currency),
  }),
})
const way = fields({
  ask: oneOf('way'),
  mode,
  share,
  request: fields({
    merchantDomain: host,
    site: httpsOrigin,
    moreHosts: listOf(host, 100),
    currency: orNull(currency),
    fulfillment,
    items: listOf(fields(wanted), 200),
    buyer: oneOf('nobody', 'demo'),
  }),
})
const place = fields({
  ask: oneOf('place'),
  mode,
  share,
  request,
  offer,
  has_reader: flag,
})
