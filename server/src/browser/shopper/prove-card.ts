import type { Frame } from 'puppeteer-core'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { asksForCardNumber } from '../reading/second-look.ts'
import { type CardForm, findCardForm } from './card-form.ts'
import { changedIn, lengthsIn } from './page-script.ts'
import { labelOf } from './prove-step.ts'
import type { ShopTask } from './shop-task.ts'
import type { CardToType } from './visit.ts'

/** As many digits as most cards have. */
const numberRoom = 16
/** So many fields may stand between the number and what belongs to it. */
const besideMax = 6

/** Why the fields that were found are not taken for those of a card, by signals of their own. Null: they are. */
export function whyNoCard(form: CardForm, pages: ReadonlyMap<Frame, PageSnapshot>): string | null {
  const { number, expiry, month, year, code } = form
  const { control, frame } = number
  const label = labelOf(control)
  const page = pages.get(frame)
  if (page === undefined || control.kind !== 'text' || wrongTypes.has(control.type))
    return `${label} takes no number of a card.`
  if (control.maxLength !== null && control.maxLength < numberRoom)
    return `${label} has no room for the number of a card.`
  const rest = [expiry, month, year, code].filter((field) => field !== undefined)
  if (expiry === undefined && (month === undefined || year === undefined))
    return 'No field for the expiry of the card was found.'
  const says = page.controls.filter((one) => one.kind === 'text' && asksForCardNumber(one))
  if (says.length > 1) return `${labelOf(says[1] ?? control)} asks for the number of a card as well.`
  const [only] = says
  // Without a word of its own it is told by what stands beside it.
  if (only === undefined ? code === undefined : only.ref !== control.ref)
    return `${label} takes no number of a card.`
  const texts = page.controls.filter(({ kind }) => kind === 'text' || kind === 'select')
  const isFar = (other: Control) =>
    other.form !== control.form || Math.abs(indexOf(texts, other) - indexOf(texts, control)) > besideMax
  const stray = rest.find((field) => field.frame === frame && isFar(field.control))
  return stray === undefined
    ? null
    : `${labelOf(stray.control)} does not stand beside the number of the card.`
}

const wrongTypes: ReadonlySet<string> = new Set(['email', 'password', 'date', 'month', 'url', 'search'])

function indexOf(controls: readonly Control[], { ref }: Control): number {
  return controls.findIndex((one) => one.ref === ref)
}

/**
 * Of what stands in the fields of the card only the length is looked at, then whether each is still the field that it was, and whether another
 * one was changed. Null: all is as it was typed.
 */
export async function whyNotTyped(
  task: Pick<ShopTask, 'tab'>,
  form: CardForm,
  card: CardToType,
): Promise<string | null> {
  const { tab } = task
  const main = tab.page.mainFrame()
  for (const [name, field] of Object.entries(form)) {
    const [length = 0] = await lengthsIn(field.frame, [field.control.ref])
    const { least, most } = lengthOf(name, card)
    if (length < least || length > most)
      return `${labelOf(field.control)} does not keep what is typed into it.`
  }
  // A field that asks for something else by now may have done so before the card stood in it.
  const found = (await findCardForm(task))?.form ?? null
  const other = Object.entries(form).find(([name, { control }]) => refIn(found, name) !== control.ref)
  if (other !== undefined) return `${labelOf(other[1].control)} has changed while the card was typed.`
  const refs = Object.values(form).flatMap(({ frame, control }) => (frame === main ? [control.ref] : []))
  const [changed] = await changedIn(main, refs)
  if (changed === undefined) return null
  const { controls } = await tab.read()
  const control = controls.find(({ ref }) => ref === changed)
  return `${control === undefined ? 'A field' : labelOf(control)} has changed while the card was typed.`
}

function refIn(form: CardForm | null, name: string): number | undefined {
  return Object.entries(form ?? {}).find(([one]) => one === name)?.[1].control.ref
}

/** Shops put spaces between digits, and a bar between month and year. */
function lengthOf(field: string, { number, securityCode }: CardToType): { least: number; most: number } {
  switch (field) {
    case 'number':
      return { least: number.length, most: number.length + 6 }
    case 'expiry':
      return { least: 4, most: 9 }
    case 'code':
      return { least: securityCode?.length ?? 0, most: securityCode?.length ?? 4 }
    case 'month':
    case 'year':
      return { least: 1, most: 20 }
    default:
      return { least: 1, most: 300 }
  }
}
