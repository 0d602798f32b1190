import type { ShopAddress } from '../../channels/browser/shopping-words.ts'
import { addressPurposes } from '../reading/field-of.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { hasGoodsStreet, isBilledWhereShipped, ofStreets } from './buyer-fields.ts'
import { keyOf, saidIn } from './fill-fields.ts'
import { plainStreet } from './fit-street.ts'
import type { Standing } from './page-script.ts'
import type { ShopTask } from './shop-task.ts'

type Step = { readonly page: PageSnapshot; readonly standing: Standing; readonly form: number | null }

/**
 * The field for a street that a form has taken only a part of the address with: a flat, a number or a second line stands nowhere, and the
 * goods would go to another door. Null: none.
 */
export function streetWithoutRest({ request, typed }: ShopTask, step: Step): Control | null {
  const { page, standing, form } = step
  const purposes = addressPurposes(page)
  const given = page.controls.flatMap((control) => {
    const entry = typed.get(keyOf(standing, control))?.entry
    const text = control.kind === 'text' ? saidIn(control, standing) : null
    return control.form !== form || entry === undefined || text === null ? [] : [{ control, entry, text }]
  })
  const { shipTo, billTo } = request.buyer
  for (const group of Map.groupBy(given, ({ control }) => purposes.get(control.ref)).values()) {
    const street = group.find(({ entry }) => ofStreets.has(entry.field))
    const address = street?.entry.isOfGoods === true ? shipTo : billTo
    if (
      street !== undefined &&
      address !== null &&
      !isWholeIn(
        address,
        group.map(({ text }) => text),
      )
    )
      return street.control
  }
  return null
}

/** Words that only say that a number follows. */
const ofNumbers = new Set(['n', 'no', 'nr', 'num', 'numero', 'number'])

function isWholeIn({ line1, line2 }: ShopAddress, texts: readonly string[]): boolean {
  const said = new Set(wordsOf(texts.join(' ')))
  return wordsOf(`${line1} ${line2 ?? ''}`).every((word) => ofNumbers.has(word) || said.has(word))
}

/** `221b` is a number and a letter, wherever a form takes them apart. */
function wordsOf(text: string): string[] {
  return plainStreet(text).match(/\p{N}+|[\p{L}\p{M}]+/gu) ?? []
}

/** Who pays at another address than the goods go to was asked for one of them alone. */
export function isGoodsAddressMissing({ request, typed }: ShopTask): boolean {
  if (request.startAt !== null || request.fulfillment.method !== 'ship' || isBilledWhereShipped(request))
    return false
  return !hasGoodsStreet([...typed.values()].map(({ entry }) => entry))
}
