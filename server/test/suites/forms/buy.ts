import { fillBuyer } from '../../../src/browser/shopper/fill-fields.ts'
import { proveStep } from '../../../src/browser/shopper/prove-step.ts'
import { openShopTask, type ShopTask } from '../../../src/browser/shopper/shop-task.ts'
import type { ShopRequest } from '../../../src/channels/browser/shopping-words.ts'
import { type Buyer, wholeName } from './corpus.ts'
import type { FormDocument } from './document.ts'
import { visitOf } from './page.ts'

/** What is bought does not matter here: this buyer has a form filled in. */
export function requestOf(buyer: Buyer): ShopRequest {
  const address = (isOfBill: boolean) => {
    const { line1, line2, city, state, zip, country } = (isOfBill ? buyer.bill : null) ?? buyer
    return {
      recipientName: wholeName(buyer),
      line1,
      line2: line2 ?? null,
      city,
      state: state ?? null,
      postalCode: zip ?? null,
      country,
    }
  }
  return {
    cart: 'cart_1',
    attempt: 1,
    buyer: {
      name: wholeName(buyer),
      firstName: buyer.first,
      lastName: buyer.last ?? null,
      email: buyer.email,
      phone: buyer.phone?.[0] ?? null,
      shipTo: address(false),
      billTo: address(true),
    },
    merchantDomain: 'nowhere.test',
    site: 'https://nowhere.test',
    items: [],
    startAt: null,
    currency: 'USD',
    fulfillment: { method: 'ship', speed: 'cheapest', feeAllowance: 0n },
    promoCode: null,
    moreHosts: [],
  }
}

/** As often as a page is filled in again, because what is chosen in one list changes another. */
const roundsMax = 4

/** Fills in a document as a purchase does. */
export async function fillIn(document: FormDocument, buyer: Buyer): Promise<ShopTask> {
  const task = await openShopTask(visitOf(document), requestOf(buyer))
  for (let count = 0; count < roundsMax; count++) if (!(await fillBuyer(task, await task.tab.read()))) break
  return task
}

/** What keeps the first form of the page from being sent; null: nothing does. */
export function whyNotSent(task: ShopTask): Promise<string | null> {
  return proveStep(task, { form: 0 })
}
