import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { patience } from '../../gate/pace.ts'
import { commandRunner } from '../../harness/command-runner.ts'
import { sealFor } from '../../harness/seal-ticket.ts'
import type { Service } from '../../harness/up.ts'
import { queryStored } from '../load/query-stored.ts'
import { postTo } from './post-to.ts'

const page = 'http://localhost:8089'
/** A purchase has 20 tickets at most that nobody has used. */
const ticketsOfPurchase = 20
const wallPatienceMs = 60_000

/** Types passwords for sign-ins that purchases wait for, as the component does, and has each purchase go on with its last one. */
export async function typePasswords(
  service: Service,
  state: string,
  passwords: readonly string[],
): Promise<void> {
  const { PROKURA_ELEMENTS_URL: elements } = JSON.parse(readFileSync(join(state, 'environment.json'), 'utf8'))
  const publishable_key = await pageKey(state)
  for (let at = 0; at < passwords.length; at += ticketsOfPurchase) {
    const purchase_intent_id = await purchaseAtWall(service)
    const asked = { publishable_key, component: 'MerchantAuthHandoff' }
    const begun = await postTo(`${elements}/elements/v1/bootstraps`, asked, { origin: page })
    const opening = { ...asked, bootstrap: begun.body.bootstrap, purchase_intent_id }
    const opened = await postTo(`${elements}/elements/v1/sessions`, opening)
    const as = { authorization: `Bearer ${opened.body.session}` }
    const purchase = `${elements}/elements/v1/purchase_intent`
    let credential_ticket_id = ''
    for (const password of passwords.slice(at, at + ticketsOfPurchase)) {
      const ticket = await postTo(`${purchase}/credential_tickets`, {}, as)
      const sealed = await sealFor(ticket.body, { username: 'ada@example.com', password })
      credential_ticket_id = ticket.body.id
      const left = await postTo(`${purchase}/credential_tickets/${credential_ticket_id}/seal`, sealed, as)
      if (left.status !== 200) throw new Error(`no ticket was sealed: ${JSON.stringify([ticket, left])}`)
    }
    const retried = await postTo(`${purchase}/retry`, { credential_ticket_id }, as)
    if (retried.status !== 200) throw new Error(`the purchase did not go on: ${JSON.stringify(retried)}`)
  }
}

async function purchaseAtWall({ ready }: Service): Promise<string> {
  const as = { authorization: `Bearer ${ready.keys.secret_test}` }
  const own = async (path: string, body: object) => (await postTo(ready.base_url + path, body, as)).body
  const address = { line1: 'Ring 1', city: 'Wien', postal_code: '1010', country: 'AT' }
  const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'AT' }
  const { id: profile_id } = await own('/v1/profiles', {
    ...person,
    addresses: [{ address_type: 'both', ...address }],
  })
  await own(`/v1/profiles/${profile_id}/payment_methods`, {
    type: 'card',
    card: {
      kind: 'existing',
      vault_token_id: 'visa_auto_approved',
      agentic_credentials_enrollment_requested: true,
      agentic_terms_acknowledged: true,
    },
  })
  const url = 'https://shop.example/cup?scenario=sign_in_required'
  const items = [{ url, quantity: 1, expected_amount: 1000, expected_currency: 'USD' }]
  const { id } = await own('/v1/purchase_intents', { profile_id, items })
  await own(`/v1/purchase_intents/${id}/approve`, { approve: true })
  const wait = patience(wallPatienceMs)
  for (;;) {
    const text = `select 1 from purchase_intents where id = $1 and status = 'awaiting_merchant_auth'`
    if ((await queryStored(ready.database_url, text, [id])).length > 0) return id
    if (wait.isOver()) throw new Error(`${id} does not wait for a sign-in`)
    await delay(100)
  }
}

async function pageKey(state: string): Promise<string> {
  const commands = commandRunner()
  const about = ['--kind', 'publishable', '--capability', 'elements', '--origin', page]
  const made = await commands.run(['keys', 'create', ...about, '--state', state, '--json'])
  commands.end()
  return JSON.parse(made.out).token
}
