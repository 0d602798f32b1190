/** A generator of clients, and a program that buys with the generated client. */
export type GeneratedClient = {
  readonly name: string
  /** Its command, from the repository's packages, in a folder that has `openapi.json`. */
  readonly generator: readonly string[]
  /** Files beside it, such as its settings. */
  readonly files: Readonly<Record<string, string>>
  /** It has its types from the generated client alone, and prints how the purchase ended. */
  readonly program: string
}

export const openapiFetch: GeneratedClient = {
  name: 'openapi-typescript',
  generator: ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.ts'],
  files: {},
  program: `import createClient from 'openapi-fetch'
import type { components, paths } from './schema'

const [, , baseUrl = '', key = ''] = process.argv
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } })

function must<Data>(answer: { data?: Data; error?: unknown }): Data {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error))
  return answer.data
}

async function main(): Promise<void> {
const body: components['schemas']['ProfileCreate'] = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'DE' }
const profile = must(await client.POST('/v1/profiles', { body }))
const address: components['schemas']['ProfileAddressCreate'] = { address_type: 'shipping', line1: 'Unter den Linden 1', city: 'Berlin', postal_code: '10117', country: 'DE' }
must(await client.POST('/v1/profiles/{profile_id}/addresses', { params: { path: { profile_id: profile.id } }, body: address }))
must(await client.POST('/v1/profiles/{profile_id}/payment_methods', { params: { path: { profile_id: profile.id } }, body: { type: 'card', card: { kind: 'existing', vault_token_id: 'visa_auto_approved' } } }))
const intent = must(await client.POST('/v1/purchase_intents', {
  body: { profile_id: profile.id, items: [{ url: 'https://www.shop.example/lamp', quantity: 1, expected_amount: 1999, expected_currency: 'EUR' }] },
}))
const path = { purchase_intent_id: intent.id }
must(await client.POST('/v1/purchase_intents/{purchase_intent_id}/approve', { params: { path }, body: { approve: true, temporary_cvc_token_id: 'cvc_3_digit' } }))
const refused = await client.POST('/v1/purchase_intents/{purchase_intent_id}/approve', { params: { path }, body: { approve: true, temporary_cvc_token_id: 'cvc_3_digit' } })
if (refused.error === undefined || !('detail' in refused.error)) throw new Error('a second approval is refused')
for (;;) {
  const now = must(await client.GET('/v1/purchase_intents/{purchase_intent_id}', { params: { path } }))
  const status: string = now.status
  if (['succeeded', 'failed', 'declined', 'cancelled'].includes(status)) {
    console.log(JSON.stringify({ status, actual_amount: now.actual_amount, max_allowed_amount: now.max_allowed_amount }))
    break
  }
}
}
void main()
`,
}

export const heyApi: GeneratedClient = {
  name: '@hey-api/openapi-ts',
  generator: ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'hey'],
  files: {},
  program: `import { client } from './hey/client.gen'
import { v1ApprovePurchaseIntent, v1CreateProfile, v1CreateProfileAddress, v1CreateProfilePaymentMethod, v1CreatePurchaseIntent, v1GetPurchaseIntent } from './hey/sdk.gen'

async function main(): Promise<void> {
  const [, , baseUrl = '', key = ''] = process.argv
  client.setConfig({ baseUrl, auth: key })
  const { data: profile } = await v1CreateProfile({ body: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'DE' }, throwOnError: true })
  const owner = { profile_id: profile.id }
  await v1CreateProfileAddress({ path: owner, body: { address_type: 'shipping', line1: 'Unter den Linden 1', city: 'Berlin', postal_code: '10117', country: 'DE' }, throwOnError: true })
  await v1CreateProfilePaymentMethod({ path: owner, body: { type: 'card', card: { kind: 'existing', vault_token_id: 'visa_auto_approved' } }, throwOnError: true })
  const { data: intent } = await v1CreatePurchaseIntent({
    body: { ...owner, items: [{ url: 'https://www.shop.example/lamp', quantity: 1, expected_amount: 1999, expected_currency: 'EUR' }] },
    throwOnError: true,
  })
  const path = { purchase_intent_id: intent.id }
  await v1ApprovePurchaseIntent({ path, body: { approve: true, temporary_cvc_token_id: 'cvc_3_digit' }, throwOnError: true })
  for (;;) {
    const { data: now } = await v1GetPurchaseIntent({ path, throwOnError: true })
    if (['succeeded', 'failed', 'declined', 'cancelled'].includes(now.status)) {
      console.log(JSON.stringify({ status: now.status, actual_amount: now.actual_amount, max_allowed_amount: now.max_allowed_amount }))
      return
    }
  }
}
void main()
`,
}

export const orval: GeneratedClient = {
  name: 'orval',
  generator: ['orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs'],
  files: {
    'orval.config.mjs': `export default {
  shop: {
    input: './openapi.json',
    output: { target: './orval/api.ts', client: 'fetch', mode: 'single', baseUrl: '{base_url}' },
  },
}
`,
  },
  program: `import { v1ApprovePurchaseIntent, v1CreateProfile, v1CreateProfileAddress, v1CreateProfilePaymentMethod, v1CreatePurchaseIntent, v1GetPurchaseIntent } from './orval/api'

async function main(): Promise<void> {
  const [, , , key = ''] = process.argv
  const options = { headers: { authorization: \`Bearer \${key}\` } }
  const profile = await v1CreateProfile({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'DE' }, options)
  if (profile.status !== 201) throw new Error(JSON.stringify(profile.data))
  const { id } = profile.data
  const address = await v1CreateProfileAddress(id, { address_type: 'shipping', line1: 'Unter den Linden 1', city: 'Berlin', postal_code: '10117', country: 'DE' }, options)
  if (address.status !== 201) throw new Error(JSON.stringify(address.data))
  const card = await v1CreateProfilePaymentMethod(id, { type: 'card', card: { kind: 'existing', vault_token_id: 'visa_auto_approved' } }, options)
  if (card.status !== 201) throw new Error(JSON.stringify(card.data))
  const intent = await v1CreatePurchaseIntent({ profile_id: id, items: [{ url: 'https://www.shop.example/lamp', quantity: 1, expected_amount: 1999, expected_currency: 'EUR' }] }, options)
  if (intent.status !== 201) throw new Error(JSON.stringify(intent.data))
  const approved = await v1ApprovePurchaseIntent(intent.data.id, { approve: true, temporary_cvc_token_id: 'cvc_3_digit' }, options)
  if (approved.status !== 200) throw new Error(JSON.stringify(approved.data))
  for (;;) {
    const now = await v1GetPurchaseIntent(intent.data.id, {}, options)
    if (now.status !== 200) throw new Error(JSON.stringify(now.data))
    if (['succeeded', 'failed', 'declined', 'cancelled'].includes(now.data.status)) {
      console.log(JSON.stringify({ status: now.data.status, actual_amount: now.data.actual_amount, max_allowed_amount: now.data.max_allowed_amount }))
      return
    }
  }
}
void main()
`,
}
