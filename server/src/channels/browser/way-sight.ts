import type { LookItem, LookProblem, LookRequest, Sight } from '../../domain/buying/looks/port.ts'
import { plainLine } from '../../protocols/ucp/plain-text.ts'
import { chosenOf, none, productOf } from './seen-product.ts'
import type { ShopEvidence, ShopStep, ShopStop, ShopWay } from './shopping-words.ts'

type SeenItem = Sight['items'][number]
type SeenWay = NonNullable<Sight['way']>
type Pictures = NonNullable<SeenWay['pictures']>

/** As much of a page's words is kept. */
const labelMax = 80
const messageMax = 500

/** What was seen on the way to the checkout, as those who look are told it. */
export function sightOnWay(said: ShopWay, request: LookRequest, pictures: Pictures): Sight {
  const items = request.items.map((item, at) => seenOnWay(said.items[at], item))
  const { reached, mayBeGuest, country, stop, deliveries } = said
  const sums = said.sums === null ? null : sumsOf(said.sums)
  const currency = currencyOf(items)
  return {
    items,
    isPayable: true,
    currency: currency ?? (sums === null ? null : said.currency),
    money: reached === 'payment' && sums !== null ? wholeOf(sums) : null,
    deliveries: deliveries.flatMap(({ label, amount, isTaken }) => {
      const title = plainLine(label, labelMax)
      return amount === null || title === ''
        ? []
        : [{ title, amount: Number(amount), latest: null, isChosen: isTaken }]
    }),
    way: {
      reached,
      mayBeGuest,
      stop: stop && { code: problemOf(stop.code), message: sentenceOf(stop.message) },
      ...(said.isLate ? { isLate: true } : {}),
      sums,
      country,
      ...(request.aim === 'price' ? {} : { steps: said.steps.map(cleaned) }),
      ...(request.aim === 'demo' ? { pictures } : {}),
    },
  }
}

/** Of all amounts; null where they are of several. */
export function currencyOf(items: readonly SeenItem[]): string | null {
  const all = items.flatMap(({ product }) => product?.variants.map(({ price }) => price.currency) ?? [])
  const [currency, another] = new Set(all)
  return another === undefined ? (currency ?? null) : null
}

function seenOnWay(seen: ShopWay['items'][number] | undefined, item: LookItem): SeenItem {
  const { product: read = null, stop = null } = seen ?? {}
  const product = read === null ? null : productOf(read, item.url)
  const chosen = product === null ? none : chosenOf(product, item)
  const message = stop === null ? null : sentenceOf(stop.message)
  const isUnclear = read !== null && stop === null && chosen.unitAmount === null
  return {
    product,
    ...chosen,
    problem: stop === null ? null : problemOf(stop.code),
    ...(message === null ? {} : { message }),
    ...(isUnclear ? { unclear: { title: plainLine(read.title, 255) } } : {}),
  }
}

function sumsOf({ total, ...parts }: NonNullable<ShopWay['sums']>) {
  const plain = (part: bigint | null) => (part === null ? null : Number(part))
  return {
    subtotal: plain(parts.subtotal),
    fulfillment: plain(parts.fulfillment),
    tax: plain(parts.tax),
    discount: plain(parts.discount),
    total: Number(total),
  }
}

/** Null: some of it is not known. */
function wholeOf({ subtotal, fulfillment, tax, discount, total }: ReturnType<typeof sumsOf>): Sight['money'] {
  if (subtotal === null || fulfillment === null || tax === null || discount === null) return null
  return { subtotal, fulfillment, tax, discount, total }
}

/** Words of a page, which models read later: one line, no markup, nothing that is not seen. */
function sentenceOf(said: string | null): string | null {
  return said === null ? null : plainLine(said, messageMax) || null
}

function cleaned({ page, url, pressed, controls, choices }: ShopStep): ShopStep {
  const words = (said: string) => plainLine(said, labelMax)
  return {
    page,
    url: plainLine(url, 300),
    pressed: pressed.map(words).filter((one) => one !== ''),
    controls: controls.map((one) => ({ ...one, label: words(one.label) })),
    choices: choices.map(({ about, name, alternatives, taken }) => ({
      about,
      name: words(name),
      alternatives: alternatives.map(words),
      taken: taken === null ? null : words(taken),
    })),
  }
}

const pictureBytesMax = 1_048_576
const picturesBytesMax = 4 * 1_048_576
const picturesMax = 12

/** Pictures for as long as there is room for them: a look is a row. */
export class PictureKeeper {
  readonly kept: Pictures[number][] = []
  #bytes = 0

  keep({ stage, urlHost, picture }: ShopEvidence): void {
    if (picture.length > pictureBytesMax || this.kept.length === picturesMax) return
    if (this.#bytes + picture.length > picturesBytesMax) return
    this.#bytes += picture.length
    this.kept.push({ stage, urlHost: plainLine(urlHost, 253), png: picture.toString('base64') })
  }
}

export function problemOf(code: ShopStop['code']): LookProblem {
  switch (code) {
    case 'sign_in':
      return 'merchant_auth_failed'
    case 'needs_input':
      return 'input_not_given'
    case 'price_changed':
    case 'merchant_changed':
    case 'merchant_unavailable':
      return 'merchant_unsupported'
    default:
      return code
  }
}
