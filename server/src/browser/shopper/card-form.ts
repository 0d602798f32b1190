import type { Frame } from 'puppeteer-core'
import { rankActions } from '../reading/action-of.ts'
import type { Action, Control, PageSnapshot } from '../reading/page-snapshot.ts'
import type { Errand } from './errand.ts'
import { cardFieldsOf } from './read-page.ts'

type Field = { readonly frame: Frame; readonly control: Control }

/** Where a card is typed: on the page itself, or in frames of its payment company. */
export type CardForm = {
  readonly number: Field
  readonly expiry: Field | null
  readonly month: Field | null
  readonly year: Field | null
  readonly code: Field | null
  readonly holder: Field | null
}

/** Null: no field for the number of a card is seen in any frame. */
export async function findCardForm({ tab }: Errand): Promise<CardForm | null> {
  const found: { -readonly [K in keyof CardForm]: CardForm[K] | null } = {
    number: null,
    expiry: null,
    month: null,
    year: null,
    code: null,
    holder: null,
  }
  for (const frame of tab.page.frames()) {
    if (!(await isSeen(frame))) continue
    const fields = cardFieldsOf(await tab.read(frame))
    for (const name of ['number', 'expiry', 'month', 'year', 'code', 'holder'] as const) {
      const control = fields[name]
      if (control !== null && found[name] === null) found[name] = { frame, control }
    }
  }
  const { number } = found
  return number === null ? null : { ...found, number }
}

/** A frame that nobody sees is no place for a card. */
async function isSeen(frame: Frame): Promise<boolean> {
  if (frame.parentFrame() === null) return true
  const element = await frame.frameElement().catch(() => null)
  return element !== null && (await element.isVisible().catch(() => false))
}

/** The origins that would see the card. */
export function originsOf(form: CardForm): readonly string[] {
  const frames = Object.values(form).flatMap((field) => (field === null ? [] : [field.frame]))
  return [...new Set(frames.map((frame) => new URL(frame.url()).origin))]
}

/** The last button, and the addresses that a form with the card would be sent to. */
export function buttonOf(page: PageSnapshot, form: CardForm | null): Action | undefined {
  const ranked = rankActions(page, 'place_order')
  const own =
    form === null
      ? undefined
      : ranked.find((one) => one.form !== null && one.form === form.number.control.form)
  return own ?? ranked[0]
}
