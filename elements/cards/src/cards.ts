import type { CardPageBegin, FromCardPage } from '../../messages/src/card-page-messages.ts'
import { openFrameLine } from './frame-line.ts'
import { loadStripeJs, type StripeJs } from './stripe-js.ts'
import { watchHeight } from './watch-height.ts'

/** What the server writes into the document: the origin of our frames, and the script of the processor. */
const { pages, script } = JSON.parse(document.getElementById('facts')?.textContent ?? '{}')
const root = document.getElementById('root') ?? document.body

let confirm: () => Promise<FromCardPage> = async () => ({ kind: 'failed' })
let tell: (message: FromCardPage) => void = () => undefined

async function start(): Promise<void> {
  const line = await openFrameLine(pages, () => void confirm().then(tell))
  tell = line.send
  watchHeight(root, (height) => tell({ kind: 'height', height }))
  try {
    confirm = show(await loadStripeJs(script, line.begin.publishableKey), line.begin)
  } catch {
    tell({ kind: 'failed' })
  }
}

/** Shows the processor's fields; returns what takes what was entered there. */
function show(stripe: StripeJs, { clientSecret, locale, look }: CardPageBegin): () => Promise<FromCardPage> {
  const appearance = { theme: look.isDark ? 'night' : 'stripe', variables: look.variables } as const
  const elements = stripe.elements({ clientSecret, locale, appearance })
  const element = elements.create('payment', {
    // Our own terms stand around it, and wallets pay with other cards than the one that is kept.
    terms: { card: 'never' },
    wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
  })
  element.on('ready', () => tell({ kind: 'ready' }))
  element.on('loaderror', () => tell({ kind: 'failed' }))
  element.on('change', ({ complete }) => tell({ kind: 'change', complete }))
  element.mount(root)
  return async () => {
    const checked = await elements.submit()
    if (checked.error) return { kind: 'incomplete' }
    const confirmParams = { return_url: location.href }
    const { error, setupIntent } = await stripe.confirmSetup({
      elements,
      confirmParams,
      redirect: 'if_required',
    })
    const { status } = setupIntent ?? error?.setup_intent ?? {}
    if (status === 'succeeded') return { kind: 'entered' }
    // It was not confirmed, and the processor gives no reason where the person has turned back.
    if (error === undefined) return { kind: 'incomplete' }
    return error.message ? { kind: 'refused', message: error.message } : { kind: 'failed' }
  }
}

void start()
