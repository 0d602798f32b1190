import { brandOf } from './brands.ts'
import { caretAfter, digitsIn, type Edit, type Edited } from './digits.ts'

const digitsMax = 19
const unknown = { groups: [4, 4, 4, 4, 3], lengths: [13, 14, 15, 16, 17, 18, 19] }

/** The number as it is printed on a card. */
export function groupedNumber(digits: string): string {
  const { groups } = brandOf(digits) ?? unknown
  const ends = groups.map((_, place) => groups.slice(0, place + 1).reduce((sum, length) => sum + length, 0))
  return ends
    .map((end, place) => digits.slice(ends[place - 1] ?? 0, end))
    .filter((part) => part !== '')
    .join(' ')
}

/** What stands in the field after an edit, with the caret by the digit where it was. */
export function editNumber({ text, caret, before, isDeletion }: Edit): Edited {
  let digits = digitsIn(text)
  let ahead = digitsIn(text.slice(0, caret)).length
  // Only a space was deleted: it would come back, so the digit before it goes.
  if (isDeletion && ahead > 0 && digits === digitsIn(before)) {
    digits = digits.slice(0, ahead - 1) + digits.slice(ahead)
    ahead -= 1
  }
  digits = digits.slice(0, longest(digits))
  const grouped = groupedNumber(digits)
  return { text: grouped, caret: caretAfter(grouped, ahead, !isDeletion) }
}

export function isNumberWhole(digits: string): boolean {
  return (brandOf(digits) ?? unknown).lengths.includes(digits.length) && passesLuhn(digits)
}

function longest(digits: string): number {
  return Math.max(...(brandOf(digits) ?? unknown).lengths, 0) || digitsMax
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
