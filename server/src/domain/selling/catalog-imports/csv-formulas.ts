/** What spreadsheets take for a formula, or for the end of a cell, and any number of apostrophes before it. */
const formula = /^'*[=+\-@\t\r\n]/

/**
 * A cell that no spreadsheet computes: who opens an export would otherwise run what somebody else wrote into a catalog. An apostrophe
 * before it makes it text. Cells that begin that way already get one more, so that `withoutGuard` gives back every cell as it was.
 */
export function guarded(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell
}

/** The cell as it was before `guarded`. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}
