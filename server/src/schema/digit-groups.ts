/** Digits that stand together, of any script, and the characters between them and the group before. */
export type DigitGroup = {
  digits: string
  /** Where it begins in the text. */
  from: number
  to: number
  /** Every kind of separator before it, as bits; 0 at the beginning of a run. */
  between: number
}

/** Blanks and dashes, as people write numbers. */
const blank = 1
/** Any other mark: dots, slashes, underscores, brackets. */
export const mark = 2
/** A comma, semicolon or colon followed by a blank: the next item of a list. */
export const list = 4

const separatorsMax = 8

/** Groups with no letters and at most eight separators between them: together they may be one number. It reads the text once. */
export function* digitRuns(text: string): Generator<DigitGroup[]> {
  let run: DigitGroup[] = []
  let digits = ''
  let from = 0
  let between = 0
  let separators = 0
  let isAfterStop = false
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0
    const kind = code < 128 ? (asciiKinds[code] ?? letter) : kindOf(code)
    if (kind <= 9) {
      if (digits === '') from = at
      digits += kind
    } else if (kind !== unseen) {
      if (digits !== '') {
        run.push({ digits, from, to: at, between: run.length === 0 ? 0 : between })
        digits = ''
        between = 0
        separators = 0
        isAfterStop = false
      }
      separators++
      if (kind === letter || separators > separatorsMax) {
        if (run.length > 0) yield run
        run = []
      }
      between |= kind === blankMark ? blank : mark
      if (kind === blankMark && isAfterStop) between |= list
      isAfterStop = kind === stop
    }
    at += code > 0xffff ? 2 : 1
  }
  if (digits !== '') run.push({ digits, from, to: text.length, between: run.length === 0 ? 0 : between })
  if (run.length > 0) yield run
}

// Characters other than digits get codes above 9.
const blankMark = 10
const anyMark = 11
const stop = 12
const letter = 13
const unseen = 14

const asciiKinds = Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  if (char >= '0' && char <= '9') return Number(char)
  if (/[\s-]/.test(char)) return blankMark
  if (/[,;:]/.test(char)) return stop
  return /[A-Za-z]/.test(char) ? letter : anyMark
})

/** Soft hyphens, zero-width characters, and characters that only change the look of a digit. */
const invisible = /[\p{Cf}\p{Mn}\p{Me}]/u
const blankOrDash = /[\p{Zs}\p{Zl}\p{Zp}\p{Pd}\u2212]/u
const digit = /\p{Nd}/u
const wordly = /[\p{L}\p{N}\p{Co}]/u
const stops = /[،؛、，；：]/u

const unknown = 255
const kinds = new Uint8Array(0x10000).fill(unknown)

function kindOf(code: number): number {
  if (code > 0xffff) return readKind(String.fromCodePoint(code), code)
  const known = kinds[code] ?? unknown
  if (known !== unknown) return known
  const kind = readKind(String.fromCharCode(code), code)
  kinds[code] = kind
  return kind
}

function readKind(char: string, code: number): number {
  // guard card-numbers-of-any-script: a card number in other digits is seen
  if (digit.test(char)) return digitValues().get(code) ?? letter
  // Full-width, raised, circled ones.
  const plain = char.normalize('NFKC')
  if (plain.length === 1 && plain >= '0' && plain <= '9') return Number(plain)
  // guard card-numbers-with-what-nobody-sees: a card number with invisible characters in it is seen
  if (invisible.test(char)) return unseen
  if (blankOrDash.test(char)) return blankMark
  if (stops.test(char)) return stop
  return wordly.test(char) ? letter : anyMark
}

let values: Map<number, number> | undefined

/** Each script has its ten digits in a row, from zero on. Computed when a text first uses another script. */
function digitValues(): ReadonlyMap<number, number> {
  if (values) return values
  values = new Map()
  for (let code = 0x80; code < 0x20000; code++) {
    if (digit.test(String.fromCodePoint(code))) values.set(code, values.size % 10)
  }
  return values
}
