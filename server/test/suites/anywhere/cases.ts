import type { CrashPoint } from '../../../src/platform/faults/faults.ts'
import { oneOfEach } from '../random.ts'
import { type End, type Page, type Point, pages } from './shop-pages.ts'

/** Where the moment of a death decides, either is right, as long as everybody says the same. */
export type Expected = End | 'either'

/** The worker dies at a point and is replaced once its lease has ended. Everybody else is started again at once. */
export type Death =
  | { readonly who: 'worker'; readonly point: Point }
  | { readonly who: 'browser' | 'vault'; readonly point: CrashPoint }
  | { readonly who: 'browser' | 'vault' | 'api'; readonly afterMs: number }

/**
 * One purchase, and all the deaths that it has to survive, in this order. Nobody but a worker dies before the last one: while a worker lives,
 * nobody knows how far it gets before the next one is told to die.
 */
export type Case = { readonly page: Page; readonly deaths: readonly Death[]; readonly end: Expected }

const typedPoints = [
  'page.priced',
  'page.granted',
  'page.typing',
  'page.typed',
  'page.clicked',
] as const satisfies readonly CrashPoint[]
const vaultPoints = [
  'forward.before',
  'forward.after',
  'redeem.before',
  'redeem.after',
] as const satisfies readonly CrashPoint[]

/** From the order, which is written down before the card is fetched, until after the confirmation was read. */
const timesMs = {
  browser: Array.from({ length: 30 }, (_, index) => index * 60),
  vault: [0, 200, 400, 800],
  api: [0, 400],
}

/** Pages × who dies × where: each a purchase of its own with one death. */
export function allCases(): Case[] {
  return pages.flatMap((page) => [
    ...page.passes.map((point) => single(page, { who: 'worker', point })),
    ...(page.channel === 'browser' ? deathsAtPages(page) : []),
    ...timesMs.api.map((afterMs) => single(page, { who: 'api', afterMs })),
  ])
}

function deathsAtPages(page: Page): Case[] {
  const points = page.isConfirmed ? [...typedPoints, 'page.confirmed' as const] : typedPoints
  const isFirst = page === pages.find(({ channel }) => channel === 'browser')
  return [
    ...points.map((point) => single(page, { who: 'browser', point })),
    ...vaultPoints.map((point) => single(page, { who: 'vault', point })),
    ...timesMs.vault.map((afterMs) => single(page, { who: 'vault', afterMs })),
    ...(isFirst ? timesMs.browser.map((afterMs) => single(page, { who: 'browser', afterMs })) : []),
  ]
}

function single(page: Page, death: Death): Case {
  return { page, deaths: [death], end: endAfter(page, death) }
}

/**
 * How a purchase ends in which that happened. What was journaled and never sent is not sent by another worker, because nobody knows that it
 * was not; a paid request is: the same payment is taken once. Before the whole card stands in the page, nobody can have charged it.
 */
function endAfter(page: Page, death: Death): Expected {
  if (!('point' in death)) return death.who === 'api' ? page.end : 'either'
  switch (death.point) {
    case 'place.before':
      return page.channel === 'mpp' ? page.end : 'not bought'
    case 'grant.before':
    case 'grant.after':
    case 'redeem.before':
    case 'redeem.after':
    case 'page.granted':
    case 'page.typing':
      return 'not bought'
    case 'page.typed':
    case 'page.clicked':
      return 'either'
    default:
      return page.end
  }
}

const atWorker = (...points: Point[]): Death[] => points.map((point) => ({ who: 'worker', point }))
const atBrowser = (point: CrashPoint): Death => ({ who: 'browser', point })
const atVault = (point: CrashPoint): Death => ({ who: 'vault', point })

/** Of those who die at a shop one purchase each, which the seed chooses: several runs meet every point where a death can hurt most. */
export function gateCases(random: () => number): Case[] {
  return oneOfEach(worstCases(), ({ page, deaths }) => `${deaths[0]?.who} at ${page.shop}`, random)
}

/**
 * Each point once, at the page where a death there can hurt most. A purchase has as many of them as lie on its way: after each one it must
 * come as far as the next.
 */
function worstCases(): Case[] {
  const begun = atWorker(
    'route.decided',
    'offer.before',
    'offer.after',
    'issue_credential.before',
    'issue_credential.after',
  )
  const revoked = atWorker('revoke.before', 'revoke.after')
  const at = (address: string, end: Expected, ...deaths: Death[]): Case => ({
    page: pageAt(address),
    end,
    deaths,
  })
  return [
    at('classic.shop.test/product/kettle', 'not bought', ...begun, ...atWorker('grant.before')),
    at('classic.shop.test/product/kettle', 'not bought', ...atWorker('place.before'), ...revoked),
    at('classic.shop.test/product/kettle', 'not bought', ...atWorker('grant.after')),
    at('classic.shop.test/product/kettle', 'bought', ...atWorker('place.after'), ...revoked),
    at('slow.shop.test/product/error-after-order', 'bought', ...atWorker('ask.before', 'ask.after')),
    at('ucp.shop.test/products/dies-before-order', 'not bought', ...atWorker('close.before', 'close.after')),
    at('ucp.shop.test/products/dies-after-order', 'bought', ...atWorker('place.after', 'ask.after')),
    at('authorizes.shop.test/product/part-shipped', 'bought', ...atWorker('place.after', 'charge.corrected')),
    at('ucp.shop.test/products/escalates-at-update', 'bought', ...atWorker('offer.before:2')),
    at('classic.shop.test/product/kettle', 'bought', atBrowser('page.priced')),
    at('classic.shop.test/product/kettle', 'not bought', atBrowser('page.granted')),
    at('classic.shop.test/product/kettle', 'not bought', atBrowser('page.typing')),
    at('hostile.shop.test/product/submits-while-typing', 'either', atBrowser('page.typed')),
    at('classic.shop.test/product/kettle', 'either', atBrowser('page.clicked')),
    at('classic.shop.test/product/kettle', 'bought', atBrowser('page.confirmed')),
    at('classic.shop.test/product/kettle', 'bought', atVault('forward.before')),
    at('classic.shop.test/product/kettle', 'bought', atVault('forward.after')),
    at('classic.shop.test/product/kettle', 'not bought', atVault('redeem.before')),
    at('classic.shop.test/product/kettle', 'not bought', atVault('redeem.after')),
  ]
}

function pageAt(address: string): Page {
  const page = pages.find(({ url }) => url === `https://${address}`)
  if (page === undefined) throw new Error(`there is no page ${address}`)
  return page
}
