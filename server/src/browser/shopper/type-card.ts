import { optionOfBrand } from '../reading/card-brands.ts'
import { chooseOption } from '../reading/choose-option.ts'
import type { CardField } from './card-fields.ts'
import { type CardForm, findCardForm } from './card-form.ts'
import type { ShopTask } from './shop-task.ts'
import type { CardToType } from './visit.ts'

/** Types a card digit by digit, as a person would. Nothing of it is read back, and a field that has become another one gets none of it. */
export async function typeCard({ tab }: ShopTask, form: CardForm, card: CardToType): Promise<void> {
  const month = String(card.expMonth).padStart(2, '0')
  const year = String(card.expYear)
  const texts: readonly [CardField, string | null][] = [
    ['holder', card.holder],
    ['number', card.number],
    ['expiry', expiryFor(form, month, year)],
    ['month', month],
    ['year', year],
    ['code', card.securityCode],
  ]
  tab.visit.keepOutOfAddresses(card.number)
  const brand = form.brand === undefined ? null : optionOfBrand(form.brand.control, card.number)
  if (form.brand !== undefined && brand !== null)
    await tab.select(form.brand.control.ref, brand, form.brand.frame)
  for (const [name, text] of texts) {
    const field = form[name]
    if (field === undefined || text === null) continue
    const { frame, control } = field
    if (name === 'number') {
      // A page may make another field of it until the last moment, also when the field before is left for it.
      await tab.focus(control.ref, frame)
      if ((await findCardForm({ tab }))?.form.number.control.ref !== control.ref) return
    }
    if (control.kind !== 'select') {
      const isShort = name === 'year' && control.maxLength === 2
      await tab.type(control.ref, isShort ? text.slice(-2) : text, frame, () =>
        name === 'number' ? tab.visit.at('page.typing') : Promise.resolve(),
      )
      continue
    }
    const wanted = name === 'month' ? { month: card.expMonth } : { year: card.expYear }
    const option = chooseOption(control, wanted)
    if (option !== null) await tab.select(control.ref, option, frame)
  }
  await tab.page.keyboard.press('Tab')
}

/** As the field asks for it: `MM/YY` where nothing is said. */
function expiryFor({ expiry }: CardForm, month: string, year: string): string {
  const { maxLength, placeholder, label } = expiry?.control ?? { maxLength: null, placeholder: '', label: '' }
  if (maxLength === 4) return month + year.slice(-2)
  if (maxLength === 6) return month + year
  const isLong =
    /y{4}|j{4}|a{4}/i.test(placeholder || label) ||
    (maxLength !== null && maxLength === 7 && !/\s\/\s/.test(placeholder))
  return `${month}/${isLong ? year : year.slice(-2)}`
}
