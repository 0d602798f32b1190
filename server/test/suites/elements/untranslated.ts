/** What is a name, or what a person or a shop has written: the same in every language. */
const names = [
  'Ada Lovelace',
  'Bring & Buy Ltd',
  'Unter den Linden 1',
  '10117 Berlin DE',
  'Visa',
  'Mastercard',
  'Amex',
  'shop.example',
]
const nameForms = [
  /^[\w.-]+\.example(?:, [\w.-]+\.example)*$/,
  /^\S+@\S+$/,
  /^\d+ × /,
  /^(?:Visa|Mastercard|Amex) ••/,
]

/** Words of English that stand in no sentence of the other languages: a sentence that is half translated has one of them. */
const englishWords = /\b(?:the|your|you|with|this|and|again|card|window)\b/i

/** Texts of a language that are those of the English page, or have words of it. */
export function untranslated(english: readonly string[], texts: readonly string[], locale: string): string[] {
  // There are no texts from right to left: they are English ones.
  if (locale === 'en' || locale === 'ar') return []
  const own = texts.filter((text) => !names.includes(text) && !nameForms.some((form) => form.test(text)))
  return own.flatMap((text) => {
    if (english.includes(text) && !shared[locale]?.includes(text)) return [`as in English: ${text}`]
    return englishWords.test(text) ? [`has words of English: ${text}`] : []
  })
}

/** Words that two languages share. */
const shared: Readonly<Record<string, readonly string[]>> = { es: ['No'], it: ['No'] }
