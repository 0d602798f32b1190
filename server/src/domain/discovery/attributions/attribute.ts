import type { CallContext } from '../../../contract/context.ts'
import { newAttribution, writeAttribution } from './attribution-id.ts'
import { insertAttribution } from './attributions.sql.ts'
import { variantKey } from './variant-key.ts'

/** A product that is shown, and the account of its merchant. `variantIds`: of one that is not published here, whose variants nobody else keeps. */
type Shown = {
  readonly itemId: string
  readonly merchantId: string
  readonly variantIds: readonly string[]
}

/** Keeps what an answer shows, and returns the id by which a sale or an impression is counted for it. */
export async function attribute(ctx: CallContext, shown: readonly Shown[]): Promise<string> {
  const { mode } = ctx.tenant
  const attribution = newAttribution(mode, ctx.now, ctx.random)
  await ctx.commitNow(
    insertAttribution({
      mode,
      id: attribution.id,
      item_ids: shown.map(({ itemId }) => itemId),
      merchant_ids: shown.map(({ merchantId }) => merchantId),
      variant_keys: shown.flatMap(({ itemId, variantIds }) => variantIds.map((id) => variantKey(itemId, id))),
      now: ctx.now,
    }),
  )
  return writeAttribution(attribution, ctx.sealer)
}
