import type { ShopAddress, ShopRequest } from '../../channels/browser/shopping-words.ts'
import { writtenAt } from '../reading/named-fields.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { saysFor } from '../reading/second-look.ts'
import { findState } from '../reading/states.ts'
import type { Entry } from './buyer-fields.ts'
import { plainStreet } from './fit-street.ts'
import type { ShopTask } from './shop-task.ts'

/** How far around the street an address is written. */
const linesBefore = 5
const linesAfter = 6

/** Remembers what a page shows as it was meant, of what a reader alone has said where it belongs. */
export function noteConfirmed(task: ShopTask, page: PageSnapshot): void {
  for (const entry of namedEntries(task))
    if (showsAsMeant(page, task.request, entry)) task.confirmed.add(markOf(entry))
}

/**
 * The fields that a reader of pages alone has named, where neither the field says the same nor the shop has shown, as it was meant, what it took
 * from there. Whoever has mixed them up would send the goods elsewhere.
 */
export function unconfirmed(task: ShopTask): readonly Entry[] {
  // guard names-are-confirmed-by-the-shop: what a reader alone has named is shown by the shop as it was meant, before any card
  return namedEntries(task).filter((entry) => !saysItself(entry) && !task.confirmed.has(markOf(entry)))
}

/** The last that was typed into each of them: a page may have been drawn anew. */
function namedEntries({ typed }: ShopTask): Entry[] {
  const last = new Map([...typed.values()].map(({ entry }) => [writtenAt(entry.control), entry]))
  return [...last.values()].filter(({ isNamed }) => isNamed)
}

function markOf({ field, text, control }: Entry): string {
  return JSON.stringify([field, text, writtenAt(control)])
}

/** What a list offers says what it is for. */
function saysItself({ control, field }: Entry): boolean {
  const { kind, type, inputMode } = control
  if (kind === 'select' || saysFor(control, field) === true) return true
  return field === 'phone' && (type === 'tel' || inputMode === 'tel')
}

/** Whether a page shows it in its place: a street below a name and above a city, which stands beside its code. */
export function showsAsMeant(
  { text, language }: Pick<PageSnapshot, 'text' | 'language'>,
  { buyer }: Pick<ShopRequest, 'buyer'>,
  { field, isOfGoods }: Pick<Entry, 'field' | 'isOfGoods'>,
): boolean {
  const lines = text.split('\n').slice(0, 2_000)
  const address = isOfGoods ? buyer.shipTo : (buyer.billTo ?? buyer.shipTo ?? null)
  if (address === null) return false
  return blocksOf(lines, address).some(
    // What was taken for something else is missing in the address, whatever stands elsewhere.
    (block) => cityAt(block.after, address) !== null && isIn(block, { field, address, language }),
  )
}

/** What stands before and behind a street, in plain words. */
type Block = { readonly before: string; readonly after: string }

function blocksOf(lines: readonly string[], { line1 }: ShopAddress): Block[] {
  const plains = lines.map(plainStreet)
  const street = plainStreet(line1)
  return plains.flatMap((line, at) => {
    const found = street === '' ? -1 : ` ${line} `.indexOf(` ${street} `)
    if (found < 0) return []
    return {
      before: [...plains.slice(Math.max(0, at - linesBefore), at), line.slice(0, found)].join(' '),
      after: [line.slice(found + street.length), ...plains.slice(at + 1, at + linesAfter)].join(' '),
    }
  })
}

type Part = Pick<Entry, 'field'> & {
  readonly address: ShopAddress
  readonly language: string
}

function isIn({ before, after }: Block, { field, address, language }: Part): boolean {
  const { city, recipientName, line2 } = address
  switch (field) {
    case 'full_name':
    case 'first_name':
    case 'last_name':
      return !familyFirst.test(language) && has(before, recipientName)
    case 'line1':
    case 'street':
    case 'house_number':
      // A street that was taken for a name stands there in place of it.
      return words(recipientName)
        .split(' ')
        .every((word) => has(before, word))
    case 'line2':
      return line2 !== null && has(after.slice(0, cityAt(after, address) ?? 0), line2)
    case 'city':
    case 'postal_code':
      return !cityFirst.test(language)
    case 'state':
      return statesOf(address).some((state) => has(after, `${city} ${state}`))
    default:
      return false
  }
}

/** Where these say first what others say last, an order on paper proves nothing. */
const familyFirst = /^(?:hu|ja|zh|ko|vi|km)\b/u
const cityFirst = /^(?:hu|ja|zh|ko|ru|uk|be|kk|ky|fa)\b/u

/** Where the city stands beside its code or its state; null: nowhere. A city alone may be a name or a street. */
function cityAt(after: string, address: ShopAddress): number | null {
  const { city, postalCode } = address
  const codes = postalCode === null ? [] : [postalCode, postalCode.replaceAll(/[\s-]/gu, '')]
  const states = statesOf(address)
  const forms = [
    ...codes.flatMap((code) => [
      `${code} ${city}`,
      `${city} ${code}`,
      ...states.map((state) => `${city} ${state} ${code}`),
    ]),
    ...(codes.length === 0 ? states.map((state) => `${city} ${state}`) : []),
  ]
  const found = forms.map((form) => ` ${after} `.indexOf(` ${words(form)} `)).filter((at) => at >= 0)
  return found.length === 0 ? null : Math.min(...found)
}

function statesOf({ state, country }: ShopAddress): string[] {
  if (state === null) return []
  const known = findState(country, state)
  return [...new Set([state, ...(known === null ? [] : [known.code, known.name])])]
}

function has(text: string, wanted: string): boolean {
  return words(wanted) !== '' && ` ${words(text)} `.includes(` ${words(wanted)} `)
}

function words(text: string): string {
  return plainStreet(text)
}

/** The field of a page that an entry was typed into. */
export function controlOf({ controls }: PageSnapshot, { control }: Entry): Control | undefined {
  const place = writtenAt(control)
  return controls.find((one) => writtenAt(one) === place)
}
