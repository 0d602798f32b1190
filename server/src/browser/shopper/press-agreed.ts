import type { Offer, ShopPlaced, ShopPlaceRefusalCode } from '../../channels/browser/shopping-words.ts'
import type { Action, PageSnapshot } from '../reading/page-snapshot.ts'
import { judgePage } from './final-reading.ts'
import { agreeableOf, pressIfAgreed } from './page-script.ts'
import { type ShopTask, shows } from './shop-task.ts'

/** How often a page is read again that changed between the reading and the click. */
const readingsMax = 12

type Asked = {
  readonly offer: Offer
  readonly isElsewhere: boolean
  readonly choose: (page: PageSnapshot) => Action | undefined
  /** Where the card was typed: another page than this has been submitted by itself. */
  readonly before?: string
}

type Pressed =
  | { readonly kind: 'pressed' }
  | { readonly kind: 'left' }
  | Extract<ShopPlaced, { kind: 'refused' }>

/** Presses a button while the page says what was agreed to. The reading and the click are one step in the page. */
export async function pressWhenAgreed(
  task: ShopTask,
  { offer, isElsewhere, choose, before }: Asked,
): Promise<Pressed> {
  const { tab } = task
  const refusal = (code: ShopPlaceRefusalCode, message: string | null = null) =>
    ({ kind: 'refused', code, message, isTyped: true }) as const
  for (let count = 0; count < readingsMax; count++) {
    tab.check()
    if (before !== undefined && tab.page.url() !== before) return { kind: 'left' }
    const { page, agreement } = await tab.guarded(agreeableOf(tab.page.mainFrame()))
    const verdict = judgePage(task, page, { offer, isElsewhere })
    if (verdict.kind === 'unread')
      return before === undefined ? refusal('merchant_changed', 'The page shows no total.') : { kind: 'left' }
    // Also the goods: an order of other goods is another one than was agreed to.
    if (verdict.kind === 'differs')
      return refusal(verdict.why === 'payment' ? 'merchant_unsupported' : 'price_changed', verdict.says)
    const button = choose(page)
    if (button === undefined)
      return before === undefined ? refusal('merchant_changed', 'The button is gone.') : { kind: 'left' }
    if (before !== undefined && count === 0) await shows(task, 'review', verdict.totalText)
    const pressed = await tab.guarded(pressIfAgreed(tab.page.mainFrame(), button.ref, agreement))
    if (pressed === 'pressed') return { kind: 'pressed' }
    await tab.settled()
  }
  return refusal('merchant_unsupported', 'The page never came to rest.')
}
