/** Set to `on` for the long run, which takes the whole of it. */
export const wholeSize = 'PROKURA_WHOLE_SIZE'

/**
 * How many random cases, or rows, a test takes: in the gate a tenth. Random cases have another seed in each run, so that ten gates try as
 * much as one long run; a plan that reads a whole table does so at a tenth of the rows as well.
 */
export function tenthInGate(whole: number): number {
  return process.env[wholeSize] === 'on' ? whole : whole / 10
}

/** Set by the gate for its tests. */
export const inGate = 'TESTS_IN_GATE'

/**
 * Rows of a table of cases that are alike: the gate takes a third of them, others each time. Where somebody runs the test itself, and in the
 * long run, all of them are taken.
 */
export function thirdInGate<Row>(rows: readonly Row[]): readonly Row[] {
  if (process.env[inGate] !== 'on') return rows
  const first = Date.now() % 3
  return rows.filter((_, index) => index % 3 === first % Math.min(3, rows.length))
}
