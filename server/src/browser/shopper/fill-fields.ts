import type { ShopRequest } from '../../channels/browser/shopping-words.ts'
import { chooseOption, type WantedOption } from '../reading/choose-option.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import type { Field } from '../reading/words/shop-words.ts'
import { answeredEntries, answeredRadios, requestAt } from './answered-fields.ts'
import {
  addressBoxes,
  buyerEntries,
  type Entry,
  hasGoodsStreet,
  listEntries,
  neededBoxes,
  neutralSalutations,
} from './buyer-fields.ts'
import { pressThrough } from './clear-way.ts'
import { optionsOf, type Standing } from './page-script.ts'
import { isSame } from './same-value.ts'
import type { ShopTask } from './shop-task.ts'

/**
 * Fills in who buys and where it goes: fields that hold something else, and lists that say something else. True: something was filled in,
 * so the page may say something new.
 */
export async function fillBuyer(task: ShopTask, page: PageSnapshot): Promise<boolean> {
  const request = requestAt(task, page)
  if (page.controls.length === 0) return false
  const standing = await task.tab.standing()
  // Which addresses a page asks for, it may say only once it knows whether there are two.
  for (const box of addressBoxes(page, request)) if (await toggleOnce(task, standing, box)) return true
  const known = { isGoodsAddressKnown: isGoodsAddressKnown(task, page, standing) }
  const own = buyerEntries(page, request, known)
  const entries = [...own, ...answeredEntries(task, page, own)]
  if (await typeEntries(task, standing, openEntries(task, entries, standing))) return true
  // What is chosen in one list may change another.
  for (const { control, wanted } of listEntries(page, request, known))
    if (await chooseInList(task, control, wanted)) return true
  let isChanged = false
  for (const box of [...answeredRadios(task, page), ...neutralSalutations(page), ...neededBoxes(page)])
    isChanged = (await toggle(task, box)) || isChanged
  return isChanged
}

/** Whether the shop was given where the goods go in fields that it does not show any more, or by whoever began the checkout. */
export function isGoodsAddressKnown(
  { request, typed }: ShopTask,
  page: PageSnapshot,
  standing: Standing,
): boolean {
  if (request.startAt !== null) return true
  const shown = new Set(page.controls.map((control) => keyOf(standing, control)))
  return hasGoodsStreet([...typed].flatMap(([key, { entry }]) => (shown.has(key) ? [] : [entry])))
}

/** A page that takes back what was pressed is not pressed again. */
async function toggleOnce(task: ShopTask, standing: Standing, box: Control): Promise<boolean> {
  const key = keyOf(standing, box)
  if (task.pressed.has(key)) return false
  task.pressed.add(key)
  return toggle(task, box)
}

/** How often the same is put into one field, beside its other forms: a page may empty it once while it draws itself. */
const triesMax = 2

type Open = { readonly entry: Entry; readonly text: string }

function openEntries(task: ShopTask, entries: readonly Entry[], standing: Standing): Open[] {
  return entries.flatMap((entry) => {
    const { control, field, others } = entry
    const all = [entry.text, ...others]
    const said = saidIn(control, standing)
    const before = task.typed.get(keyOf(standing, control))
    const isThere = all.some(
      (text) => said !== null && isStanding(task.request, { control, field, said, text }),
    )
    // What a person has answered is typed as such, whatever stands there.
    if (said === null || (isThere && !(entry.isAnswer && before === undefined))) return []
    const tries = before?.tries ?? 0
    // Once the number is known to have a field of its own, the street is another text.
    if (before !== undefined && isWithoutNumberNow(before.entry.field, field) && tries <= triesMax)
      return [{ entry, text: entry.text }]
    const isAgain = control.kind === 'select' || said === ''
    // What a page has made something else of is typed in another form, or left to the proof.
    const text = all[isAgain ? Math.max(0, tries - triesMax + 1) : tries]
    return text === undefined || tries >= triesMax + others.length ? [] : [{ entry, text }]
  })
}

/** A street was typed with its number, for which a field has been found since. */
export function isWithoutNumberNow(before: Field, now: Field): boolean {
  return before === 'line1' && now === 'street'
}

/** Null: nobody can tell what stands there. */
export function saidIn(control: Control, { values }: Standing): string | null {
  if (control.kind === 'select') return control.options.find(({ isSelected }) => isSelected)?.value ?? ''
  return values.get(control.ref) ?? null
}

export function isStanding(
  request: ShopRequest,
  { control, field, said, text }: { control: Control; field: Field; said: string; text: string },
): boolean {
  return control.kind === 'select' ? said === text : isSame(field, [said, text], request)
}

export function keyOf({ document }: Standing, { ref }: Control): string {
  return `${document} ${ref}`
}

/** Fields whose keys mean parts of a date, in the order of the browser's own language. */
const picked: ReadonlySet<string> = new Set(['date'])

/** False: there was nothing to type. */
export async function typeEntries(
  task: ShopTask,
  standing: Standing,
  open: readonly Open[],
): Promise<boolean> {
  const { tab } = task
  for (const { entry, text } of open) {
    const { control } = entry
    if (control.kind === 'select') await tab.select(control.ref, text)
    else if (picked.has(control.type)) await tab.put(control.ref, text)
    else await tab.type(control.ref, text)
    const key = keyOf(standing, control)
    task.typed.set(key, { entry, text, tries: (task.typed.get(key)?.tries ?? 0) + 1 })
  }
  if (open.length === 0) return false
  task.isIntroduced = true
  // What was typed last is told to the page when its field is left, and some keep a group of fields once all of it is left.
  await tab.page.keyboard.press('Tab')
  await tab.leaveFields()
  await tab.settled()
  return true
}

/** Opens a list that a script draws, and presses what is wanted. False where it is not offered. */
async function chooseInList(task: ShopTask, control: Control, wanted: WantedOption): Promise<boolean> {
  const { tab } = task
  if (!(await pressThrough(task, control.ref))) return false
  const options = await tab.guarded(optionsOf(tab.page.mainFrame(), control.ref))
  const found = chooseOption({ options }, wanted)
  if (found !== null && (await pressThrough(task, Number(found)))) return true
  await tab.page.keyboard.press('Escape')
  await tab.settled()
  return false
}

/** Presses a box, or one of several. False where it could not be. */
async function toggle(task: ShopTask, control: Control): Promise<boolean> {
  return !control.isDisabled && (await pressThrough(task, control.ref))
}
