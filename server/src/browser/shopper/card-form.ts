import type { Frame } from 'puppeteer-core'
import { rankActions } from '../reading/action-of.ts'
import { isListOfBrands } from '../reading/card-brands.ts'
import type { Action, Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { type CardField, cardFields, controlFor } from './card-fields.ts'
import type { ShopTask } from './shop-task.ts'

type Field = { readonly frame: Frame; readonly control: Control }

/** Where a card is typed: on the page itself, or in frames of its payment company. */
export type CardForm = { readonly number: Field } & Readonly<Partial<Record<CardField | 'brand', Field>>>

/** The form, and the documents that were looked at for it. */
export type FoundCard = { readonly form: CardForm; readonly pages: ReadonlyMap<Frame, PageSnapshot> }

/** Null: no field for the number of a card is seen in any frame. */
export async function findCardForm({ tab }: Pick<ShopTask, 'tab'>): Promise<FoundCard | null> {
  const pages = new Map<Frame, PageSnapshot>()
  const found: Partial<Record<CardField | 'brand', Field>> = {}
  for (const frame of tab.page.frames()) {
    if (!(await isSeen(frame))) continue
    const page = await tab.read(frame)
    pages.set(frame, page)
    for (const name of cardFieldNames) {
      const control = controlFor(page, cardFields[name])
      if (control !== null) found[name] ??= { frame, control }
    }
    const brand = page.controls.find((control) => isListOfBrands(control))
    if (brand !== undefined) found.brand ??= { frame, control: brand }
  }
  const { number } = found
  // A list elsewhere asks about something else.
  if (found.brand?.frame !== number?.frame) delete found.brand
  return number === undefined ? null : { form: { ...found, number }, pages }
}

const cardFieldNames = ['holder', 'number', 'expiry', 'month', 'year', 'code'] as const

/** A frame that nobody sees is no place for a card. */
async function isSeen(frame: Frame): Promise<boolean> {
  if (frame.parentFrame() === null) return true
  const element = await frame.frameElement().catch(() => null)
  return element !== null && (await element.isVisible().catch(() => false))
}

/** The origins that would see the card. */
export function originsOf(form: CardForm): readonly string[] {
  return [...new Set(Object.values(form).map(({ frame }) => new URL(frame.url()).origin))]
}

/** The button that a card is sent with, and whether it orders; else it leads to the page that does. */
export function buttonOf(
  page: PageSnapshot,
  form: CardForm,
): { readonly action: Action; readonly isLast: boolean } | undefined {
  const { control, frame } = form.number
  const isOwn = (action: Action) => action.form !== null && action.form === control.form
  const ranked = rankActions(page, 'place_order')
  const last = ranked.find(isOwn) ?? ranked[0]
  if (last !== undefined) return { action: last, isLast: true }
  // In a frame of a payment company there is no page after the card.
  if (frame.parentFrame() !== null) return undefined
  const next = [...rankActions(page, 'continue'), ...rankActions(page, 'checkout')].find(
    (action) => action.role !== 'link' && (control.form === null || isOwn(action)),
  )
  return next === undefined ? undefined : { action: next, isLast: false }
}
