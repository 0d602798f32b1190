import type { ShopPrice } from '../../channels/browser/shopping-words.ts'
import { refuseCookies } from './clear-way.ts'
import { wallOf } from './put-into-cart.ts'
import { refused, type ShopTask, unavailable } from './shop-task.ts'

/** Goes to the page that holds the goods already. What they are called there is known, so that what the page shows can be compared. */
export async function openCart(task: ShopTask, startAt: string): Promise<ShopPrice | null> {
  const { tab, request } = task
  for (const { id, title } of request.items) task.titles.set(id, title === null ? [] : [title])
  const status = await tab.open(startAt)
  await refuseCookies(task)
  if (status >= 500) return unavailable(`the page of the cart answered ${status}`)
  const wall = wallOf(await tab.read())
  // Here it is not a product that is gone.
  const isGone =
    status === 404 || status === 410 || (wall?.kind === 'refused' && wall.code === 'product_not_found')
  return isGone ? refused('merchant_unsupported') : wall
}
