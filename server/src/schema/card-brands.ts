/** A range of the first six digits, and the lengths of its numbers. */
type Issued = { brand: string; from: number; to: number; lengths: readonly number[] }

const from16 = [16, 17, 18, 19]

const issued: readonly Issued[] = [
  { brand: 'visa', from: 400000, to: 499999, lengths: [13, 16, 19] },
  { brand: 'mastercard', from: 510000, to: 559999, lengths: [16] },
  { brand: 'mastercard', from: 222100, to: 272099, lengths: [16] },
  { brand: 'amex', from: 340000, to: 349999, lengths: [15] },
  { brand: 'amex', from: 370000, to: 379999, lengths: [15] },
  { brand: 'discover', from: 601100, to: 601199, lengths: from16 },
  { brand: 'discover', from: 644000, to: 659999, lengths: from16 },
  { brand: 'diners', from: 300000, to: 305999, lengths: [14, 15, ...from16] },
  { brand: 'diners', from: 309000, to: 309999, lengths: [14, 15, ...from16] },
  { brand: 'diners', from: 360000, to: 369999, lengths: [14, 15, ...from16] },
  { brand: 'diners', from: 380000, to: 399999, lengths: [14, 15, ...from16] },
  { brand: 'jcb', from: 352800, to: 358999, lengths: from16 },
  { brand: 'unionpay', from: 620000, to: 629999, lengths: from16 },
  { brand: 'unionpay', from: 810000, to: 819999, lengths: from16 },
  { brand: 'mir', from: 220000, to: 220499, lengths: from16 },
  { brand: 'elo', from: 636297, to: 636297, lengths: [16] },
  { brand: 'elo', from: 636368, to: 636368, lengths: [16] },
  // Elo's other numbers begin like Maestro's.
  { brand: 'maestro', from: 500000, to: 509999, lengths: from16 },
  { brand: 'maestro', from: 560000, to: 589999, lengths: from16 },
  { brand: 'maestro', from: 630400, to: 630499, lengths: from16 },
  { brand: 'maestro', from: 639000, to: 639099, lengths: from16 },
  { brand: 'maestro', from: 670000, to: 679999, lengths: from16 },
]

/** The shortest numbers are Maestro's, and too many other numbers are as short: they count only with a word beside them. */
const shortMaestro = { min: 12, max: 15 } as const

/** For each beginning of two digits the ranges with that beginning, because every possible number is looked up. */
const byTwo: readonly (readonly Issued[])[] = Array.from({ length: 100 }, (_, two) =>
  issued.filter(({ from, to }) => Math.floor(from / 10_000) <= two && two <= Math.floor(to / 10_000)),
)

/** Whether a brand issues numbers like this one. `short`: only Maestro does. */
export function issuedAs(firstSix: number, length: number): 'usual' | 'short' | null {
  let found: 'short' | null = null
  for (const one of byTwo[Math.floor(firstSix / 10_000)] ?? []) {
    if (firstSix < one.from || firstSix > one.to) continue
    if (one.lengths.includes(length)) return 'usual'
    if (one.brand === 'maestro' && length >= shortMaestro.min && length <= shortMaestro.max) found = 'short'
  }
  return found
}

/** The brand that issues numbers like this one; null: none does. Maestro's short numbers are no proof, and count as none. */
export function brandOf(digits: string): string | null {
  const firstSix = Number(digits.slice(0, 6))
  const found = issued.find(
    ({ from, to, lengths }) => firstSix >= from && firstSix <= to && lengths.includes(digits.length),
  )
  return found?.brand ?? null
}

/** A barcode of 13 digits has a check digit of its own. */
export function isBarcode(digits: string): boolean {
  if (digits.length !== 13) return false
  let sum = 0
  for (let at = 0; at < 13; at++) sum += (digits.charCodeAt(at) - 0x30) * (at % 2 === 0 ? 1 : 3)
  return sum % 10 === 0
}
