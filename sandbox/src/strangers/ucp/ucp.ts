import { cardFields } from '../shop/card-fields.ts'
import type { Cart } from '../shop/cart.ts'
import type { Desk } from '../shop/desk.ts'
import type { Storefront } from '../storefront/storefront.ts'
import { storefrontRoutes } from '../storefront/storefront-routes.ts'
import { type Fill, html } from '../web/html.ts'
import { notFound, type OpenedShop, type WebRoute } from '../web/site.ts'
import { continueRoutes, payInBrowser } from './continue-pages.ts'
import { checkoutHost, type Face, faces } from './face.ts'
import { handlerSchema, networkHost, schemaPath, takesShared } from './handlers.ts'
import { releaseStuck } from './held-money.ts'
import { openKeys } from './keys.ts'
import { mcpRoute } from './mcp.ts'
import { passDays } from './pass-days.ts'
import { openPlatforms } from './platforms.ts'
import { profileDocument, profileReply } from './profile.ts'
import { releaseOf } from './releases.ts'
import { restRoutes } from './rest.ts'
import { storyOf } from './stories.ts'
import { priceAtPage, storefront, type UcpShop } from './ucp-shop.ts'

/** A business of the Universal Commerce Protocol: it has pages for people, and the same goods for platforms that call it. */
export function openShop(desk: Desk): OpenedShop {
  const shop: UcpShop = {
    desk,
    keys: openKeys(desk.memory),
    platforms: openPlatforms(),
    waiting: new Map(),
  }
  releaseStuck(shop)
  // One after the other: what two calls do at once would be counted twice in the book.
  let last = Promise.resolve()
  return {
    sites: {
      ...Object.fromEntries(faces.map((face) => [face.host, routesOf(shop, face)])),
      [checkoutHost]: pagesAt(shop, checkoutHost),
      [networkHost]: [{ method: 'GET', path: schemaPath, handle: () => profileReply(handlerSchema()) }],
    },
    passDays: (days) => {
      last = last.then(() => passDays(shop, days))
      return last
    },
  }
}

function routesOf(shop: UcpShop, face: Face): WebRoute[] {
  return [
    ...profileRoutes(shop, face),
    ...face.releases.flatMap((release) => [
      ...(face.transports.includes('rest') ? restRoutes(shop, face, release) : []),
      // The first release calls its tools in another way, which nobody uses.
      ...(face.transports.includes('mcp') && release !== '2026-01-11' ? [mcpRoute(shop, face, release)] : []),
    ]),
    ...pagesAt(shop, face.host),
  ]
}

/** What people see under this name. */
function pagesAt(shop: UcpShop, host: string): WebRoute[] {
  const front: Storefront = {
    ...storefront,
    pay: (paying) => payInBrowser(shop, paying),
    reprice: (priced, _stage, cart) => priceAtPage(priced, cart),
    payment: (cart) => ({ fields: html`${termsOf(cart)}${cardFields()}` }),
  }
  return [...continueRoutes(shop), ...storefrontRoutes({ ...shop.desk, host }, front)]
}

/** What is agreed to with the payment. */
function termsOf({ lines }: Cart): Fill {
  return (
    storyOf(lines).atPage === 'club' &&
    html`<p class="terms">Membership: $25.00 today, then $25.00 every month until you cancel.</p>`
  )
}

function profileRoutes(shop: UcpShop, face: Face): WebRoute[] {
  const [newest] = face.releases
  const show = (version: string | undefined) => {
    const release = releaseOf(version)
    return release !== undefined && face.releases.includes(release)
      ? profileReply(
          profileDocument(face, release, { keys: shop.keys.published, takesShared: takesShared(shop) }),
        )
      : notFound()
  }
  return [
    { method: 'GET', path: '/.well-known/ucp', handle: () => show(newest) },
    { method: 'GET', path: '/.well-known/ucp/:version', handle: ({ params }) => show(params.version) },
  ]
}
