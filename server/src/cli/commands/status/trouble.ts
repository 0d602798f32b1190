import { readTrouble, tellTrouble } from '../../operator/trouble.ts'
import { styled } from '../../terminal.ts'
import type { Section } from './section.ts'

/** What somebody has to look at: work that nobody serves, steps that fail for ever, calls without an answer. */
export const troubleSection: Section = async (pools) => {
  const trouble = await readTrouble(pools)
  return { json: trouble, lines: tellTrouble(trouble).map(({ line }) => styled('red', line)) }
}
