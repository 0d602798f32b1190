/** A text in the digits and signs of ASCII where it has others that mean the same, and where each of its characters came from. */
type PlainText = { readonly text: string; readonly origin: readonly number[] }

const segments = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Wide digits, those of other scripts, the spaces between groups of digits, what nobody sees, and the stars of Markdown: in all of them an
 * amount reads the same.
 */
export function plainText(text: string): PlainText {
  let plain = ''
  const origin: number[] = []
  const push = (piece: string, at: number) => {
    plain += piece
    for (let unit = 0; unit < piece.length; unit++) origin.push(at)
  }
  if (/^[\n -)+-^a-~]*$/.test(text)) {
    // Nothing in it reads otherwise, as in most English sentences.
    return { text, origin: Array.from({ length: text.length }, (_, at) => at) }
  }
  for (const { segment, index } of segments.segment(text)) push(plainly(segment), index)
  return { text: plain, origin }
}

function plainly(segment: string): string {
  if (/^[\n -)+-^a-~]+$/.test(segment)) return segment
  return segment
    .normalize('NFKC')
    .replace(/\p{Cf}|\ufe0f/gu, '')
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(/[*`_]/g, '')
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
    .replace(/[’‘′ʼ´`]/g, "'")
    .replace(/[‐‑‒–—―−﹣－]/g, '-')
    .replace(/[^\S\n]/g, ' ')
}

const digits = new Map<string, string>()

/** The ten digits of a script follow each other, and what stands before a zero is no digit. */
function asciiDigit(digit: string): string {
  const known = digits.get(digit)
  if (known !== undefined) return known
  const point = digit.codePointAt(0) ?? 0
  let zero = point
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  const value = String((point - zero) % 10)
  digits.set(digit, value)
  return value
}
