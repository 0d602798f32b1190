import { randomInt } from 'node:crypto'

/** The first digits of the cards of each issuer of the sandbox, by which shops know where a card is charged. No network uses them for people. */
export const cardRanges = { processor: '400005', stripe: '400000999', link: '400000998' } as const

/** Sixteen digits of a range, with the check digit that forms look at. */
export function newNumber(range: string, isTaken: (number: string) => boolean): string {
  for (;;) {
    const free = 15 - range.length
    const body = range + String(randomInt(0, 10 ** free)).padStart(free, '0')
    const number = body + checkDigit(body)
    if (!isTaken(number)) return number
  }
}

/** Of Luhn. */
function checkDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return String((10 - (sum % 10)) % 10)
}

/** `7/29`, `07 / 29` and `07/2029`, as people and forms write it. */
export function isExpiry(
  text: string,
  { exp_month, exp_year }: { exp_month: number; exp_year: number },
): boolean {
  const [, month, year = ''] = /^\s*(\d{1,2})\s*[/-]?\s*(\d{2}|\d{4})\s*$/.exec(text) ?? []
  return Number(month) === exp_month && Number(year) % 100 === exp_year % 100
}
