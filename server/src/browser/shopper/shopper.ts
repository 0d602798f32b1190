import type { Page } from 'puppeteer-core'
import { runLookTask } from './look-task.ts'
import { runPlaceTask } from './place-task.ts'
import { runPriceTask } from './price-task.ts'
import { openShopTask, type ShopTask } from './shop-task.ts'
import type { Shopper } from './visit.ts'
import { runWayTask } from './way-task.ts'

/** Buys at pages of shops as a person would. What it knows of a visit goes with its page. */
export function createShopper(): Shopper {
  const tasks = new WeakMap<Page, ShopTask>()
  return {
    product: runLookTask,
    way: runWayTask,
    async price(visit, request, means) {
      const task = await openShopTask(visit, request, means)
      tasks.set(visit.page, task)
      return runPriceTask(task)
    },
    async place(visit, request, offer, fetchCard) {
      const known = tasks.get(visit.page)
      const task = known ?? (await openShopTask(visit, request))
      // Whoever helped on the way here does not see what comes next.
      task.help = null
      return runPlaceTask(task, offer, fetchCard)
    },
  }
}
