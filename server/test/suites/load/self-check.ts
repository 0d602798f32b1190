import type { SuiteRun } from '../suite.ts'
import { judgeRun } from './judge-run.ts'
import { settle } from './settle.ts'
import { startStage } from './stage.ts'
import { startLoad } from './start-load.ts'

const perSecond = 20
/** Six rounds of the twenty wishes. They have a place for every fault that is planted. */
const wishes = 120

/** The load and the judges of `kills`, `chaos` and `stops` where nothing fails, so that nothing but what is planted can be found. */
export async function checkLoadJudges({ seed, tally }: SuiteRun): Promise<void> {
  const stage = await startStage({ name: 'self-check', seed, perSecond, testClock: true, promotedUses: 6 })
  const load = startLoad(stage.order)
  try {
    await load.untilPaid()
    await load.until(wishes)
    await load.untilRecovered()
    await load.stop()
    await settle(stage, tally, 'test clock')
    await judgeRun(stage, tally)
  } finally {
    load.kill()
    await stage.stop()
  }
}
