import { withPart } from './generated-part.ts'
import { changedMark, git } from './history.ts'

/** One line of a table of runs in a document, as it stands there: a text for each column. */
export type DocumentedRun = Readonly<Record<string, string>>

/** A run of so many commits ago says little about what stands now. */
const commitsMax = 300
const part = 'runs'

/** Why a run of this commit shows nothing about this history; null: it does. */
export function whyRefused(commit: string): string | null {
  if (commit.endsWith(changedMark)) return `it is of ${commit}, which nobody can look at`
  if (git(['merge-base', '--is-ancestor', commit, 'HEAD']) === null)
    return `its commit ${commit} is not in this history`
  const age = Number(git(['rev-list', '--count', `${commit}..HEAD`]))
  return age > commitsMax ? `its commit ${commit} is ${age} commits old, more than ${commitsMax}` : null
}

/** The runs that a page shows. */
export function runsOf(text: string): DocumentedRun[] {
  const table = text.split(`<!-- ${part}: generated -->`)[1]?.split(`<!-- ${part}: end -->`)[0] ?? ''
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    )
  const [columns = [], , ...cells] = rows
  return cells.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ''])))
}

/** The page with these runs; what is between its markers goes, and the rest stays. */
export function withRuns(
  page: { path: string; text: string },
  columns: readonly string[],
  runs: readonly DocumentedRun[],
): string {
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  const lines = [
    row(columns),
    row(columns.map(() => '---')),
    ...runs.map((run) => row(columns.map((column) => run[column] ?? ''))),
  ]
  const table = runs.length === 0 ? 'No run is shown yet.' : lines.join('\n')
  return withPart(page.path, page.text, part, table)
}
