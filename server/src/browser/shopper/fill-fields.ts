import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { buyerEntries, neededBoxes } from './buyer-fields.ts'
import { pressThrough } from './clear-way.ts'
import type { Errand } from './errand.ts'

/**
 * Fills in who buys and where it goes: fields that are empty, and lists that say something else. True: something was filled in, so the page
 * may say something new.
 */
export async function fillBuyer(errand: Errand, page: PageSnapshot): Promise<boolean> {
  const { tab, request } = errand
  const entries = buyerEntries(page, request)
  for (const { control, text } of entries) {
    if (control.kind === 'select') await tab.select(control.ref, text)
    else await tab.type(control.ref, text)
  }
  if (entries.length > 0) {
    errand.isIntroduced = true
    // What was typed last is told to the page when its field is left.
    await tab.page.keyboard.press('Tab')
    await tab.settled()
    return true
  }
  let isChanged = false
  for (const box of neededBoxes(page, request)) isChanged = (await toggle(errand, box)) || isChanged
  return isChanged
}

/** Presses a box, or one of several. False where it could not be. */
async function toggle(errand: Errand, control: Control): Promise<boolean> {
  return !control.isDisabled && (await pressThrough(errand, control.ref))
}
