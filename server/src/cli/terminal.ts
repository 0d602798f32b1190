import { styleText } from 'node:util'
import { formatMoney } from '../core/money.ts'

/** Where commands print. Colors only on a terminal; `--json` output is never colored. */
export function out(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function outJson(value: unknown): void {
  out(JSON.stringify(value))
}

/** Progress and remarks: never mixed into output that a program reads. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** An amount in minor units, as the interface has it, written for people. */
export function money(amountMinor: number, currency: string): string {
  return formatMoney(BigInt(amountMinor), currency)
}

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan'

export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

/** Rows under headings, columns as wide as they need. */
export function table(headings: string[], rows: string[][]): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [styled('dim', line(headings)), ...rows.map(line)]
}
