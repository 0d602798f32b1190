import type { ShopPrice } from '../../channels/browser/shopping-words.ts'
import { cleanText } from '../reading/json-ld.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { answerTo } from './answered-fields.ts'
import { askOrRefuse } from './ask-buyer.ts'
import { askedBy } from './ask-field.ts'
import { saidIn } from './fill-fields.ts'
import { nameLacking } from './page-help.ts'
import { isOfCard, labelOf } from './prove-step.ts'
import type { ShopTask } from './shop-task.ts'
import { fieldsNamed } from './why-stuck.ts'

/**
 * What nothing marks as required, and the shop insists on once a step was sent without it, is asked as well. False: it names no field that
 * stands open.
 */
export async function askWhatIsTold(
  task: ShopTask,
  page: PageSnapshot,
  answers: readonly string[],
): Promise<boolean | ShopPrice> {
  const standing = await task.tab.standing()
  const lacking = fieldsNamed(page, answers).filter(
    (control) => saidIn(control, standing) === '' && !isOfCard(page, control),
  )
  const [first] = lacking
  if (first === undefined) return false
  const host = new URL(page.url).hostname
  const names = lacking.flatMap((control) => nameOf(page, control))
  const isNew = names.some((name) => !task.insisted.has(name))
  for (const name of names) task.insisted.add(name)
  // What was answered before the way was gone anew is typed now.
  if (isNew && names.every((name) => answerTo(task.answers, host, name) !== null)) return true
  const why = `${labelOf(first)} at ${host}: ${cleanText(answers[0] ?? '', 80) ?? 'is required.'}`
  if (await nameLacking(task, { page, why, lacking })) return true
  const asked = await askOrRefuse(task, { page, why, lacking })
  return asked === 'answered' ? true : asked
}

function nameOf(page: PageSnapshot, control: Control): string[] {
  const asked = askedBy(page, control)
  return asked === null || asked === 'secret' ? [] : [asked.name]
}
