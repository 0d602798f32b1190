import type { Order } from '../shop/memory.ts'
import { noticeOf } from '../storefront/checkout-pages.ts'
import { type Fill, type Html, html } from '../web/html.ts'
import { type Look, shopPage } from '../web/layout.ts'

export const look: Look = { title: 'The Cellar', tagline: 'For members', lang: 'en', accent: '#6b2d3e' }

export function signInPage(next: string, messages: readonly string[]): Html {
  return shopPage({
    look,
    title: 'Sign in',
    body: html`<h1>Sign in</h1>${noticeOf(messages)}<p>Please sign in to continue.</p><form class="panel" method="post" action="/account/login"><input type="hidden" name="next" value="${next}">
<label for="email">Email address</label><input id="email" name="email" type="email" autocomplete="username" required>
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button></form><p>New here? Membership is by invitation.</p>`,
  })
}

/** Asks for the name alone; the password has a page of its own. */
export function namePage(next: string): Html {
  return shopPage({
    look,
    title: 'Sign in',
    body: html`<h1>Sign in</h1><p>Please sign in to continue.</p><form class="panel" method="post" action="/account/name"><input type="hidden" name="next" value="${next}">
<label for="email">Email address</label><input id="email" name="email" type="email" autocomplete="username" required><button>Continue</button></form>`,
  })
}

export function passwordPage(email: string, next: string): Html {
  return shopPage({
    look,
    title: 'Welcome back',
    body: html`<h1>Welcome back</h1><form class="panel" method="post" action="/account/login"><input type="hidden" name="next" value="${next}"><input type="hidden" name="email" value="${email}"><p>${email}</p>
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required><button>Sign in</button></form>`,
  })
}

/** Its form writes the password into an address. */
export function tellingPage(next: string): Html {
  return shopPage({
    look,
    title: 'Sign in',
    body: html`<h1>Sign in</h1><p>Please sign in to continue.</p><form class="panel" method="get" action="/account/open"><input type="hidden" name="next" value="${next}">
<label for="email">Email address</label><input id="email" name="email" type="email" autocomplete="username" required>
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button></form>`,
  })
}

export function codePage(email: string, messages: readonly string[]): Html {
  return shopPage({
    look,
    title: 'Check your email',
    body: html`<h1>Check your email</h1>${noticeOf(messages)}<form class="panel" method="post" action="/account/code"><p>We sent a verification code with six digits to ${email}.</p>
<label for="code">Verification code</label><input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" maxlength="6" required><button>Continue</button></form>`,
  })
}

export function accountPage(email: string, orders: readonly Order[], notice: Fill): Html {
  return shopPage({
    look,
    title: 'Your account',
    body: html`<h1>Your account</h1>${notice}<p>Signed in as ${email}</p><section class="panel"><h2>Orders</h2><ul>${orders.map(
      ({ number, at, state }) => html`<li>${number}, ${at.slice(0, 10)}: ${state}</li>`,
    )}</ul></section><form method="post" action="/account/logout"><button>Sign out</button></form>`,
  })
}
