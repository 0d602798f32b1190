/** Set to `on` for the long run, which takes the whole of it. */
export const wholeSize = 'PROKURA_WHOLE_SIZE'

/**
 * How many random cases, or rows, a test takes: in the gate a tenth. Random cases have another seed in each run, so that ten gates try as
 * much as one long run; a plan that reads a whole table does so at a tenth of the rows as well.
 */
export function tenthInGate(whole: number): number {
  return process.env[wholeSize] === 'on' ? whole : whole / 10
}
