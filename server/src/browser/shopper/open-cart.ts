import type { ShopPrice } from '../../channels/browser/shopping-words.ts'
import { refuseCookies } from './clear-way.ts'
import { type Errand, refused, unavailable } from './errand.ts'
import { wallOf } from './put-into-cart.ts'

/** Goes to the page that holds the goods already. What they are called there is known, so that what the page shows can be compared. */
export async function openCart(errand: Errand, startAt: string): Promise<ShopPrice | null> {
  const { tab, request } = errand
  for (const { id, title } of request.items) errand.titles.set(id, title === null ? [] : [title])
  const status = await tab.open(startAt)
  await refuseCookies(errand)
  if (status >= 500) return unavailable(`the page of the cart answered ${status}`)
  const wall = wallOf(await tab.read())
  // Here it is not a product that is gone.
  const isGone =
    status === 404 || status === 410 || (wall?.kind === 'refused' && wall.code === 'product_not_found')
  return isGone ? refused('merchant_unsupported') : wall
}
