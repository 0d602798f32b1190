import { visibleText } from '../../core/visible-text.ts'

/** As much of a text is read; the rest of a longer one is not looked at. */
const readMax = 20_000

/** A text of a stranger, in one line of plain text: no markup, no characters that are not seen. */
export function plainLine(said: string, lengthMax: number): string {
  return cut(plain(said.slice(0, readMax)).replace(/\s+/g, ' ').trim(), lengthMax)
}

type Description = { readonly plain?: unknown; readonly html?: unknown; readonly markdown?: unknown }

/** What a description says, in plain text with its lines, in whatever form it was written. */
export function plainDescription(given: Description, lengthMax: number): string {
  const read = (said: unknown) =>
    typeof said === 'string' && said.trim() !== '' ? said.slice(0, readMax) : null
  const written = read(given.plain) ?? read(given.html)
  const said = written ?? withoutMarkdown(read(given.markdown) ?? '')
  const lines = plain(said)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
  return cut(
    lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    lengthMax,
  )
}

/** What escapes become may be tags again, which somebody may rely on. After these rounds the signs that could begin one are removed. */
const roundsMax = 3

function plain(said: string): string {
  let text = seen(said)
  for (let round = 0; round < roundsMax; round++) {
    const next = seen(unescaped(stripped(text)))
    if (next === text) break
    text = next
  }
  // The last step: nothing that is removed later may bring a sign and a letter together.
  return (
    withoutLinks(text)
      // Each run of signs is looked at once, from its first one: else the time grows with the square of its length.
      .replace(/(?<!<)<+(?=[a-z/!?])/gi, '')
      .replaceAll('](', '] (')
  )
}

/** A text may be shown as Markdown, where an image is fetched from its address. The words of a link are left. */
function withoutLinks(text: string): string {
  return text
    .replace(/!?\[([^\]\n[]{0,300})\]\((?:[^()\n]|\([^()\n]{0,100}\)){0,500}\)/g, '$1')
    .replace(/^[ \t]{0,3}\[[^\]\n]{1,100}\]:[^\n]{0,500}$/gm, '')
}

/** Elements whose content is no text for people. */
const unseen = /^(?:script|style|template|noscript|iframe|object|svg|math|head|title|textarea|xmp|plaintext)$/
const blocks = /^(?:p|br|li|ul|ol|div|tr|table|h[1-6]|section|article|hr|blockquote|pre)$/

/** One pass from left to right, so that its time grows with the text and no faster. */
function stripped(text: string): string {
  const lower = text.toLowerCase()
  const kept: string[] = []
  let at = 0
  for (;;) {
    const open = text.indexOf('<', at)
    if (open === -1) return kept.join('') + text.slice(at)
    kept.push(text.slice(at, open))
    const end = endOfTag(lower, open)
    if (end === null) {
      kept.push('<')
      at = open + 1
      continue
    }
    if (end === -1) return kept.join('')
    if (blocks.test(nameAt(lower, open))) kept.push('\n')
    at = end
  }
}

/** Where the text goes on behind a tag, or behind an element that is not seen; -1: nowhere; null: it is no tag. */
function endOfTag(lower: string, open: number): number | null {
  if (!/[a-z/!?]/.test(lower.charAt(open + 1))) return null
  if (lower.startsWith('<!--', open)) return behind(lower, '-->', open + 4)
  const name = nameAt(lower, open)
  if (lower.charAt(open + 1) === '/' || !unseen.test(name)) return behind(lower, '>', open)
  const close = lower.indexOf(`</${name}`, open)
  return close === -1 ? -1 : behind(lower, '>', close)
}

function nameAt(lower: string, open: number): string {
  return /^<\/?([a-z0-9]*)/.exec(lower.slice(open, open + 20))?.[1] ?? ''
}

function behind(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from)
  return found === -1 ? -1 : found + end.length
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name.toLowerCase()] ?? whole
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''
  })
}

function withoutMarkdown(text: string): string {
  return text
    .replace(/^[ \t]{0,3}(?:#{1,6}|>|[-*+]|\d{1,3}\.)[ \t]+/gm, '')
    .replace(/\*\*|__|~~|`{1,3}/g, '')
    .replace(/(?<=^|\s)[*_]([^\s*_][^*_\n]{0,300})[*_](?=[\s.,;:!?]|$)/gm, '$1')
}

/** As everywhere; and what ends a line is a line's end. */
function seen(text: string): string {
  return visibleText(text.replace(/[\u2028\u2029]/g, '\n'))
}

/** Never in the middle of a character. */
function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax
    ? text
    : text
        .slice(0, lengthMax)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()
}
