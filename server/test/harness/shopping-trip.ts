import { createShopper } from '../../src/browser/shopper/shopper.ts'
import type { AskBuyer } from '../../src/browser/shopper/visit.ts'
import type { PageReader } from '../../src/channels/browser/page-reader.ts'
import type {
  ShopAddress,
  ShopItem,
  ShopPlaced,
  ShopPrice,
  ShopRequest,
  ShopWayAnswer,
  ShopWayRequest,
} from '../../src/channels/browser/shopping-words.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { cardTotals, issueCard, openShopBrowser, type ShopBrowser } from './shop-browser.ts'

/** What is bought, and how: at one shop, by the paths of its products. */
export type Wish = {
  readonly shop: string
  readonly path: string
  readonly quantity?: number
  readonly selections?: Readonly<Record<string, string>>
  readonly sku?: string
  /** Another product in the same cart. */
  readonly and?: string
  readonly promoCode?: string
  readonly speed?: ShopRequest['fulfillment']['speed']
  readonly method?: ShopRequest['fulfillment']['method']
  readonly feeAllowance?: bigint
  /** The buyer, where it is another one. */
  readonly shipTo?: ShopAddress
  readonly buyer?: Partial<Pick<ShopRequest['buyer'], 'name' | 'firstName' | 'lastName' | 'phone'>>
  /** A card that behaves otherwise than one that is approved. */
  readonly card?: string
  /** Who is asked where the rules are stuck. */
  readonly reader?: PageReader
  /** Goes the whole way anew for the order, as after a restart. */
  readonly isAnew?: boolean
  /** What a person answers to what the shop asks, by the names of its fields; the visit waits for it. */
  readonly answers?: Readonly<Record<string, string>>
}

type Question = Parameters<AskBuyer>[0]

type Testified = {
  kind: string
  result: string
  email: string | null
  order: string | null
  amount: number | null
}

export type Trip = {
  readonly price: ShopPrice
  /** Null where nothing was offered. */
  readonly placed: ShopPlaced | null
  /** What the card was asked for. */
  readonly card: { authorized: number; captured: number; refunded: number } | null
  /** How often the card was asked for by the shopper, and for which page. */
  readonly fetched: readonly string[]
  readonly stages: readonly string[]
  readonly refusals: readonly string[]
  /** What the person was asked, each time. */
  readonly asked: readonly Question[]
  readonly email: string
  readonly ms: number
}

export const american: ShopAddress = {
  recipientName: 'Ada Lovelace',
  line1: '12 Analytical Way',
  line2: null,
  city: 'Springfield',
  state: 'IL',
  postalCode: '62704',
  country: 'US',
}

export const german: ShopAddress = {
  recipientName: 'Ada Lovelace',
  line1: 'Rosenweg 12a',
  line2: null,
  city: 'Leipzig',
  state: null,
  postalCode: '04109',
  country: 'DE',
}

/** As the book of a shop has it. */
type Order = {
  number: string
  email: string
  state: string
  amount: number
  address: Record<string, string> | null
  priced: { lines: { sku: string; quantity: number }[]; total: number; currency: string }
}

export type Town = Awaited<ReturnType<typeof openTown>>

/** The shops of the sandbox, and one browser to buy at them. */
export async function openTown() {
  const sandbox = await startSandbox()
  const browser = await openShopBrowser(sandbox, sandbox.keyPin)
  let buyers = 0
  const nextBuyer = () => {
    buyers += 1
    return `buyer-${buyers}@example.com`
  }
  const testimony = async (shop: string): Promise<Testified[]> =>
    JSON.parse(await (await fetch(`${sandbox.strangersUrl}/${shop}/log`)).text())
  return {
    sandbox,
    browser,
    testimony,
    /** What a shop says of one buyer, but for what went into carts. */
    async saysOf(shop: string, email: string): Promise<string[]> {
      const entries = await testimony(shop)
      return entries
        .filter((entry) => entry.email === email && entry.kind !== 'cart')
        .map(({ kind, result, amount }) => `${kind} ${result}${amount === null ? '' : ` ${amount}`}`)
    },
    async orders(shop: string, email: string): Promise<Order[]> {
      const all: Order[] = JSON.parse(await (await fetch(`${sandbox.strangersUrl}/${shop}/orders`)).text())
      return all.filter((order) => order.email === email)
    },
    buy: (wish: Wish): Promise<Trip> => goShopping({ sandbox, browser }, wish, nextBuyer()),
    /** As one does who was offered the same for so much less. */
    buyFor: (less: bigint, wish: Wish): Promise<Trip> =>
      goShopping({ sandbox, browser }, wish, nextBuyer(), less),
    /** The visit is ended while the first page is still to come. */
    async buyEnded(wish: Wish): Promise<{ answer: ShopPrice; email: string }> {
      const email = nextBuyer()
      const request = requestOf(wish, email)
      const { visit, end, close } = await browser.visit(request.merchantDomain)
      const asked = createShopper().price(visit, request)
      await visit.page.waitForRequest(() => true)
      end()
      const answer = await asked
      await close()
      return { answer, email }
    },
    /** Asks for the price alone. */
    async price(wish: Wish): Promise<Pick<Trip, 'price' | 'placed' | 'email'>> {
      const email = nextBuyer()
      const request = requestOf(wish, email)
      const { visit, close } = await browser.visit(request.merchantDomain)
      const price = await createShopper().price(visit, request)
      await close()
      return { price, placed: null, email }
    },
    /** Goes the way before anybody buys. `stages`: the pictures that were taken. */
    async way(
      wish: Wish,
      {
        buyer,
        currency = null,
        longestMs = 60_000,
      }: { buyer: ShopWayRequest['buyer']; currency?: string | null; longestMs?: number },
    ): Promise<{
      answer: ShopWayAnswer
      stages: readonly string[]
      contacted: readonly string[]
      ms: number
    }> {
      const startedMs = performance.now()
      const { merchantDomain, site, moreHosts, items, fulfillment } = requestOf(wish, 'nobody@example.com')
      const asked = items.map(({ id, url, quantity, variant }) => ({ id, url, quantity, variant }))
      const { visit, stages, contacted, close } = await browser.visit(merchantDomain)
      try {
        const request = { merchantDomain, site, moreHosts, currency, fulfillment, items: asked, buyer }
        const answer = await createShopper().way(visit, request, longestMs)
        const ms = performance.now() - startedMs
        return { answer, stages: stages.map(({ stage }) => stage), contacted: [...contacted], ms }
      } finally {
        await close()
      }
    },
    async close(): Promise<void> {
      await browser.close()
      await sandbox.stop()
    },
  }
}

async function goShopping(
  { sandbox, browser }: { sandbox: Sandbox; browser: ShopBrowser },
  wish: Wish,
  email: string,
  less = 0n,
): Promise<Trip> {
  const startedMs = performance.now()
  const request = requestOf(wish, email)
  const merchant = request.merchantDomain
  const first = await browser.visit(merchant)
  const opened = [first]
  const shopper = createShopper()
  const fetched: string[] = []
  const asked: Question[] = []
  const answer: AskBuyer = (question) => {
    asked.push(question)
    const told = Object.entries(wish.answers ?? {})
    return Promise.resolve(told.map(([name, value]) => ({ host: question.host, name, value })))
  }
  try {
    const { visit } = first
    const ask = wish.answers === undefined ? null : answer
    const price = await shopper.price(visit, request, { reader: wish.reader ?? null, ask })
    const about = { price, email, fetched, asked, refusals: visit.refusals() }
    const stagesOf = () => opened.flatMap(({ stages }) => stages.map(({ stage }) => stage))
    if (price.kind !== 'offer')
      return { ...about, placed: null, card: null, stages: stagesOf(), ms: performance.now() - startedMs }
    const { total, currency } = price.offer
    const limit = { limit: Number(total), merchant, currency }
    const card = await issueCard(sandbox, wish.card === undefined ? limit : { ...limit, card: wish.card })
    if (wish.isAnew === true) opened.push(await browser.visit(merchant))
    const { visit: last } = opened.at(-1) ?? first
    const placed = await shopper.place(
      last,
      request,
      { ...price.offer, total: price.offer.total - less },
      async (origin) => {
        fetched.push(origin)
        return card
      },
    )
    const ms = performance.now() - startedMs
    return { ...about, placed, card: await cardTotals(sandbox, card), stages: stagesOf(), ms }
  } finally {
    for (const { close } of opened) await close()
  }
}

function requestOf(wish: Wish, email: string): ShopRequest {
  const host = `${wish.shop}.shop.test`
  const isGerman = wish.shop === 'laden'
  const shipTo = wish.shipTo ?? (isGerman ? german : american)
  const variant: ShopItem['variant'] =
    wish.selections === undefined && wish.sku === undefined
      ? null
      : {
          sku: wish.sku,
          selections: Object.entries(wish.selections ?? {}).map(([name, value]) => ({ name, value })),
        }
  const item = {
    id: 'item-1',
    url: `https://${host}${wish.path}`,
    quantity: wish.quantity ?? 1,
    unitAmount: 1000n,
    title: null,
  }
  return {
    cart: 'cart_1',
    attempt: 1,
    buyer: {
      name: 'Ada Lovelace',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email,
      phone: null,
      shipTo,
      billTo: shipTo,
      ...wish.buyer,
    },
    merchantDomain: host,
    site: `https://${host}`,
    items: [
      { ...item, variant },
      ...(wish.and === undefined
        ? []
        : [{ ...item, id: 'item-2', url: `https://${host}${wish.and}`, quantity: 1, variant: null }]),
    ],
    startAt: null,
    currency: isGerman ? 'EUR' : 'USD',
    fulfillment: {
      method: wish.method ?? 'ship',
      speed: wish.speed ?? 'cheapest',
      feeAllowance: wish.feeAllowance ?? 2000n,
    },
    promoCode: wish.promoCode ?? null,
    moreHosts: [],
  }
}

/** What the shopper said, in a line. */
export function told({ price, placed }: Pick<Trip, 'price' | 'placed'>): string {
  const first = price.kind === 'offer' ? `${price.offer.total} ${price.offer.currency}` : toldOf(price)
  return placed === null ? first : `${first}, ${toldOf(placed)}`
}

function toldOf(answer: Exclude<ShopPrice, { kind: 'offer' }> | ShopPlaced): string {
  if (answer.kind !== 'refused') return answer.kind
  const typed = 'isTyped' in answer ? (answer.isTyped ? ' (typed)' : ' (not typed)') : ''
  return `${answer.code}${typed}`
}
