import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { testCardNumbers } from '../../../src/contract/test-card-numbers.ts'
import { commandRunner } from '../../harness/command-runner.ts'
import { makeStateDir } from '../../harness/database.ts'
import { type Service, serviceEnvironment, startService } from '../../harness/up.ts'
import { queryStored } from '../load/query-stored.ts'
import { seededRandom } from '../random.ts'
import type { SuiteRun, Tally } from '../suite.ts'
import { postTo } from './post-to.ts'

const sizes = { gate: 400, long: 10_000 } as const
const page = 'http://localhost:8089'
const counts = { profiles: 40, purchases: 4, addresses: 12 } as const
const limits = { profile: 5, address: 20, key: 200, refusals: 3 } as const

/** What nobody may learn of a card: these are words of banks. */
const wordsOfBanks = /insufficient|issuer|declin|do_not_honor|stolen|lost_card|4242424242|security code is/i

/** A program without a browser, which has copied a publishable key and knows ids: it tests no cards beyond the limits, and releases nothing. */
export async function checkForged({ size, seed, tally }: SuiteRun): Promise<void> {
  const state = await makeStateDir()
  const env = { ...serviceEnvironment(), PROKURA_TRUSTED_PROXIES: '127.0.0.1' }
  const service = await startService({ state, args: ['--port', '0'], env })
  try {
    const attacker = await arm(service, state, seed)
    for (let call = 0; call < sizes[size]; call++) await attacker.callAtRandom()
    judge(attacker.heard, tally)
    await judgeStored(service, attacker.purchases, tally)
    tally.figure('forged calls', sizes[size])
  } finally {
    await service.stop()
    rmSync(state, { recursive: true, force: true })
  }
}

type Heard = {
  readonly kind: string
  readonly status: number
  readonly code: string | null
  readonly message: string
  readonly profile: string | null
  readonly address: string
  /** Of a card that was added: what its bank has said. */
  readonly bank: string | null
}

type Session = {
  readonly token: string
  readonly profile: string
  readonly purchase: string | null
  readonly vault: string
}

/** What the program knows before it begins, and how it calls. */
async function arm(service: Service, state: string, seed: number) {
  const { keys, base_url } = service.ready
  const { PROKURA_ELEMENTS_URL: elements } = JSON.parse(readFileSync(join(state, 'environment.json'), 'utf8'))
  const publishable_key = await pageKey(state)
  const as = { authorization: `Bearer ${keys.secret_test}` }
  const own = async (path: string, body: object) => (await postTo(base_url + path, body, as)).body
  const profiles: string[] = []
  while (profiles.length < counts.profiles) profiles.push((await own('/v1/profiles', person)).id)
  const purchases: { id: string; profile: string }[] = []
  for (const profile of profiles.slice(0, counts.purchases)) {
    const card = await own(`/v1/profiles/${profile}/payment_methods`, cardOf('visa_auto_approved', false))
    const made = await own('/v1/purchase_intents', {
      profile_id: profile,
      profile_payment_method_id: card.id,
      items,
    })
    await own(`/v1/purchase_intents/${made.id}/approval_links`, {})
    purchases.push({ id: made.id, profile })
  }
  const random = seededRandom(seed)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T // none of them is empty
  const addresses = Array.from({ length: counts.addresses }, (_, at) => `198.51.100.${at + 1}`)
  const heard: Heard[] = []
  const bootstraps: { token: string; component: string }[] = []
  const sessions: Session[] = []
  const tokens: { token: string; profile: string }[] = []
  const cards: { id: string; profile: string }[] = []
  const text = () => Array.from({ length: 33 }, () => pick([...'0123456789ABCDEFabcdef'])).join('')

  async function send(kind: string, url: string, body: object, session: Session | null = null) {
    const address = pick(addresses)
    const origin = pick([page, page, elements, 'https://shop.example', 'null'])
    const authorization = session === null ? {} : { authorization: `Bearer ${session.token}` }
    const from = url.startsWith(elements) || session === null ? origin : elements
    const said = await postTo(url, body, { origin: from, 'x-forwarded-for': address, ...authorization })
    const { detail } = said.body ?? {}
    heard.push({
      kind,
      status: said.status,
      code: detail?.code ?? null,
      message: JSON.stringify(said.body ?? {}),
      profile: session?.profile ?? null,
      address,
      bank: said.body?.card?.agentic_credentials_status ?? null,
    })
    return said
  }

  const surface = `${elements}/elements/v1`
  const any = (): Session | null => (sessions.length === 0 ? null : pick(sessions))
  const forSession = (kind: string, path: string, body: () => object) => async () => {
    const session = any()
    if (session !== null) await send(kind, surface + path, body(), session)
  }
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    async bootstraps() {
      const component = pick(['AddPaymentMethod', 'AddOrSelectPaymentMethod', 'MerchantAuthHandoff'])
      const said = await send('bootstraps', `${surface}/bootstraps`, { publishable_key, component })
      if (said.status === 201) bootstraps.push({ token: said.body.bootstrap, component })
    },
    async sessions() {
      if (bootstraps.length === 0) return
      const { token: bootstrap, component } = pick(bootstraps)
      const of = pick([
        ...purchases.map(({ id }) => ({ purchase_intent_id: id })),
        ...profiles.map((id) => ({ profile_id: id })),
      ])
      const client_secret = random() < 0.2 ? { client_secret: `pr_ecs_test_${text()}` } : {}
      const body = { publishable_key, bootstrap, component, ...of, ...client_secret }
      const said = await send('sessions', `${surface}/sessions`, body)
      const {
        session: token,
        profile_id: profile,
        purchase_intent_id: purchase,
        vault_url: vault,
      } = said.body ?? {}
      if (said.status === 201) sessions.push({ token, profile, purchase, vault })
    },
    async cards() {
      const session = any()
      if (session === null) return
      const number = pick([...Object.values(testCardNumbers), '4111111111111111', '4242424242424241', text()])
      const cvc = pick([null, '111', '1111', '999'])
      const body = { number, exp_month: 1, exp_year: 2030, cardholder_name: null, cvc }
      const said = await send('cards', `${session.vault}/cards`, body, session)
      if (said.status === 201) tokens.push({ token: said.body.vault_token_id, profile: session.profile })
    },
    async cvcs() {
      const session = any()
      const body = {
        cvc: pick(['111', '1111', '12', 'abc', '737']),
        card_brand: pick([null, 'visa', 'amex']),
      }
      if (session !== null) await send('cvcs', `${session.vault}/cvcs`, body, session)
    },
    async payment_methods() {
      const session = any()
      if (session === null) return
      const mine = tokens.filter(({ profile }) => profile === session.profile).map(({ token }) => token)
      const token = pick([...mine, ...Object.keys(testCardNumbers), `pr_vt_test_${text()}`])
      const said = await send(
        'payment_methods',
        `${surface}/payment_methods`,
        cardOf(token, random() < 0.7),
        session,
      )
      if (said.status === 201) cards.push({ id: said.body.id, profile: session.profile })
    },
    async verify() {
      if (cards.length === 0) return
      const { id, profile } = pick(cards)
      const session = sessions.find((one) => one.profile === profile) ?? any()
      const body = { method: 'otp', code: pick(['1', '123456', '000000']) }
      if (session !== null) await send('verify', `${surface}/payment_methods/${id}/verify`, body, session)
    },
    verifications: forSession('verifications', '/purchase_intent/payment_verifications', () => ({
      profile_payment_method_id: cards.length === 0 ? 'pm_1' : pick(cards).id,
    })),
    codes: forSession('codes', `/payment_verifications/pver_${text()}/code`, () => ({ code: '123456' })),
    tickets: forSession('tickets', '/purchase_intent/credential_tickets', () => ({})),
    seals: forSession('seals', `/purchase_intent/credential_tickets/ticket_${text()}/seal`, () => ({
      key: `vsk_${text()}`,
      enc: text(),
      ciphertext: text(),
    })),
    retries: forSession('retries', '/purchase_intent/retry', () => ({
      credential_ticket_id: `ticket_${text()}`,
    })),
    approvals: forSession('approvals', '/purchase_intent/approve', () => ({ approve: true })),
    budgets: forSession('budgets', `/payment_methods/${cards[0]?.id ?? 'pm_1'}/standing_budgets`, () => ({
      budget: { amount: 5000, currency: 'USD', interval: 'month' },
    })),
    claims: () =>
      send('claims', `${surface}/approval_links/claim`, {
        token: `pr_al_test_${text()}`,
        claim_secret: text(),
      }),
    async server() {
      const session = any()
      const { id } = pick(purchases)
      if (session !== null)
        await send('server', `${base_url}/v1/purchase_intents/${id}/approve`, { approve: true }, session)
    },
  }
  // Sessions and cards more often: without them the others are refused at once.
  const order = [
    ...Object.keys(calls),
    'bootstraps',
    'sessions',
    'sessions',
    'cards',
    'cards',
    'payment_methods',
    'verify',
  ]
  return { heard, purchases: purchases.map(({ id }) => id), callAtRandom: async () => calls[pick(order)]?.() }
}

const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'AT' }
const items = [
  {
    url: 'https://sandbox-merchant.example/items/ok',
    quantity: 1,
    expected_amount: 2500,
    expected_currency: 'USD',
  },
]

function cardOf(vault_token_id: string, isEnrolled: boolean) {
  const enrolled = { agentic_credentials_enrollment_requested: true, agentic_terms_acknowledged: true }
  return { type: 'card', card: { kind: 'existing', vault_token_id, ...(isEnrolled ? enrolled : {}) } }
}

async function pageKey(state: string): Promise<string> {
  const commands = commandRunner()
  const about = ['--kind', 'publishable', '--capability', 'elements', '--origin', page]
  const made = await commands.run(['keys', 'create', ...about, '--state', state, '--json'])
  commands.end()
  return JSON.parse(made.out).token
}

function judge(heard: readonly Heard[], tally: Tally): void {
  const check = (is: boolean, what: string) => (is ? tally.pass() : tally.fail(what))
  const entered = heard.filter(({ kind, status }) => (kind === 'cards' || kind === 'cvcs') && status === 201)
  const most = (by: (one: Heard) => string | null) =>
    Math.max(
      0,
      ...Map.groupBy(entered, by)
        .values()
        .map((all) => all.length),
    )
  const [profile, address] = [most((one) => one.profile), most((one) => one.address)]
  check(profile <= limits.profile, `a profile has had ${profile} cards and codes taken`)
  check(address <= limits.address, `an address has had ${address} cards and codes taken`)
  check(entered.length <= limits.key, `a key has had ${entered.length} cards and codes taken`)
  // A card is enrolled, or a code right: the row of the profile ends. So no profile hears more in a row.
  for (const [name, all] of Map.groupBy(heard, ({ profile: of }) => of)) {
    const inARow = name === null ? 0 : longestRow(all)
    check(inARow <= limits.refusals, `${name} has heard ${inARow} refusals of banks in a row`)
  }
  // A budget, and the enrollment of somebody else's card, ask for a client secret whatever was refused before.
  const needing = heard.filter(({ code }) => code === 'client_secret_required')
  const stopped = new Set(
    needing.filter(({ kind }) => kind !== 'budgets' && kind !== 'verify').map(sentenceOf),
  )
  check(stopped.size <= 1, `being stopped is said in ${stopped.size} sentences: ${[...stopped].join(' | ')}`)
  for (const { kind, status, message } of heard)
    check(
      status < 500 && !(status >= 400 && wordsOfBanks.test(message)),
      `${kind} answers ${status} ${message}`,
    )
  for (const kind of ['claims', 'approvals', 'server', 'codes', 'seals', 'retries', 'budgets'])
    check(
      heard.every((one) => one.kind !== kind || one.status >= 400),
      `${kind} was let through`,
    )
  const told = new Set(heard.map(({ kind, status, code }) => `${kind} ${status} ${code ?? ''}`.trim()))
  tally.figure('different answers', told.size)
  tally.figure('stopped', heard.filter(({ code }) => code === 'client_secret_required').length)
  tally.figure('cards and codes taken', entered.length)
}

function longestRow(all: readonly Heard[]): number {
  let [row, longest] = [0, 0]
  for (const { kind, status, code, bank } of all) {
    // A right code ends the row too, where a further step follows before the card is enrolled.
    if (status < 300 && (bank === 'active' || kind === 'verify')) row = 0
    if (code === 'verification_failed' || (kind === 'payment_methods' && bank === 'rejected')) row += 1
    longest = Math.max(longest, row)
  }
  return longest
}

function sentenceOf({ message }: Heard): string {
  return JSON.parse(message).detail.message
}

/** What was to be released, and what would have released it. */
async function judgeStored({ ready }: Service, purchases: readonly string[], tally: Tally): Promise<void> {
  const [found] = await queryStored<Record<string, number>>(
    ready.database_url,
    `select (select count(*)::int from purchase_intents where id = any($1) and status = 'awaiting_approval') as waiting,
       (select count(*)::int from authorizations) as authorizations, (select count(*)::int from effects) as effects,
       (select count(*)::int from policies) as policies, (select count(*)::int from approval_links where claimed_at is not null) as claimed,
       (select count(*)::int from payment_methods where added_by <> 'account' and is_default) as defaults`,
    [purchases],
  )
  const wanted = {
    waiting: purchases.length,
    authorizations: 0,
    effects: 0,
    policies: 0,
    claimed: 0,
    defaults: 0,
  }
  for (const [name, count] of Object.entries(wanted))
    if (found?.[name] === count) tally.pass()
    else tally.fail(`${name}: ${found?.[name]} instead of ${count}`)
}
