import { refusal, savedCard } from '../stand-in.ts'
import { never, type ShownState, type Stage } from './stage.ts'

const links = '/elements/v1/approval_links'
const proofs = '/elements/v1/purchase_intent/payment_verifications'
const approve = '/elements/v1/purchase_intent/approve'
const asks = 'Bring & Buy Ltd'
const buyer = { name: 'Ada Lovelace', email: 'ada@buyers.example', phone: '+49 30 1234567' }
const address = {
  recipient_name: 'Ada Lovelace',
  line1: 'Unter den Linden 1',
  postal_code: '10117',
  city: 'Berlin',
  country: 'DE',
}
const shop = 'https://shop.example'

type Ended = { readonly status: string; readonly return_url?: string }

function looked(outcome: Ended | null, mode = 'test'): object {
  const ended = outcome && { purchase_intent_id: 'pi_1', return_url: null, ...outcome }
  return { account_name: asks, mode, answer_by: '2031-01-01T12:00:00Z', outcome: ended }
}

/** A link that is as a person finds it. */
function link(
  { standIn }: Stage,
  { outcome = null, mode }: { outcome?: Ended | null; mode?: string } = {},
): void {
  standIn.answers.set(`${links}/look`, () => ({ body: looked(outcome, mode) }))
  let claims = 0
  standIn.answers.set(`${links}/claim`, () => {
    claims += 1
    const session = `pr_es_test_${claims}`
    return { body: { session, vault_url: standIn.vault, return_url: null, buyer, ship_to: address } }
  })
  Object.assign(standIn.purchase, { policy_decision: { evaluated: reasonsFor(['approval.mode']) } })
}

const reasonsFor = (rules: readonly string[]) => rules.map((rule) => ({ rule, result: 'require_approval' }))

async function open(stage: Stage, needs = 'cvc', shown = '#proof', purchase: object = {}): Promise<void> {
  link(stage)
  Object.assign(stage.standIn.purchase, purchase)
  stage.standIn.cards.push(
    savedCard('pm_1', { is_default: true }),
    savedCard('pm_old', { brand: 'amex', last4: '0005', year: 2024 }),
  )
  stage.standIn.needs.set('pm_1', needs)
  await stage.visit('approval', '.button')
  await stage.press('.button')
  await stage.there(shown)
}

async function submit(stage: Stage, typed: string, shown: string): Promise<void> {
  if (typed !== '') await stage.type('#proof', typed)
  await stage.press('.button[type=submit]')
  await stage.there(shown)
}

function approving(name: string, show: ShownState['show']): ShownState {
  return { name: `approving: ${name}`, where: 'approval', show }
}

function refusing(name: string, answer: ReturnType<typeof refusal> | null): ShownState {
  return approving(name, async (stage) => {
    await open(stage)
    stage.standIn.answers.set(approve, () => answer)
    await submit(stage, '111', '.notice')
  })
}

/** How it ended, to who comes again. */
function ended(name: string, outcome: Ended): ShownState {
  return approving(name, async (stage) => {
    link(stage, { outcome })
    await stage.visit('approval', '.ending')
  })
}

function refusedLink(name: string, answer: ReturnType<typeof refusal>): ShownState {
  return approving(name, async (stage) => {
    stage.standIn.answers.set(`${links}/look`, () => answer)
    await stage.visit('approval', '.ending')
  })
}

export const approvalStates: readonly ShownState[] = [
  approving('loading', async (stage) => {
    stage.standIn.answers.set(`${links}/look`, never)
    await stage.visit('approval', '.bone')
  }),
  approving('who asks', async (stage) => {
    link(stage)
    await stage.visit('approval', '.button')
  }),
  approving('who asks, in live mode', async (stage) => {
    link(stage, { mode: 'live' })
    await stage.visit('approval', '.button')
  }),
  approving('not opened', async (stage) => {
    link(stage)
    await stage.visit('approval', '.button')
    stage.standIn.answers.set(`${links}/claim`, () => null)
    await stage.press('.button')
    await stage.there('.notice')
  }),
  approving('security code', (stage) => open(stage)),
  approving('code of the bank', (stage) => open(stage, 'otp')),
  approving('passkey is next', (stage) => open(stage, 'passkey', '.choice .hint')),
  approving('the bank is next', (stage) => open(stage, 'popup', '.choice > .hint')),
  approving('the card is asked about', async (stage) => {
    stage.standIn.answers.set(proofs, never)
    await open(stage, 'cvc', '.choice .bone')
  }),
  approving('code is missing', async (stage) => {
    await open(stage)
    await submit(stage, '', '.error')
  }),
  approving('code is not whole', async (stage) => {
    await open(stage)
    await submit(stage, '1', '.error')
  }),
  approving('code of the bank is wrong', async (stage) => {
    await open(stage, 'otp')
    await submit(stage, '000000', '.notice')
  }),
  approving('window is open', async (stage) => {
    await open(stage, 'popup', '.choice > .hint')
    await stage.until('Boolean(window.open = () => null)')
    await submit(stage, '', 'a[target]')
  }),
  approving('sending', async (stage) => {
    await open(stage)
    stage.standIn.answers.set(approve, never)
    await submit(stage, '111', '.spinner')
  }),
  approving('something has changed', async (stage) => {
    await open(stage)
    stage.standIn.answers.set(approve, () => refusal(409, 'approval_stale'))
    await submit(stage, '111', '.notice')
  }),
  approving('the price has risen', async (stage) => {
    stage.standIn.answers.set('/elements/v1/purchase_intent', () => ({
      body: {
        ...stage.standIn.purchase,
        next_action: {
          type: 'reapprove_price',
          proposal: { items: [{ id: 'item_1', unit_amount: 1400 }], max_allowed_amount: 3660 },
        },
      },
    }))
    await open(stage)
  }),
  approving('it is tried again', async (stage) => {
    await open(stage, 'cvc', '#proof', { carts: [{ id: 'cart_1' }] })
  }),
  approving('long names, and every reason', async (stage) => {
    const host = 'https://www.a-shop-with-a-long-name.example'
    const item = {
      url: `${host}/items/earl-grey-of-the-first-harvest`,
      quantity: 12,
      expected_amount: 125_000,
    }
    const rules = ['approval.mode', 'limits.per_transaction_max', 'merchants.allow']
    await open(stage, 'cvc', '#proof', {
      items: [{ id: 'item_1', ...item }],
      max_allowed_amount: 1_650_000,
      policy_decision: { evaluated: reasonsFor(rules) },
    })
  }),
  approving('no card', async (stage) => {
    link(stage)
    await stage.visit('approval', '.button')
    await stage.press('.button')
    await stage.there('.notice')
  }),
  refusing(
    'not this card',
    refusal(403, 'payment_verification_required', { param: 'profile_payment_method_id' }),
  ),
  refusing('not proven', refusal(403, 'payment_verification_required')),
  refusing('not allowed', refusal(403, 'policy_denied')),
  refusing('offline', null),
  refusing('failed', refusal(500, 'internal_error')),
  approving('approved', async (stage) => {
    await open(stage)
    stage.standIn.answers.set(approve, () => ({ body: { id: 'pi_1', status: 'approved', items: [] } }))
    await submit(stage, '111', '.ending')
  }),
  approving('declined', async (stage) => {
    await open(stage)
    stage.standIn.answers.set(approve, () => ({ body: { id: 'pi_1', status: 'declined', items: [] } }))
    await stage.press('.other')
    await stage.there('.ending')
  }),
  ended('was approved, with the way back', { status: 'succeeded', return_url: `${shop}/purchases` }),
  ended('was declined, with the way back', { status: 'declined', return_url: `${shop}/purchases` }),
  ended('was cancelled', { status: 'cancelled' }),
  refusedLink('over', refusal(410, 'link_over')),
  refusedLink('opened elsewhere', refusal(410, 'link_claimed')),
  refusedLink('not complete', refusal(422, 'invalid_request')),
]

const ceremonies = '/elements/v1/ceremonies'
const known = { mode: 'test', page: 'https://shop.example', card_brand: 'visa', card_last4: '4242' }
const paying = {
  purpose: 'approval',
  merchants: ['mugs.example', 'tea.example'],
  amount: 3360,
  currency: 'USD',
}
const enrolling = { purpose: 'enrollment', merchants: [], amount: null, currency: null }
const bankSays = (answer: 'pending' | 'confirmed' | 'refused') => ({
  method: 'popup',
  bank: { url: 'https://bank.example/question', answer },
})

/** A window that asks this. */
async function openWindow(stage: Stage, asked: object, shown = '.quiet'): Promise<void> {
  const body = { ...known, options: { challenge: 'AAAA' }, ...asked }
  stage.standIn.answers.set(`${ceremonies}/open`, () => ({ body }))
  await stage.visit('ceremony', shown)
}

function confirming(name: string, show: ShownState['show']): ShownState {
  return { name: `in the window: ${name}`, where: 'ceremony', show }
}

/** The person comes back from the page of their bank. */
async function answered(
  stage: Stage,
  said: 'confirmed' | 'refused',
  status: 'proven' | 'refused',
): Promise<void> {
  stage.standIn.answers.set(`${ceremonies}/finish`, () => ({ body: { status } }))
  await openWindow(stage, { ...paying, ...bankSays(said) }, '.ending')
}

export const windowStates: readonly ShownState[] = [
  confirming('make a passkey', (stage) => openWindow(stage, { ...enrolling, method: 'passkey' })),
  confirming('pay with a passkey', (stage) => openWindow(stage, { ...paying, method: 'passkey' })),
  confirming('the bank asks about a payment', (stage) =>
    openWindow(stage, { ...paying, ...bankSays('pending') }),
  ),
  confirming('the bank asks about a card', (stage) =>
    openWindow(stage, { ...enrolling, ...bankSays('pending') }),
  ),
  confirming('waiting', async (stage) => {
    await openWindow(stage, { ...paying, ...bankSays('pending') })
    stage.standIn.answers.set(`${ceremonies}/finish`, never)
    await stage.press('.quiet')
    await stage.there('[aria-busy=true]')
  }),
  confirming('confirmed', (stage) => answered(stage, 'confirmed', 'proven')),
  confirming('not confirmed', (stage) => answered(stage, 'refused', 'refused')),
  confirming('over', async (stage) => {
    stage.standIn.answers.set(`${ceremonies}/open`, () => refusal(410, 'link_over'))
    await stage.visit('ceremony', '.ending')
  }),
  confirming('offline', async (stage) => {
    stage.standIn.answers.set(`${ceremonies}/open`, () => null)
    await stage.visit('ceremony', '.ending')
  }),
  confirming('no passkeys here', async (stage) => {
    const body = { ...known, ...paying, method: 'passkey', options: { challenge: 'AAAA' } }
    stage.standIn.answers.set(`${ceremonies}/open`, () => ({ body }))
    await stage.visit('ceremony', '.ending', 'delete window.PublicKeyCredential')
  }),
]
