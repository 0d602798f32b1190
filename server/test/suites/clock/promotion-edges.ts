import { readSellingTerms } from '../../../src/domain/selling/pricing/public.ts'
import { reservePromotionUses } from '../../../src/domain/selling/promotions/public.ts'
import { runAs } from '../../../src/platform/calls/run-as.ts'
import { bodyOf } from '../model/real.ts'
import { type Edge, hour, minute, type Stage } from './stage.ts'

export const promotionEdges: Readonly<Record<string, Edge>> = {
  async promotion(stage) {
    const at = (ms: number) => new Date(stage.start + ms).toISOString()
    const id = await publish(stage, { starts_at: at(hour), ends_at: at(2 * hour) })
    await stage.at(hour - 1)
    await stage.work()
    stage.same('before its beginning', await statesOf(stage, id), ['scheduled', 'scheduled'])
    stage.same('given before its beginning', await isGiven(stage, 'cart_a'), false)
    await stage.at(hour)
    stage.same('at its beginning, before any worker', await statesOf(stage, id), ['active', 'scheduled'])
    stage.same('given at its beginning', await isGiven(stage, 'cart_b'), true)
    await stage.work()
    stage.same('begun', await statesOf(stage, id), ['active', 'active'])
    await stage.at(2 * hour - 1)
    await stage.work()
    stage.same('a millisecond before its end', await isGiven(stage, 'cart_c'), true)
    await stage.at(2 * hour)
    stage.same('at its end, before any worker', await statesOf(stage, id), ['ended', 'active'])
    stage.same('given at its end', await isGiven(stage, 'cart_d'), false)
    await stage.work()
    stage.same('over', await statesOf(stage, id), ['ended', 'ended'])
    // Both moves at once, if there was no read in between.
    const late = await publish(stage, { starts_at: at(3 * hour), ends_at: at(4 * hour) })
    await stage.at(4 * hour)
    await stage.work()
    stage.same('begun and over', await statesOf(stage, late), ['ended', 'ended'])
    const events = await stage.lane.sql<{ type: string }>(
      'select type from events where aggregate_id = $1 order by sequence',
      [late],
    )
    stage.same('told', events.map(({ type }) => type).slice(2), ['promotion.started', 'promotion.ended'])
  },

  async 'promotion offer'(stage) {
    const id = await publish(stage, { caps: { total_uses: 1 } })
    stage.same('held', await isGiven(stage, 'cart_slow'), true)
    await stage.at(30 * minute - 1)
    await stage.work()
    stage.same('a millisecond before', await usesOf(stage, id), 1)
    stage.same('for nobody else', await isGiven(stage, 'cart_other'), false)
    await stage.at(30 * minute)
    await stage.work()
    stage.same('at its end', await usesOf(stage, id), 0)
    stage.same('for somebody else', await isGiven(stage, 'cart_other'), true)
  },
}

async function publish(stage: Stage, terms: object): Promise<string> {
  const arms = [{ kind: 'percent', value: 1000, ttl_minutes: 30 }]
  const made = bodyOf(
    await stage.send('/v1/promotions', { name: 'Timed', currency: 'EUR', arms, ...terms }),
    [201],
  )
  bodyOf(await stage.send(`/v1/promotions/${made.id}/publish`), [200])
  return String(made.id)
}

/** Its status as shown, and as stored. */
async function statesOf(stage: Stage, id: string): Promise<string[]> {
  const shown = bodyOf(await stage.read(`/v1/promotions/${id}`), [200])
  const [row] = await stage.lane.sql<{ status: string }>('select status from promotions where id = $1', [id])
  return [String(shown.status), row?.status ?? '']
}

async function usesOf(stage: Stage, id: string): Promise<number> {
  const [row] = await stage.lane.sql<{ uses: number }>(
    'select uses from promotion_counters where promotion_id = $1',
    [id],
  )
  return row?.uses ?? -1
}

/** Whether a cart at the stage's own shop is given a discount at this moment. */
async function isGiven(stage: Stage, cart: string): Promise<boolean> {
  const tenant = { accountId: stage.account.accountId, mode: 'test' } as const
  const cartId = `${cart}_${tenant.accountId}`
  return await runAs(
    stage.lane.app.parts,
    { tenant, actor: { type: 'system', id: 'suite' } },
    async (ctx) => {
      const { running } = await readSellingTerms(ctx.reads, tenant, null)
      const held = await reservePromotionUses(ctx, running, {
        merchant: tenant,
        id: `${cartId}:1`,
        cartId,
        cart: {
          lines: [{ itemId: 'cat_1', categories: [], unitAmount: 1000n, quantity: 1 }],
          subtotal: 1000n,
          fulfillment: 0n,
          currency: 'EUR',
          marketId: null,
        },
        buyer: {
          profile: stage.profileId,
          email: 'ada@example.com',
          isFirstPurchase: async () => true,
        },
      })
      return held.length > 0
    },
  )
}
