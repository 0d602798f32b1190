import { addedCard, refusal } from '../stand-in.ts'
import { never, type ShownState, type Stage } from './stage.ts'

const payments = '/elements/v1/payment_methods'
const sessions = '/elements/v1/sessions'
const budgets = `${payments}/pm_1/standing_budgets`
const budget = { amount: 5000, currency: 'EUR', interval: 'month', expires_at: '2031-03-01T00:00:00Z' }
const asked = { clientSecret: 'pr_cs_test_1', budget }

/** The form, with a number that test mode knows typed. */
async function submit(stage: Stage, shown: string): Promise<void> {
  await stage.press('.test-card')
  await stage.press('form > .button')
  await stage.there(shown)
}

async function mountAndSubmit(stage: Stage, shown: string, options: object = {}): Promise<void> {
  await stage.mount(options)
  await submit(stage, shown)
}

const waiting = (method: string) => addedCard({ next_action: { type: 'verify_payment_method', method } })

/** What is refused, and where that is shown. */
function refusing(name: string, answer: ReturnType<typeof refusal> | null, shown: string): ShownState {
  return adding(name, async (stage) => {
    stage.standIn.answers.set('/cards', () => answer)
    await mountAndSubmit(stage, shown)
  })
}

function enrolling(name: string, method: string, show: (stage: Stage) => Promise<void>): ShownState {
  return adding(name, async (stage) => {
    const { answers, needs } = stage.standIn
    answers.set(payments, () => ({ status: 201, body: waiting(method) }))
    if (method !== 'otp') needs.set('pm_1', method)
    await mountAndSubmit(stage, '#proof-title')
    await show(stage)
  })
}

function adding(name: string, show: ShownState['show']): ShownState {
  return { name: `adding: ${name}`, where: 'frame', show }
}

/** A window of the product says what a person did: here the test does. */
const inWindow = (path: 'open' | 'finish') => (stage: Stage) =>
  stage.inShop(`fetch('${stage.standIn.elements}/elements/v1/ceremonies/${path}', {
    method: 'POST', mode: 'no-cors', body: JSON.stringify({ window: 'pver_1', is_confirmed: false }) })`)

export const addingStates: readonly ShownState[] = [
  adding('loading', async (stage) => {
    stage.standIn.answers.set(sessions, never)
    await stage.mount({}, '.bone')
  }),
  adding('the form', (stage) => stage.mount()),
  adding('the form in live mode', async (stage) => {
    stage.standIn.facts.mode = 'live'
    await stage.mount()
  }),
  adding('filled in', async (stage) => {
    await stage.mount()
    await stage.press('.test-card')
    await stage.type('#card-name', 'Ada Lovelace')
    await stage.press('#consent')
    await stage.until(`document.querySelector('#card-number').value.length > 18`)
  }),
  adding('nothing filled in', async (stage) => {
    await stage.mount()
    await stage.press('form > .button')
    await stage.there('.error')
  }),
  adding('wrong entries', async (stage) => {
    await stage.mount()
    for (const [id, text] of Object.entries({
      number: '4242',
      expiry: '0120',
      code: '1',
      name: '4242424242424242',
    }))
      await stage.type(`#card-${id}`, text)
    await stage.press('form > .button')
    await stage.until(`document.querySelectorAll('.error').length === 4`)
  }),
  adding('a card that agents cannot pay with', async (stage) => {
    await stage.mount()
    await stage.type('#card-number', '378282246310005')
    await stage.there('p.consent')
  }),
  refusing('offline', null, '.notice'),
  refusing('number refused', refusal(422, 'card_refused', { param: 'number' }), '#card-number-error'),
  refusing('expiry refused', refusal(422, 'card_refused', { param: 'exp_year' }), '#card-expiry-error'),
  refusing('code refused', refusal(422, 'card_refused', { param: 'cvc' }), '#card-code-error'),
  refusing('name refused', refusal(422, 'card_refused', { param: 'cardholder_name' }), '#card-name-error'),
  refusing('card refused', refusal(422, 'card_refused'), '.notice'),
  refusing(
    'too many cards',
    { ...refusal(429, 'rate_limited'), headers: { 'retry-after': '240' } },
    '.notice',
  ),
  refusing('unavailable', refusal(503, 'unavailable'), '.notice'),
  refusing('not possible', refusal(409, 'object_limit_reached'), '.notice'),
  adding('submitting', async (stage) => {
    stage.standIn.answers.set('/cards', never)
    await mountAndSubmit(stage, '.spinner')
  }),
  adding('a budget is asked for', async (stage) => {
    await stage.mount(asked)
    await stage.press('#consent')
    await stage.press('#budget')
    await stage.until(`document.querySelector('#budget').checked`)
  }),
  adding('with a budget', async (stage) => {
    stage.standIn.answers.set(budgets, () => ({ status: 201, body: { id: 'pol_1', object: 'policy' } }))
    await addWithBudget(stage)
  }),
  adding('budget refused', async (stage) => {
    stage.standIn.answers.set(budgets, () => refusal(409, 'card_not_proven'))
    await addWithBudget(stage)
  }),
  adding('added, its code is asked for', (stage) => mountAndSubmit(stage, '.mark')),
  adding('added for agents', async (stage) => {
    const card = { ...(addedCard().card as object), agentic_credentials_status: 'active' }
    stage.standIn.answers.set(payments, () => ({ status: 201, body: addedCard({ card }) }))
    await mountAndSubmit(stage, '.mark')
  }),
  adding('not allowed', async (stage) => {
    stage.standIn.answers.set(sessions, () => refusal(403, 'origin_not_allowed'))
    await stage.mount({}, '.notice')
  }),
  adding('over', async (stage) => {
    stage.standIn.answers.set(sessions, () => refusal(410, 'session_expired'))
    await stage.mount({}, '.ending')
  }),
  enrolling('code of the bank', 'otp', (stage) => stage.there('#otp')),
  enrolling('code of the bank is missing', 'otp', async (stage) => {
    await stage.press('.button')
    await stage.there('#otp-error')
  }),
  enrolling('code of the bank is wrong', 'otp', async (stage) => {
    stage.standIn.answers.set(`${payments}/pm_1/verify`, () => refusal(409, 'verification_failed'))
    await stage.type('#otp', '000000')
    await stage.press('.button')
    await stage.there('#otp-error')
  }),
  enrolling('create a passkey', 'passkey', (stage) => stage.there('a.button')),
  enrolling('window is open', 'passkey', async (stage) => {
    await stage.there('a.button')
    await inWindow('open')(stage)
    await stage.until(`document.querySelectorAll('.quiet').length === 2`)
  }),
  enrolling('confirm with the bank', 'popup', (stage) => stage.there('a.button')),
  enrolling('not confirmed in the window', 'popup', async (stage) => {
    await stage.there('a.button')
    await inWindow('finish')(stage)
    await stage.there('.notice')
  }),
  adding('no window to be had', async (stage) => {
    stage.standIn.answers.set(payments, () => ({ status: 201, body: waiting('passkey') }))
    stage.standIn.answers.set(`${payments}/pm_1/payment_verifications`, () => refusal(503, 'unavailable'))
    await mountAndSubmit(stage, '.notice')
  }),
]

async function addWithBudget(stage: Stage): Promise<void> {
  await stage.mount(asked)
  await stage.press('.test-card')
  await stage.press('#consent')
  await stage.press('#budget')
  await stage.press('form > .button')
  await stage.until(`document.querySelectorAll('.ending p').length === 2`)
}
