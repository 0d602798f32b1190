import type {
  Looked,
  LookerDeclaration,
  LookItem,
  LookRequest,
  ShopLooker,
  Sight,
} from '../../domain/buying/looks/port.ts'
import type { BrowserAway, BrowserPort } from './browser-port.ts'
import { chosenAtPage } from './page-variant-id.ts'
import { amountMax, none, productOf } from './seen-product.ts'
import type { ShopNoRoom } from './shopping-words.ts'
import { currencyOf, PictureKeeper, problemOf, sightOnWay } from './way-sight.ts'

/** `browser` null: this installation has none. */
type LookerParts = { readonly browser?: BrowserPort | null }

/** The pages of products, read by a browser in a process of its own. */
export const browserLooks = {
  name: 'browser',
  // As with what is bought there.
  modes: ['test', 'live'],
  open: ({ browser }) => (browser ? createBrowserLooker(browser) : null),
} as const satisfies LookerDeclaration<LookerParts>

type SeenItem = Sight['items'][number]
type Call = Parameters<ShopLooker>[1]
type NotSeen = Exclude<Looked, { kind: 'seen' }>

/**
 * Reads the page of a product, or goes the way to the checkout: as nobody, who is asked for a name and an address there and gives none, so
 * that what delivery and tax cost behind that is not known; or as a buyer who is made up.
 */
function createBrowserLooker(browser: BrowserPort): ShopLooker {
  return (request, call) =>
    request.aim === 'product' ? lookAtProducts(browser, request, call) : lookAtWay(browser, request, call)
}

async function lookAtProducts(browser: BrowserPort, request: LookRequest, call: Call): Promise<Looked> {
  const items: SeenItem[] = []
  // One page after the other: a browser has places for few.
  for (const item of request.items) {
    const seen = await lookAtPage(browser, { request, item }, call)
    if ('kind' in seen) return seen
    items.push(seen)
  }
  const sight = { items, currency: currencyOf(items), money: null, deliveries: [], isPayable: true }
  return { kind: 'seen', sight }
}

/** What a browser says instead of what was asked, where the time of the look has not run out. */
function notSeen(
  said: BrowserAway | ShopNoRoom | { readonly kind: 'unavailable' },
  signal: AbortSignal,
): NotSeen {
  if (said.kind === 'unavailable') return { kind: 'unavailable' }
  return { kind: said.kind === 'lost' && signal.aborted ? 'unavailable' : 'no_room' }
}

function signalOf({ signal, timeoutMs }: Call): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
}

async function lookAtPage(
  browser: BrowserPort,
  { request, item }: { request: LookRequest; item: LookItem },
  call: Call,
): Promise<SeenItem | NotSeen> {
  const { site, currency } = request
  const { mode, share, moreHosts } = call
  const signal = signalOf(call)
  const asked = { url: item.url, site, merchantDomain: new URL(site).hostname, moreHosts, currency }
  const said = await browser.product(asked, { mode, share, signal })
  if (said.kind === 'refused') return { product: null, ...none, problem: problemOf(said.code) }
  if (said.kind !== 'product') return notSeen(said, signal)
  const product = productOf(said.product, item.url)
  return { product, ...none, problem: product === null ? 'product_not_found' : null }
}

async function lookAtWay(browser: BrowserPort, request: LookRequest, call: Call): Promise<Looked> {
  const { site, items, currency, aim } = request
  const { mode, share, moreHosts } = call
  const signal = signalOf(call)
  const pictures = new PictureKeeper()
  const said = await browser.way(
    {
      merchantDomain: new URL(site).hostname,
      site,
      moreHosts,
      currency,
      fulfillment: {
        method: request.method,
        speed: request.speed,
        feeAllowance: BigInt(request.feeAllowance ?? amountMax),
      },
      items: items.map(({ url, quantity, variant }, at) => ({
        id: `item-${at}`,
        url,
        quantity,
        variant: chosenAtPage(variant),
      })),
      buyer: aim === 'demo' ? 'demo' : 'nobody',
    },
    { mode, share, signal, onEvidence: (evidence) => aim === 'demo' && pictures.keep(evidence) },
  )
  if (said.kind !== 'way') return notSeen(said, signal)
  return { kind: 'seen', sight: sightOnWay(said, request, pictures.kept) }
}
