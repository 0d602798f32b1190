import { chooseOption, type WantedOption } from '../reading/choose-option.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { buyerEntries, listEntries, neededBoxes } from './buyer-fields.ts'
import { pressThrough } from './clear-way.ts'
import type { Errand } from './errand.ts'
import { optionsOf } from './page-script.ts'

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
  // What is chosen in one list may change another.
  for (const { control, wanted } of listEntries(page, request))
    if (await chooseInList(errand, control, wanted)) return true
  let isChanged = false
  for (const box of neededBoxes(page, request)) isChanged = (await toggle(errand, box)) || isChanged
  return isChanged
}

/** Opens a list that a script draws, and presses what is wanted. False where it is not offered. */
async function chooseInList(errand: Errand, control: Control, wanted: WantedOption): Promise<boolean> {
  const { tab } = errand
  if (!(await pressThrough(errand, control.ref))) return false
  const options = await tab.guarded(optionsOf(tab.page.mainFrame(), control.ref))
  const found = chooseOption({ options }, wanted)
  if (found !== null && (await pressThrough(errand, Number(found)))) return true
  await tab.page.keyboard.press('Escape')
  await tab.settled()
  return false
}

/** Presses a box, or one of several. False where it could not be. */
async function toggle(errand: Errand, control: Control): Promise<boolean> {
  return !control.isDisabled && (await pressThrough(errand, control.ref))
}
