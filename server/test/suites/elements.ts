import { checkCanaries } from './elements/canaries.ts'
import { checkColdLoads } from './elements/cold-loads.ts'
import { checkEngines } from './elements/engines/check-engines.ts'
import { checkForged } from './elements/forged.ts'
import { checkLooks } from './elements/looks.ts'
import { writePictures } from './elements/pictures.ts'
import { checkSessions } from './elements/sessions.ts'
import type { SuiteRun } from './suite.ts'

const parts: Readonly<Record<string, (run: SuiteRun) => Promise<void>>> = {
  sessions: checkSessions,
  loads: checkColdLoads,
  looks: checkLooks,
  forged: checkForged,
  canaries: checkCanaries,
}
/** They run where somebody names them. */
const asked: typeof parts = { pictures: writePictures }

/** Components in pages of others, against whoever means harm and whatever goes wrong. */
export async function runElements(run: SuiteRun): Promise<void> {
  if (run.engines !== undefined) return checkEngines(run.engines, run.tally)
  for (const [name, check] of Object.entries(parts))
    if (run.only === null || run.only === name) await check(run)
  await asked[run.only ?? '']?.(run)
}
