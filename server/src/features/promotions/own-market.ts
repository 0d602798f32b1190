import type { CallContext } from '../../contract/context.ts'
import { Problem } from '../../contract/problem.ts'
import { idPattern } from '../../core/id.ts'

const marketId = new RegExp(idPattern('mkt'))

/** A market of the caller, or the 404 that names it. */
export async function checkOwnMarket(_ctx: CallContext, id: string): Promise<void> {
  if (!marketId.test(id)) throw new Problem('not_found', { param: 'market_id' })
}
