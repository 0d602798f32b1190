import type { ShopField, ShopPrice } from '../../channels/browser/shopping-words.ts'
import { refusalOf } from '../reading/page-says.ts'
import { answerTo } from './answered-fields.ts'
import { askedBy } from './ask-field.ts'
import { labelOf, type Unproven } from './prove-step.ts'
import { refused, type ShopTask } from './shop-task.ts'

/**
 * What becomes of a step that cannot be left: what it requires and the buyer lacks is asked, once for each field. `answered`: it is to be
 * read and filled again.
 */
export async function askOrRefuse(
  task: ShopTask,
  { page, why, lacking }: Unproven,
): Promise<'answered' | ShopPrice> {
  const host = new URL(page.url).hostname
  const asked = lacking.map((control) => askedBy(page, control))
  const secret = lacking[asked.indexOf('secret')]
  if (secret !== undefined)
    return refused(
      'merchant_unsupported',
      `${labelOf(secret)} at ${host} is required, and asks for what nobody is asked for.`,
    )
  const fields = oncePerName(asked)
  if (fields.length === 0 || asked.includes(null)) return refused('merchant_unsupported', why)
  const message = refusalOf(page)?.sentence ?? null
  // The cart refuses to ask again as well (`asked-once-by-a-cart`); here the page is there to say what it does not take.
  if (fields.some(({ name }) => answerTo(task.answers, host, name) !== null))
    return refused(
      'merchant_unsupported',
      `${why} It does not take what was answered.${message ? ` ${message}` : ''}`,
    )
  const question = { kind: 'needs_input', host, fields, message } as const
  if (task.ask === null) return { ...question, session: null }
  task.answers = await task.ask(question)
  task.tab.check()
  return 'answered'
}

function oncePerName(asked: readonly (ShopField | 'secret' | null)[]): ShopField[] {
  const fields = asked.filter((one) => one !== null && one !== 'secret')
  return fields.filter(({ name }, at) => fields.findIndex((one) => one.name === name) === at)
}
