import { lexicons } from './reading/detect-language.ts'
import { fold, longestAt, type Tag } from './reading/lexicon.ts'
import { languages } from './understood.ts'

const optionTags: ReadonlySet<Tag> = new Set<Tag>(['color', 'material', 'size', 'sizeword'])

/** Whether a shop's word for an option, in whichever language, says the value that a person named. */
export function sameOption(label: string, value: string): boolean {
  const said = label.trim().toLowerCase()
  if (said === value.toLowerCase()) return true
  const words = said.split(/[\s/,·-]+/)
  if (words.includes(value.toLowerCase())) return true
  return languages.some((language) => {
    const keys = words.map((word) => fold(word, language))
    return keys.some((_, at) => {
      const entry = longestAt(lexicons[language], keys, at)?.entry
      return entry !== undefined && optionTags.has(entry.tag) && entry.value === value
    })
  })
}
