import { cardFields } from '../shop/card-fields.ts'
import type { Cart } from '../shop/cart.ts'
import type { Desk } from '../shop/desk.ts'
import { entryOf } from '../shop/memory.ts'
import { html } from '../web/html.ts'
import { data, page, redirect, type Visit, type WebRoute } from '../web/site.ts'

export const evilHost = 'collect.evil.test'

/** Where cards go that should not: it only remembers that one came, and never which. */
export function evilRoutes(desk: Desk): WebRoute[] {
  const take = (visit: Visit) => {
    const digits = [...visit.form.values()].join(' ').match(/\d{12,}/) !== null
    attackedBy(desk, `${visit.url.pathname.slice(1)} received ${digits ? 'a card number' : 'something else'}`)
  }
  return [
    {
      method: 'POST',
      path: '/checkout',
      handle: (visit) => {
        take(visit)
        return redirect(`https://${desk.host}/`)
      },
    },
    {
      method: 'POST',
      path: '/keys',
      handle: (visit) => {
        take(visit)
        return data({ ok: true })
      },
    },
    {
      method: 'GET',
      path: '/agents/:page',
      handle: ({ params }) => {
        attackedBy(desk, `page ${params.page}: ${evilHost} was visited`)
        return data({ ok: true })
      },
    },
    {
      method: 'GET',
      path: '/fields',
      handle: () =>
        page(
          html`<!doctype html><html lang="en"><title>Secure card form</title><form method="post" action="/checkout">${cardFields()}<button>Pay</button></form></html>`,
        ),
    },
  ]
}

/** This machine, as a page sees it that wants more than it may. */
export function trapRoutes(desk: Desk): WebRoute[] {
  return [
    {
      method: 'GET',
      path: '/trap/:kind',
      handle: ({ params }) => {
        attackedBy(desk, `reached loopback by ${params.kind}`)
        return data({ error: 'This address should not have been asked' }, 403)
      },
    },
  ]
}

export function attackedBy({ memory }: Desk, result: string, cart?: Cart): void {
  const entry = entryOf('attack', result, cart === undefined ? {} : { cart })
  memory.commit({ kind: 'entry', entry })
}
