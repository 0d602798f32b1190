import { checkKills } from './chats/kills.ts'
import { checkReaders } from './chats/readers.ts'
import { checkGeneralization, checkRestraint, checkUnderstanding } from './chats/understanding.ts'
import type { SuiteRun } from './suite.ts'

const parts: Readonly<Record<string, (run: SuiteRun) => Promise<void>>> = {
  understanding: checkUnderstanding,
  generalization: checkGeneralization,
  restraint: checkRestraint,
  kills: checkKills,
  readers: checkReaders,
}

/** Chats, part by part: what is read in messages, and what holds when workers die and connections break. */
export async function runChats(run: SuiteRun): Promise<void> {
  const { only } = run
  if (only !== null && !Object.hasOwn(parts, only)) throw new Error(`there is no part ${only}`)
  for (const [name, check] of Object.entries(parts)) if (only === null || only === name) await check(run)
}
