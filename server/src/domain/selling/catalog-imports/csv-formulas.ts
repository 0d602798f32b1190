/** The characters that make a cell a formula for spreadsheets, or end a cell, after any number of apostrophes. */
const formula = /^'*[=+\-@\t\r\n]/

/**
 * A cell that no spreadsheet computes: otherwise, a person who opens an export would run what somebody else wrote into a catalog. An
 * apostrophe before it makes it text. Cells that already begin that way get one more, so that `withoutGuard` restores every cell.
 */
export function guarded(cell: string): string {
  // guard no-formulas: an export runs nothing in a spreadsheet
  return formula.test(cell) ? `'${cell}` : cell
}

/** The cell as it was before `guarded`. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}
