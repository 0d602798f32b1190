import type { ReaderPage } from '../../src/channels/browser/page-reader.ts'
import { elementCalled } from '../../src/channels/browser/scripted-reader.testing.ts'

export const click = (page: ReaderPage, name: RegExp) => ({
  move: 'click',
  ref: elementCalled(page, name)?.ref,
})

export const fill = (page: ReaderPage, name: RegExp, field: string) => ({
  move: 'fill',
  ref: elementCalled(page, name)?.ref,
  field,
})

/** What a person understands of the riddles of `messy`. */
export function understands(page: ReaderPage): unknown {
  if (elementCalled(page, /ooh yes/)) return click(page, /ooh yes/)
  if (elementCalled(page, /to the moon/)) return click(page, /to the moon/)
  const empty = page.elements.filter(({ states }) => states.includes('empty'))
  const riddle = fields.find(([name]) => empty.some((element) => name.test(element.name)))
  if (riddle !== undefined) return fill(page, ...riddle)
  const list = empty.find(({ role }) => role === 'combobox')
  if (list !== undefined) return { move: 'choose', ref: list.ref, option: 'by handcart' }
  return click(page, /onward/)
}

const fields: readonly (readonly [RegExp, string])[] = [
  [/friends call/, 'full_name'],
  [/door/, 'line1'],
  [/^City/, 'city'],
  [/^ST/, 'state'],
  [/^ZIP/, 'postal_code'],
]
