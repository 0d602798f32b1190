import { randomUUID } from 'node:crypto'
import { styleText } from 'node:util'
import { formatMoney } from '../core/money.ts'
import { visibleText } from '../core/visible-text.ts'

/** Where commands print. Colors only on a terminal; `--json` output is never colored. */
export function out(line: string): void {
  process.stdout.write(`${withoutCommands(line)}\n`)
}

/** A piece of a line, of which more comes. */
export function outPiece(text: string): void {
  process.stdout.write(withoutCommands(text))
}

/** What a terminal would obey, or show in another order, is escaped: the value stays the same. */
export function outJson(value: unknown): void {
  const text = JSON.stringify(value)
  process.stdout.write(
    `${text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      [...character].flatMap((one) => one.split('').map(escaped)).join(''),
    )}\n`,
  )
}

/** Progress and remarks: never mixed into output that a program reads. */
export function note(line: string): void {
  process.stderr.write(`${withoutCommands(line)}\n`)
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Text of a stranger as one line that a terminal shows and does not obey. */
export function plain(text: string): string {
  return visibleText(text.replace(/[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]+/gu, ' '))
}

/** Every text in a value, at any depth, as `plain` shows it. */
export function plainly<T>(value: T): T
export function plainly(value: unknown): unknown {
  if (typeof value === 'string') return plain(value)
  if (Array.isArray(value)) return value.map((one) => plainly(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [plain(name), plainly(one)]))
}

/** The same for text of several lines, in which our own styles stand. */
export function withoutCommands(text: string): string {
  const lines = text.split('\n').map(plain).join('\n')
  return lines.replace(marked, (_, style: string) => codes[style] ?? '')
}

/** An amount in minor units, as the interface has it, written for people. */
export function money(amountMinor: number, currency: string): string {
  return formatMoney(BigInt(amountMinor), currency)
}

const styles = ['bold', 'dim', 'green', 'red', 'yellow', 'cyan'] as const
type Style = (typeof styles)[number]

/** A style is put in last, where no text of a stranger can have put it: until then words stand for it that nobody can guess. */
const mark = randomUUID()
const marked = new RegExp(`${mark}:([a-z]+);`, 'g')
const codes: Readonly<Record<string, string>> = Object.fromEntries(
  styles.flatMap((style) => {
    const [begin = '', end = ''] = styleText(style, '|', { stream: process.stdout }).split('|')
    return [
      [style, begin],
      [`end${style}`, end],
    ]
  }),
)

export function styled(style: Style, text: string): string {
  return codes[style] === '' ? text : `${mark}:${style};${text}${mark}:end${style};`
}

/** Rows under headings, columns as wide as they need. */
export function table(headings: string[], given: string[][]): string[] {
  // A name with a line break in it would make a row of its own.
  const rows = given.map((row) => row.map(plain))
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => lengthOf(row[column] ?? ''))),
  )
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - lengthOf(cell))))
      .join('  ')
      .trimEnd()
  return [styled('dim', line(headings)), ...rows.map(line)]
}

function lengthOf(cell: string): number {
  return cell.replace(marked, '').length
}
