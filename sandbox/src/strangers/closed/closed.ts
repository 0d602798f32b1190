import type { Cart } from '../shop/cart.ts'
import { cartOf, type Desk, keepCart } from '../shop/desk.ts'
import { entryOf } from '../shop/memory.ts'
import { noticeOf } from '../storefront/checkout-pages.ts'
import type { Stage, Storefront } from '../storefront/storefront.ts'
import { storefrontRoutes } from '../storefront/storefront-routes.ts'
import { usualTerms } from '../storefront/usual-terms.ts'
import { type OpenedShop, page, type Reply, redirect, type Visit, type WebRoute } from '../web/site.ts'
import {
  accountPage,
  codePage,
  look,
  namePage,
  passwordPage,
  signInPage,
  tellingPage,
} from './account-pages.ts'
import { type Account, accountOf, checkCode, mailCode } from './accounts.ts'

const closed: Storefront = {
  ...usualTerms,
  look,
  products: [
    {
      handle: 'members-only',
      name: 'Members’ Reserve',
      description: 'Its page is for members.',
      price: 12_000,
    },
    {
      handle: 'checkout-wall',
      name: 'House Blend',
      description: 'Everybody may look, and members may buy.',
      price: 3000,
    },
    {
      handle: 'two-pages',
      name: 'Evening Roast',
      description: 'Its members say their name first, and their password on the next page.',
      price: 2000,
    },
    {
      handle: 'get-form',
      name: 'Morning Roast',
      description: 'Its sign-in writes the password into an address.',
      price: 2000,
    },
  ],
  instead: askToSignIn,
}

/** Sells to customers alone: a wall before the page of a product, or before the checkout. */
export function openShop(desk: Desk): OpenedShop {
  return { sites: { [desk.host]: [...accountRoutes(desk), ...storefrontRoutes(desk, closed)] } }
}

/** Where the wall before the page of a product leads. */
const walls: Readonly<Record<string, string>> = {
  'members-only': '/account/login',
  'two-pages': '/account/name',
  'get-form': '/account/open',
}

function askToSignIn({ url, params }: Visit, cart: Cart, stage: Stage): Reply | undefined {
  if (cart.account !== null) return undefined
  const checkout = url.pathname.startsWith('/checkout') ? '/account/login' : undefined
  const wall = stage === 'product' ? walls[params.handle ?? ''] : checkout
  return wall === undefined ? undefined : redirect(`${wall}?next=${encodeURIComponent(url.pathname)}`)
}

function accountRoutes(desk: Desk): WebRoute[] {
  return [
    {
      method: 'GET',
      path: '/account/login',
      handle: ({ url }) => page(signInPage(nextOf(url.searchParams), [])),
    },
    { method: 'POST', path: '/account/login', handle: (visit) => signIn(desk, visit) },
    { method: 'GET', path: '/account/name', handle: ({ url }) => page(namePage(nextOf(url.searchParams))) },
    {
      method: 'POST',
      path: '/account/name',
      handle: ({ form }) => page(passwordPage(form.get('email') ?? '', nextOf(form))),
    },
    {
      method: 'GET',
      path: '/account/open',
      handle: (visit) =>
        visit.url.searchParams.has('password')
          ? signIn(desk, { ...visit, form: visit.url.searchParams })
          : page(tellingPage(nextOf(visit.url.searchParams))),
    },
    { method: 'GET', path: '/account/code', handle: (visit) => showCode(desk, visit) },
    { method: 'POST', path: '/account/code', handle: (visit) => takeCode(desk, visit) },
    { method: 'GET', path: '/account', handle: (visit) => showAccount(desk, visit) },
    {
      method: 'POST',
      path: '/account/logout',
      handle: (visit) => keepCart(desk, { ...cartOf(desk, visit), account: null }, redirect('/')),
    },
  ]
}

const wrongMax = 5

function signIn(desk: Desk, visit: Visit): Reply {
  const { form } = visit
  const cart = cartOf(desk, visit)
  const email = (form.get('email') ?? '').trim().toLowerCase()
  const next = nextOf(form)
  const wrong = Number(cart.notes.wrong ?? 0)
  if (wrong >= wrongMax) return page(signInPage(next, ['Too many attempts. Please try again later.']), 429)
  const account = accountOf(email, form.get('password') ?? '')
  if (account === undefined) {
    testify(desk, cart, 'wrong password', email)
    const counted = { ...cart, notes: { ...cart.notes, wrong: String(wrong + 1) } }
    const messages = ['The email address or password is incorrect.']
    return keepCart(desk, counted, page(signInPage(next, messages)))
  }
  if (!account.isAskedForCode) return admit(desk, cart, account, next)
  mailCode(desk, account)
  const notes = { ...cart.notes, awaits: account.email, next }
  return keepCart(desk, { ...cart, notes }, redirect('/account/code'))
}

function showCode(desk: Desk, visit: Visit): Reply {
  const { awaits } = cartOf(desk, visit).notes
  return awaits ? page(codePage(awaits, [])) : redirect('/account/login')
}

function takeCode(desk: Desk, visit: Visit): Reply {
  const cart = cartOf(desk, visit)
  const { awaits = '', next = '/account' } = cart.notes
  if (awaits === '') return redirect('/account/login')
  const outcome = checkCode(desk, awaits, (visit.form.get('code') ?? '').trim())
  if (outcome === 'expired') return page(signInPage(next, ['Your code has expired. Please sign in again.']))
  if (outcome === 'wrong') {
    testify(desk, cart, 'wrong code', awaits)
    return page(codePage(awaits, ['This code is not correct.']))
  }
  return admit(desk, cart, { email: awaits }, next)
}

function admit(desk: Desk, cart: Cart, { email }: Pick<Account, 'email'>, next: string): Reply {
  testify(desk, cart, 'signed in', email)
  return keepCart(desk, { ...cart, account: email, notes: {} }, redirect(next))
}

function showAccount(desk: Desk, visit: Visit): Reply {
  const { account } = cartOf(desk, visit)
  if (account === null) return redirect('/account/login?next=%2Faccount')
  const orders = [...desk.memory.orders.values()].filter(
    (order) => desk.memory.carts.get(order.cartId)?.account === account,
  )
  return page(accountPage(account, orders, noticeOf([])))
}

/** Only a path of this shop: an open redirect would send customers anywhere. */
function nextOf(from: URLSearchParams): string {
  const next = from.get('next') ?? '/account'
  return /^\/(?!\/)[\w/-]*$/.test(next) ? next : '/account'
}

function testify({ memory }: Desk, cart: Cart, result: string, email: string): void {
  memory.commit({ kind: 'entry', entry: { ...entryOf('sign_in', result, { cart }), email } })
}
