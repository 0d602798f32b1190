import type { Frame } from 'puppeteer-core'
import { rankActions } from '../reading/action-of.ts'
import type { Action, PageSnapshot } from '../reading/page-snapshot.ts'
import type { ShopTask } from './shop-task.ts'

const clearedMax = 6

/**
 * Takes out of the way what lies over a page: cookies are refused before they are accepted, offers and newsletters are closed. False:
 * nothing was found that could be pressed.
 */
export async function clearWay({ tab }: ShopTask): Promise<boolean> {
  const page = await tab.read()
  for (const action of waysOut(page)) {
    // What lies over the page is on top itself: anything else that is called so is covered.
    if ((await tab.press(action.ref)) !== 'pressed') continue
    await tab.settled()
    return true
  }
  return false
}

function waysOut(page: PageSnapshot): Action[] {
  const all = [
    ...rankActions(page, 'reject_cookies'),
    ...rankActions(page, 'close'),
    ...rankActions(page, 'accept_cookies'),
  ]
  return all.slice(0, clearedMax)
}

/** Refuses cookies where the page asks for it beside its content: nothing more is loaded for them. */
export async function refuseCookies(task: ShopTask): Promise<void> {
  const [action] = rankActions(await task.tab.read(), 'reject_cookies')
  if (action === undefined || (await task.tab.press(action.ref)) !== 'pressed') return
  await task.tab.settled()
}

/** Presses what is meant, once nothing lies over it any more. */
export async function pressThrough(task: ShopTask, ref: number, frame?: Frame): Promise<boolean> {
  for (let tries = 0; tries < clearedMax; tries++) {
    const outcome = await task.tab.press(ref, frame)
    if (outcome === 'pressed') {
      await task.tab.settled()
      return true
    }
    if (outcome === 'gone' || !(await clearWay(task))) return false
  }
  return false
}
