/** The digits in what was typed or pasted, as ASCII: full-width and Arabic ones too. */
export function digitsIn(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/\D/g, '')
}

/** A text as it stands in a field, and where the caret stands in it. */
export type Edited = { readonly text: string; readonly caret: number }

export type Edit = Edited & {
  /** The text before. */
  readonly before: string
  /** Whether something was taken away: what the person deletes must not come back. */
  readonly isDeletion: boolean
}

/** The place after so many digits, and after the separator that follows them. */
export function caretAfter(text: string, digits: number, isPastSeparator: boolean): number {
  let at = 0
  for (let seen = 0; at < text.length && seen < digits; at += 1) if (/\d/.test(text.charAt(at))) seen += 1
  while (isPastSeparator && at < text.length && !/\d/.test(text.charAt(at))) at += 1
  return at
}
