import { stripVTControlCharacters } from 'node:util'

/** How a line begins that says what failed: of a suite, of vitest, and of what runs beneath them. */
const says = /^\s*(FAILED|FAIL\b|×|✗|\S*Error:|error\b|stopped\b)/
const linesMax = 40
const lineMax = 300

/**
 * The lines of a failed step that say what failed, for the end of the report: whoever reads only the end of a long log still learns it.
 * A step that says it in no such line is quoted with its last lines.
 */
export function failureLines(output: string): string[] {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trimEnd().slice(0, lineMax))
    .filter((line) => line !== '')
  const telling = [...new Set(lines.filter((line) => says.test(line)))]
  const chosen = telling.length > 0 ? telling : lines.slice(-10)
  const rest = chosen.length - linesMax
  return rest > 0 ? [...chosen.slice(0, linesMax), `… and ${rest} more lines`] : chosen
}
