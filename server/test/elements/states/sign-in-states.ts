import { makeKeyPair, openSealed } from '../../../src/vault/hpke.ts'
import { refusal } from '../stand-in.ts'
import { never, type ShownState, type Stage } from './stage.ts'

const component = 'MerchantAuthHandoff'
const at = {
  purchase: '/elements/v1/purchase_intent',
  tickets: '/elements/v1/purchase_intent/credential_tickets',
  seal: '/elements/v1/purchase_intent/credential_tickets/ticket_1/seal',
  retry: '/elements/v1/purchase_intent/retry',
}
const pair = makeKeyPair()
const host = 'tea.example'
const wall = { type: 'merchant_sign_in', cart_id: 'cart_1', merchant_domain: host, element: component }
const code = { ...wall, type: 'provide_input', fields: [{ name: 'one_time_code', kind: 'code' }] }

type Asked = 'password' | 'code'

let sequence = 0

/** A purchase that stands so. */
function standing(status: string, action: object | null, cart: object = {}): Record<string, unknown> {
  sequence += 1
  return {
    id: 'pi_1',
    status,
    sequence,
    currency_code: 'EUR',
    max_allowed_amount: 1470,
    items: [
      { url: 'https://tea.example/p/green-tea', quantity: 2 },
      { url: 'https://cups.example/p/cup', quantity: 1 },
    ],
    carts: [{ id: 'cart_1', status: 'awaiting_merchant_auth', offer: null, ...cart }],
    next_action: action,
  }
}

const goesOn = () => standing('approved', null, { status: 'in_progress' })

const info = Buffer.from('prokura ticket v1\nticket_1')

/** A shop that asks for this, and then does what `then` says. Back comes what the vault would open of what was sealed. */
export function shopThatAsks(
  { standIn }: Pick<Stage, 'standIn'>,
  asks: Asked,
  then: () => object = goesOn,
): () => Promise<unknown> {
  const { answers } = standIn
  let now: object = standing('awaiting_merchant_auth', asks === 'code' ? code : wall)
  answers.set(at.purchase, () => ({ body: now }))
  answers.set(at.tickets, () => ({
    status: 201,
    body: {
      id: 'ticket_1',
      host,
      cart_id: 'cart_1',
      kind: asks,
      sealing_key: { key: 'vsk_1', public_key: pair.publicKey.toString('base64url') },
      info: info.toString('base64url'),
    },
  }))
  answers.set(at.retry, () => {
    now = then()
    return { body: now }
  })
  return async () => {
    const { enc, ciphertext } = standIn.received.findLast(({ path }) => path === at.seal)?.body ?? {}
    const bytes = (text: unknown) => Buffer.from(String(text), 'base64url')
    const plain = await openSealed(pair, { enc: bytes(enc), ciphertext: bytes(ciphertext), info })
    return plain && JSON.parse(plain.toString('utf8'))
  }
}

async function mount(stage: Stage, asks: Asked = 'password', options: object = {}): Promise<void> {
  if (!stage.standIn.answers.has(at.purchase)) shopThatAsks(stage, asks)
  await stage.mount({ component, ...options }, 'form')
}

async function submit(stage: Stage, shown: string): Promise<void> {
  await stage.type('#sign-in-username', 'ada@example.com')
  await stage.type('#sign-in-password', 'a password')
  await stage.press('.button')
  await stage.there(shown)
}

async function submitCode(stage: Stage, shown: string): Promise<void> {
  await stage.type('#sign-in-code', '123456')
  await stage.press('.button')
  await stage.there(shown)
}

function signingIn(name: string, show: ShownState['show']): ShownState {
  return { name: `signing in: ${name}`, where: 'frame', show }
}

/** How it stands after something was typed. */
function after(name: string, then: () => object, shown: string): ShownState {
  return signingIn(name, async (stage) => {
    shopThatAsks(stage, 'password', then)
    await mount(stage)
    await submit(stage, shown)
  })
}

function failing(name: string, path: string, answer: ReturnType<typeof refusal> | null): ShownState {
  return signingIn(name, async (stage) => {
    await mount(stage)
    stage.standIn.answers.set(path, () => answer)
    await submit(stage, '.notice')
  })
}

export const signInStates: readonly ShownState[] = [
  signingIn('the form', (stage) => mount(stage)),
  signingIn('nothing filled in', async (stage) => {
    await mount(stage)
    await stage.press('.button')
    await stage.until(`document.querySelectorAll('.error').length === 2`)
  }),
  signingIn('sealing', async (stage) => {
    await mount(stage)
    stage.standIn.answers.set(at.tickets, never)
    await submit(stage, '.spinner')
  }),
  after('the shop checks', goesOn, '.checking'),
  after('refused', () => standing('merchant_auth_failed', wall), '.notice'),
  after('lost', () => standing('awaiting_merchant_auth', wall), '.notice'),
  after(
    'accepted',
    () => standing('approved', null, { status: 'in_progress', offer: { total: 1380 } }),
    '.mark',
  ),
  after('nothing waits any more', () => standing('failed', null, { status: 'failed' }), '.ending'),
  failing('offline', at.seal, null),
  failing('unavailable', at.seal, refusal(503, 'unavailable')),
  failing('too many', at.tickets, refusal(429, 'rate_limited')),
  signingIn('not sealed', async (stage) => {
    await mount(stage)
    const body = { id: 'ticket_1', host, cart_id: 'cart_1', kind: 'password', sealing_key: {}, info: '' }
    stage.standIn.answers.set(at.tickets, () => ({ status: 201, body }))
    await submit(stage, '.notice')
  }),
  signingIn('code', (stage) => mount(stage, 'code')),
  signingIn('code is missing', async (stage) => {
    await mount(stage, 'code')
    await stage.press('.button')
    await stage.there('.error')
  }),
  signingIn('code refused', async (stage) => {
    shopThatAsks(stage, 'code', () => standing('merchant_auth_failed', code))
    await mount(stage, 'code')
    await submitCode(stage, '.notice')
  }),
  signingIn('ready for the page', async (stage) => {
    await mount(stage, 'password', { deferRetry: true })
    await submit(stage, '.mark')
  }),
  signingIn('not read', async (stage) => {
    stage.standIn.answers.set(at.purchase, () => null)
    await stage.mount({ component }, '.ending')
  }),
  signingIn('expired', async (stage) => {
    await mount(stage)
    stage.standIn.answers.set(at.tickets, () => refusal(410, 'session_expired'))
    await submit(stage, '.ending')
  }),
  signingIn('not applicable', async (stage) => {
    stage.standIn.answers.set('/elements/v1/sessions', () => refusal(409, 'component_not_applicable'))
    await stage.mount({ component }, '.notice')
  }),
]
