import type { Desk } from './shop/desk.ts'
import type { OpenedShop } from './web/site.ts'

type ShopModule = { openShop: (desk: Desk) => OpenedShop }

/** Loaded at the first request, so that a sandbox that nobody shops at starts as fast as without shops. */
export const shops: Readonly<Record<string, () => Promise<ShopModule>>> = {
  classic: () => import('./classic/classic.ts'),
  app: () => import('./app/app.ts'),
  laden: () => import('./laden/laden.ts'),
  choices: () => import('./choices/choices.ts'),
  hosted: () => import('./hosted/hosted.ts'),
  drift: () => import('./drift/drift.ts'),
  authorizes: () => import('./authorizes/authorizes.ts'),
  invoice: () => import('./invoice/invoice.ts'),
  messy: () => import('./messy/messy.ts'),
  closed: () => import('./closed/closed.ts'),
  hostile: () => import('./hostile/hostile.ts'),
  picky: () => import('./picky/picky.ts'),
  habits: () => import('./habits/habits.ts'),
  slow: () => import('./slow/slow.ts'),
  ucp: () => import('./ucp/ucp.ts'),
  mpp: () => import('./mpp/mpp.ts'),
}

/** Names besides those of the shops, with the shop whose payments, or whose harm, they are for. */
export const otherHosts: Readonly<Record<string, string>> = {
  'checkout.tills.test': 'hosted',
  'fields.pay.test': 'app',
  'page.pay.test': 'hosted',
  'acs.bank.test': 'hosted',
  'collect.evil.test': 'hostile',
  'checkout.ucp.shop.test': 'ucp',
  'tools.ucp.shop.test': 'ucp',
  'old.ucp.shop.test': 'ucp',
  'elsewhere.ucp.shop.test': 'ucp',
  'pay.test': 'ucp',
}

/** Where cards are typed for shops, in a frame or on a page, and where a bank asks its customer. */
export const paymentHosts = [
  { host: 'fields.pay.test', roles: ['frame'] },
  { host: 'page.pay.test', roles: ['page'] },
  { host: 'acs.bank.test', roles: ['acs'] },
] as const

/** Names of this machine, which a page may lead to and a buyer must not follow. They are in no list of addresses. */
export const trapHosts: Readonly<Record<string, string>> = { '127.0.0.1': 'hostile', localhost: 'hostile' }

export function hostOf(shop: string): string {
  return `${shop}.shop.test`
}
