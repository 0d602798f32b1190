import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { pressThrough } from './clear-way.ts'
import type { Errand } from './errand.ts'
import { buyerFields, chooseOf, isConsentNeeded } from './read-page.ts'

/**
 * Fills in who buys and where it goes: fields that are empty, and lists that say something else. True: something was filled in, so the page
 * may say something new.
 */
export async function fillBuyer(errand: Errand, page: PageSnapshot): Promise<boolean> {
  let isChanged = false
  for (const { control, text } of buyerFields(page, errand.request))
    isChanged = (await fillField(errand, control, text)) || isChanged
  for (const control of page.controls.filter((one) => isConsentNeeded(page, one)))
    isChanged = (await check(errand, control)) || isChanged
  if (isChanged) {
    // What was typed last is told to the page when its field is left.
    await errand.tab.page.keyboard.press('Tab')
    await errand.tab.settled()
  }
  return isChanged
}

async function fillField({ tab }: Errand, control: Control, text: string): Promise<boolean> {
  if (control.kind === 'select') {
    const option = chooseOf(control, text)
    if (option === null || option.isSelected) return false
    await tab.select(control.ref, option.value)
    return true
  }
  if (control.kind !== 'text' || text === '' || !control.isEmpty) return false
  await tab.type(control.ref, text)
  return true
}

/** Checks a box, or one of several, that is not checked. */
export async function check(errand: Errand, control: Control): Promise<boolean> {
  if (control.isChecked || control.isDisabled) return false
  return pressThrough(errand, control.ref)
}
