import { type Invariant, runInvariants } from '../../src/platform/audit/invariants.ts'
import type { TestApp } from './app.ts'

/** The violations of these invariants in the database of a test. */
export async function brokenInvariants(
  { parts }: Pick<TestApp, 'parts'>,
  list: readonly Invariant[],
): Promise<string[]> {
  const { invariants } = await runInvariants(parts, list)
  return invariants.flatMap(({ id, violations }) => violations.map((violation) => `${id} ${violation}`))
}
