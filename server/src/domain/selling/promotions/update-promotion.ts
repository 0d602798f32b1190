import { isDeepStrictEqual } from 'node:util'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { Promotion, PromotionParams, type PromotionRow } from './promotion.ts'
import { notPublishable } from './publish-promotion.ts'
import { gapsOf } from './publishable.ts'
import { checkNamed, PromotionUpdate, termsAfter } from './terms.ts'
import { changePromotion, lockPromotionNow } from './write-promotion.ts'

/** The fields that may still change once people have seen an offer: none that would make the offer untrue. */
const editable = {
  draft: null,
  scheduled: null,
  active: ['name', 'ends_at', 'caps', 'metadata'],
  paused: ['name', 'ends_at', 'caps', 'metadata'],
  ended: ['name', 'metadata'],
  archived: [],
} as const satisfies Record<PromotionRow['status'], readonly (keyof PromotionUpdate)[] | null>

export const updatePromotion = defineOperation({
  id: 'v1_update_promotion',
  method: 'POST',
  path: '/v1/promotions/{promotion_id}',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Promotions',
  summary: 'Update a promotion',
  description:
    'Fields you leave out stay as they are, and so do members of `caps` and `targets`; `arms` and `metadata` are replaced ' +
    'as a whole. Before it starts, everything can change; after that only `name`, `ends_at`, `caps` and `metadata`; after ' +
    'its end only `name` and `metadata`; what is written back as it is changes nothing. If you set a cap below what is used already, the promotion is offered to nobody ' +
    'else, but it does not end.',
  params: Closed(PromotionParams),
  body: PromotionUpdate,
  examples: { cap: { summary: 'Allow it to be used more often', body: { caps: { total_uses: 1000 } } } },
  responses: { 200: Promotion },
  problems: ['not_found', 'market_archived', 'promotion_not_editable', 'promotion_not_publishable'],
  async handle(ctx, { path, body }) {
    await checkNamed(ctx, body)
    const row = await lockPromotionNow(ctx, path.promotion_id)
    const allowed: readonly string[] | null = editable[row.status]
    const changes = termsAfter(row, body)
    const refused = changedBy(body, { row, changes }).find((field) => allowed?.includes(field) === false)
    if (refused !== undefined || row.status === 'archived') {
      const message = `The promotion is ${row.status}: ${allowed?.length ? `only ${allowed.join(', ')} can change` : 'nothing can change'}.`
      throw new Problem('promotion_not_editable', { message, ...(refused ? { param: refused } : {}) })
    }
    const isOffered = row.status === 'scheduled' || row.status === 'active' || row.status === 'paused'
    const gaps = isOffered ? gapsOf({ ...row, ...changes }, ctx.now) : []
    if (gaps.length > 0) throw notPublishable(gaps)
    const changed = row.status === 'scheduled' ? withBeginning(changes, row) : changes
    return reply(200, changePromotion(ctx, row, changed, 'promotion.updated').promotion)
  },
})

/** The fields that would really change: values that were read can be written back. */
function changedBy(
  body: PromotionUpdate,
  { row, changes }: { row: PromotionRow; changes: Partial<PromotionRow> },
): string[] {
  return Object.keys(body).filter((field) => {
    const column = field === 'identity' ? 'identity_rule' : field
    return !isDeepStrictEqual(Reflect.get(changes, column), Reflect.get(row, column))
  })
}

/** A scheduled promotion has a beginning; without one it begins when it is published, which is now. */
function withBeginning(changes: Partial<PromotionRow>, row: PromotionRow): Partial<PromotionRow> {
  return changes.starts_at === null ? { ...changes, starts_at: row.published_at } : changes
}
