import type { Page } from 'puppeteer-core'
import { type Errand, openErrand } from './errand.ts'
import { lookErrand } from './look-errand.ts'
import { placeErrand } from './place-errand.ts'
import { priceErrand } from './price-errand.ts'
import type { Shopper } from './visit.ts'

/** Buys at pages of shops as a person would. What it knows of a visit goes with its page. */
export function createShopper(): Shopper {
  const errands = new WeakMap<Page, Errand>()
  return {
    product: lookErrand,
    async price(visit, request, reader) {
      const errand = await openErrand(visit, request, reader)
      errands.set(visit.page, errand)
      return priceErrand(errand)
    },
    async place(visit, request, offer, fetchCard) {
      const known = errands.get(visit.page)
      const errand = known ?? (await openErrand(visit, request))
      // Whoever helped on the way here does not see what comes next.
      errand.help = null
      return placeErrand(errand, offer, fetchCard)
    },
  }
}
