import { rankActions } from '../reading/action-of.ts'
import { refusalOf, sentenceOf } from '../reading/page-says.ts'
import type { Action, PageSnapshot } from '../reading/page-snapshot.ts'
import { controlFor } from './card-fields.ts'
import { pressThrough } from './clear-way.ts'
import { newLines } from './new-lines.ts'
import type { ShopTask } from './shop-task.ts'
import { summaryOf } from './summary.ts'

/** Once: a code that the shop refuses costs nothing but the discount. */
export async function tryPromo(task: ShopTask, page: PageSnapshot): Promise<boolean> {
  const { promoCode } = task.request
  if (promoCode === null || task.promo !== null) return false
  const field = controlFor(page, 'promo_code')
  const [opener] = rankActions(page, 'have_code')
  if (field === null) return opener !== undefined && !task.hasOpenedPromo && openPromo(task, opener)
  const [apply] = rankActions(page, 'apply_code')
  if (apply === undefined) return false
  const before = summaryOf(task, page)
  await task.tab.type(field.ref, promoCode)
  task.promo = { isTaken: false, message: null }
  if (!(await pressThrough(task, apply.ref))) return true
  const after = await task.tab.read()
  const now = summaryOf(task, after)
  const isTaken =
    (now?.parts?.discount ?? 0n) > (before?.parts?.discount ?? 0n) ||
    (now !== null && before !== null && now.total < before.total)
  const message = isTaken
    ? sentenceOf(after, 'code_taken')
    : (refusalOf(after, ['code_refused'])?.sentence ?? newLines(page, after)[0] ?? null)
  task.promo = { isTaken, message }
  return true
}

function openPromo(task: ShopTask, opener: Action): Promise<boolean> {
  task.hasOpenedPromo = true
  return pressThrough(task, opener.ref)
}
