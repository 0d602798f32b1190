import { cleanText } from '../reading/json-ld.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { tokensOf } from '../reading/words/words.ts'
import { newLines } from './new-lines.ts'
import { labelOf } from './prove-step.ts'

/** A page that says more than this is another page, and not an answer to what was pressed. */
const answersMax = 5
const sentenceMax = 80

/** What a page answered to the last press; what it answered before still holds while it says nothing new. */
export function answerOf(
  pages: { readonly before: PageSnapshot | null; readonly page: PageSnapshot },
  known: readonly string[],
): readonly string[] {
  if (pages.before === null) return known
  const lines = newLines(pages.before, pages.page)
  if (lines.length === 0) return known
  return lines.length <= answersMax ? lines : []
}

/** A refusal that says nothing says the field and the shop's sentence about it, or else the step. */
export function withReason<T extends { readonly kind: string }>(
  said: T,
  about: { readonly page: PageSnapshot; readonly answers: readonly string[] },
): T {
  return 'message' in said && said.kind === 'refused' && said.message === null
    ? { ...said, message: reasonOf(about) }
    : said
}

function reasonOf({ page, answers }: { page: PageSnapshot; answers: readonly string[] }): string {
  const host = URL.parse(page.url)?.hostname ?? 'the shop'
  const wrong = page.controls.find(({ isInvalid, isDisabled }) => isInvalid && !isDisabled)
  const sentence = answers.find((line) => fieldOf(page, line) !== undefined) ?? answers[0]
  const said = sentence === undefined ? null : cleanText(sentence, sentenceMax)
  const field = wrong ?? (sentence === undefined ? undefined : fieldOf(page, sentence))
  if (field !== undefined)
    return `${labelOf(field)} at ${host}${said === null ? ' is not taken.' : `: ${said}`}`
  if (said !== null) return `${host}: ${said}`
  const step = cleanText(page.headings[0] || page.title, sentenceMax)
  return `No way on was found at ${step === null ? 'a page' : `“${step}”`} of ${host}.`
}

/** The fields of the page that these sentences are about. */
export function fieldsNamed(page: PageSnapshot, sentences: readonly string[]): Control[] {
  return [...new Set(sentences.flatMap((line) => fieldOf(page, line) ?? []))]
}

/** The field whose label a sentence has in it, and more: what is called so has only come onto the page. */
function fieldOf({ controls }: PageSnapshot, sentence: string): Control | undefined {
  const words = ` ${tokensOf(sentence).join(' ')} `
  return controls.find(({ kind, label, placeholder }) => {
    const name = tokensOf(label || placeholder).join(' ')
    return (
      kind !== 'radio' &&
      kind !== 'checkbox' &&
      name.length > 2 &&
      words !== ` ${name} ` &&
      words.includes(` ${name} `)
    )
  })
}
