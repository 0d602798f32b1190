import type { ReaderElement, ReaderPage } from '../../src/channels/browser/page-reader.ts'

/** What a person understands of the odd forms of `picky`. */
export const meant: readonly (readonly [name: RegExp, field: string])[] = [
  [/soup/, 'full_name'],
  [/Where do we knock/, 'line1'],
  [/SYSTEM/, 'line1'],
  [/maps/, 'city'],
  [/figures/, 'postal_code'],
]

function askedOn({ elements }: ReaderPage): ReaderElement | undefined {
  return elements.find(({ states }) => states.includes('asked'))
}

/** Answers what is asked about, as these say. */
export function namesAs(fields: typeof meant, choice = 'softly') {
  return (page: ReaderPage): unknown => {
    const asked = askedOn(page)
    if (asked === undefined) return { move: 'stuck' }
    if (asked.role === 'combobox' && asked.options.includes(choice))
      return { move: 'choose', ref: asked.ref, option: choice }
    const field = fields.find(([name]) => name.test(asked.name))?.[1]
    return field === undefined ? { move: 'stuck' } : { move: 'fill', ref: asked.ref, field }
  }
}
