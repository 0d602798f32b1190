import { refusal, savedCard } from '../stand-in.ts'
import { never, type ShownState, type Stage } from './stage.ts'

const choice = { component: 'AddOrSelectPaymentMethod', purchaseIntentId: 'pi_1' }
const sessions = '/elements/v1/sessions'
const proofs = '/elements/v1/purchase_intent/payment_verifications'

/** Three cards, the first of which asks for this. */
async function mountWith(stage: Stage, asks: string, { brand = 'visa', shown = '.choice' } = {}) {
  const { cards, needs } = stage.standIn
  cards.push(
    savedCard('pm_first', { is_default: true, brand }),
    savedCard('pm_second', { brand: 'mastercard', last4: '4444' }),
    savedCard('pm_old', { brand: 'amex', last4: '0005', year: 2024 }),
  )
  needs.set('pm_first', asks).set('pm_second', 'none')
  await stage.mount(choice, shown)
}

async function pay(stage: Stage, shown: string): Promise<void> {
  await stage.inShop('void pay()')
  await stage.there(shown)
}

function choosing(name: string, show: ShownState['show']): ShownState {
  return { name: `choosing: ${name}`, where: 'frame', show }
}

/** What is asked of the first card, and with what error. */
function asking(name: string, asks: string, typed: string | null = null, brand = 'visa'): ShownState {
  return choosing(name, async (stage) => {
    await mountWith(stage, asks, { brand })
    await stage.there('.asked')
    if (typed === null) return
    if (typed !== '') await stage.type('#proof', typed)
    await pay(stage, '.error')
  })
}

const blocked = 'window.open = () => null'

export const choosingStates: readonly ShownState[] = [
  asking('code of the bank', 'otp'),
  asking('code of the bank is missing', 'otp', ''),
  asking('code of the bank is wrong', 'otp', '000000'),
  asking('security code', 'cvc'),
  asking('security code on the front', 'cvc', null, 'amex'),
  asking('security code is missing', 'cvc', ''),
  asking('security code is wrong', 'cvc', '1'),
  choosing('security code refused', async (stage) => {
    stage.standIn.answers.set('/cvcs', () => refusal(422, 'card_refused', { param: 'cvc' }))
    await mountWith(stage, 'cvc')
    await stage.type('#proof', '111')
    await pay(stage, '.error')
  }),
  asking('passkey is next', 'passkey'),
  asking('the bank is next', 'popup'),
  choosing('the card is asked about', async (stage) => {
    await mountWith(stage, 'cvc')
    stage.standIn.answers.set(proofs, never)
    await stage.press('input[value=pm_second]')
    await stage.there('.asked [role=status]')
  }),
  choosing('another card', async (stage) => {
    await mountWith(stage, 'cvc')
    await stage.press('input[value=another]')
    await stage.there('#card-number')
  }),
  choosing('no card is saved', (stage) => stage.mount(choice, '#card-number')),
  choosing('for a profile', async (stage) => {
    stage.standIn.cards.push(savedCard('pm_1'))
    await stage.mount({ component: choice.component }, '.choice')
  }),
  choosing('window is blocked', async (stage) => {
    await mountWith(stage, 'passkey')
    await stage.inShop(blocked)
    await pay(stage, 'a.button')
  }),
  choosing('window of the bank is open', async (stage) => {
    await mountWith(stage, 'popup')
    await stage.inShop(blocked)
    await pay(stage, 'a.button')
    await stage.inShop(`fetch('${stage.standIn.elements}/elements/v1/ceremonies/open', {
      method: 'POST', mode: 'no-cors', body: '{"window":"pver_1"}' })`)
    await stage.until(`document.querySelectorAll('.quiet').length === 2`)
  }),
  choosing('window is late', async (stage) => {
    await mountWith(stage, 'popup')
    await stage.inShop('window.open = () => window')
    await stage.inShop('void pay()')
    await stage.until(`document.querySelector('.waiting') && document.querySelector('a.button')`)
  }),
  choosing('not proven', async (stage) => {
    stage.standIn.answers.set(proofs, () => refusal(409, 'verification_failed'))
    await mountWith(stage, 'otp', { shown: '.notice' })
  }),
  choosing('the purchase is over', async (stage) => {
    stage.standIn.answers.set(proofs, () => refusal(409, 'not_approvable'))
    await mountWith(stage, 'otp', { shown: '.notice' })
  }),
  choosing('offline', async (stage) => {
    stage.standIn.answers.set('/elements/v1/purchase_intent', () => null)
    await mountWith(stage, 'otp', { shown: '.notice' })
  }),
  choosing('over', async (stage) => {
    stage.standIn.answers.set(sessions, () => refusal(410, 'session_expired'))
    await stage.mount(choice, '.ending')
  }),
  choosing('not applicable', async (stage) => {
    stage.standIn.answers.set(sessions, () => refusal(409, 'component_not_applicable'))
    await stage.mount(choice, '.notice')
  }),
  choosing('chosen', async (stage) => {
    await mountWith(stage, 'none')
    await pay(stage, '.mark')
  }),
]
