import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openChromium, until } from '../../elements/open-chromium.ts'
import { startStandIn } from '../../elements/stand-in.ts'
import { shownStates } from '../../elements/states/every-state.ts'
import { openStage, type Stage } from '../../elements/states/stage.ts'
import { hasChromium } from '../../harness/browser.ts'
import type { SuiteRun } from '../suite.ts'
import { smallPng } from './small-png.ts'

const folder = join(import.meta.dirname, '../../../../.tmp/pictures')
const phone = { width: 390, height: 844 }

/** The pictures of the guide, by the state that each shows. */
const pictures: Readonly<Record<string, string>> = {
  'card-form': 'adding: the form',
  'card-wrong': 'adding: wrong entries',
  'add-payment-method': 'adding: filled in',
  'standing-budget': 'adding: a budget is asked for',
  'card-added': 'adding: added for agents',
  'approval-asked': 'approving: who asks',
  'approval-page': 'approving: security code',
  'approval-approved': 'approving: was approved, with the way back',
  'approval-declined': 'approving: was declined, with the way back',
  'choose-card': 'choosing: security code',
  'bank-code': 'choosing: code of the bank',
  'window-blocked': 'choosing: window is blocked',
  'confirm-window': 'in the window: pay with a passkey',
  'bank-window': 'in the window: the bank asks about a payment',
  'no-passkeys': 'in the window: no passkeys here',
  'sign-in': 'signing in: the form',
  'sign-in-refused': 'signing in: refused',
  'sign-in-accepted': 'signing in: accepted',
}

/** Writes the pictures of `docs/pictures`, as a phone shows them, for who looks at them and copies them there. */
export async function writePictures({ tally }: SuiteRun): Promise<void> {
  if (!hasChromium) return tally.skip('there is no Chromium for this platform')
  mkdirSync(folder, { recursive: true })
  const [chromium, standIn] = await Promise.all([openChromium(), startStandIn()])
  let bytes = 0
  try {
    for (const [name, shown] of Object.entries(pictures)) {
      const state = shownStates.find((each) => each.name === shown)
      if (state === undefined) throw new Error(`there is no state ${shown}`)
      const stage = openStage(chromium.browser, standIn)
      await state.show(stage)
      const png = smallPng(await take(stage))
      writeFileSync(join(folder, `${name}.png`), png)
      bytes += png.length
      await stage.close()
      tally.pass()
    }
  } finally {
    await chromium.close()
    await standIn.stop()
  }
  tally.figure('bytes', bytes)
}

async function take(stage: Stage): Promise<Buffer> {
  const page = stage.page()
  await page.setViewport(phone)
  if (stage.inside() !== page.mainFrame()) {
    await stage.inShop(asAShop)
    await until(
      stage.inside(),
      `Math.abs(innerHeight - document.getElementById('root').getBoundingClientRect().height) <= 1`,
    )
  }
  // Nothing has the focus by chance.
  await stage.inside().evaluate('scrollTo(0, 0)')
  const height = Number(await page.evaluate('Math.ceil(document.body.getBoundingClientRect().bottom) + 16'))
  return Buffer.from(await page.screenshot({ clip: { x: 0, y: 0, width: phone.width, height } }))
}

/** A page of an integrator, as far as a picture needs one. */
const asAShop = `(() => {
  for (const id of ['before', 'after']) document.getElementById(id).hidden = true
  const title = document.querySelector('h1')
  title.textContent = 'Your order'
  const [look, button] = [document.body.style, document.getElementById('pay')]
  Object.assign(look, { font: '16px system-ui, sans-serif', color: '#1b1f2a' })
  Object.assign(title.style, { font: '600 20px system-ui, sans-serif', margin: '0 4px 12px' })
  button.hidden = !document.querySelector('iframe').title.includes('Payment')
  Object.assign(button.style, { font: '600 16px system-ui, sans-serif', margin: '12px 4px 0', width: 'calc(100% - 8px)',
    minHeight: '44px', border: '0', borderRadius: '8px', background: '#1b1f2a', color: '#fff' })
})()`
