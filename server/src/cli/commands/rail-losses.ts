import { formatMoney } from '../../core/money.ts'
import { selectCardLosses } from '../../domain/buying/execution/funding/losses.sql.ts'
import { readDatabase } from '../operator/read-database.ts'
import { roleConfig } from '../role-config.ts'
import { out, outJson, table } from '../terminal.ts'

const lossesMax = 200

/** What shops have of issued cards and no buyer has paid. */
export async function listLosses(options: { state?: string; json?: boolean }): Promise<void> {
  const rows = await readDatabase(roleConfig(options.state), ({ pools }) =>
    pools.read(selectCardLosses({ mode: 'live', limit: lossesMax })),
  )
  const losses = rows.map(({ account_id, intent_id, cart_id, attempt, currency, taken, paid, at }) => ({
    ...{ purchase_intent_id: intent_id, cart_id, attempt, account_id, currency_code: currency },
    ...{ taken_amount: Number(taken), paid_amount: Number(paid), lost_amount: Number(taken - paid) },
    at: at.toISOString(),
  }))
  if (options.json) return outJson({ object: 'list', data: losses })
  if (rows.length === 0) return out('No shop has anything of an issued card that its buyer has not paid.')
  const cells = rows.map((one) => [
    one.at.toISOString().slice(0, 10),
    one.intent_id,
    one.cart_id,
    formatMoney(one.taken, one.currency),
    formatMoney(one.paid, one.currency),
    formatMoney(one.taken - one.paid, one.currency),
  ])
  for (const line of table(['DAY', 'PURCHASE', 'CART', 'SHOP HAS', 'BUYER PAID', 'LOST'], cells)) out(line)
}
