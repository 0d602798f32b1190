import type { Guard } from './guard.ts'

const profiles = 'src/domain/buyers/profiles/profiles.http.test.ts'
const createProfile = 'src/domain/buyers/profiles/create-profile.http.test.ts'
const policies = 'src/domain/policies/policies.http.test.ts'
const orders = 'src/domain/trade/orders/orders.http.test.ts'
const answers = 'src/domain/trade/orders/create-order-response.http.test.ts'
const destinations = 'src/domain/webhooks/destinations/destinations.http.test.ts'
const items = 'src/domain/selling/catalog/catalog-items.http.test.ts'
const twins = 'test/flows/twins.test.ts'

type Filtered = [
  id: string,
  file: string,
  /** Stands once in the file, before the filters of the statement. */
  statement: string,
  killers: readonly string[],
  column?: 'account_id = $merchant_account_id',
]

/** Statements that find or change rows, each once without its account and once without its mode. */
const filtered: readonly Filtered[] = [
  ['profiles', 'buyers/profiles/profiles', 'const filter =', [twins]],
  ['card', 'buyers/payment-methods/payment-methods', "'select_payment_method'", [twins]],
  ['cards', 'buyers/payment-methods/payment-methods', "'select_payment_methods'", [twins]],
  ['locked-cards', 'buyers/payment-methods/payment-methods', "'lock_payment_methods'", [twins]],
  ['card-that-pays', 'buyers/payment-methods/payment-methods', "'select_usable_payment_method'", [twins]],
  ['owner-of-cards', 'buyers/profiles/profiles', "'lock_payment_method_owner'", [twins]],
  ['shredded-card', 'buyers/payment-methods/payment-methods', "'shred_vault_card'", [twins]],
  ['policy', 'policies/policies', "'select_policy'", [twins, policies]],
  ['locked-policy', 'policies/policies', "'lock_policy'", [twins, policies]],
  ['policies', 'policies/policies', 'const filter =', [twins]],
  ['policies-that-apply', 'policies/policies', 'const applicablePolicies =', [twins]],
  ['written-counters', 'policies/reservations', "'update_policy_counters'", [twins]],
  ['ended-reservations', 'policies/reservations', "'end_policy_reservations'", [twins]],
  ['profiles-of-a-policy', 'buyers/profiles/reads', 'const knownProfiles', [policies]],
  ['keys-of-a-policy', 'accounts/api-keys/reads', 'select id, agent_id from api_keys', [policies]],
  ['agents-of-a-policy', 'accounts/api-keys/reads', 'coalesce(joined_into, id) from agents', [policies]],
  ['control', 'accounts/controls/controls', "'lock_control'", [twins]],
  ['written-control', 'accounts/controls/controls', "'update_control'", [twins]],
  ['replayed-purchases', 'buying/intents/read/past-intents', "'select_past_intents'", [twins]],
  ['intent', 'buying/intents/intents', "'select_purchase_intent'", [twins]],
  ['locked-intent', 'buying/intents/intents', 'export const lockIntent', [twins]],
  ['carts', 'buying/intents/carts', "'select_carts'", [twins]],
  ['locked-carts', 'buying/intents/carts', 'export const lockCarts', [twins]],
  ['audit-trail', 'buying/intents/decide/audit-rows', 'const filter =', [twins]],
  [
    'order-of-a-merchant',
    'trade/orders/orders',
    "'select_merchant_order'",
    [orders],
    'account_id = $merchant_account_id',
  ],
  [
    'answered-order',
    'trade/orders/orders',
    'from orders o where',
    [orders, answers],
    'account_id = $merchant_account_id',
  ],
  ['orders', 'trade/orders/list-orders', 'const ofBuyer', [orders]],
  ['orders-of-a-merchant', 'trade/orders/list-orders', 'const ofMerchant', [orders]],
  ['destination', 'webhooks/destinations/destinations', "'select_destination'", [destinations]],
  ['destinations', 'webhooks/destinations/destinations', "'select_destinations'", [destinations]],
  ['items', 'selling/catalog/items', 'const filter =', [items]],
]

/** The statements that every aggregate has alike. */
const ofAggregates: readonly [id: string, statement: string, text: string, killers: readonly string[]][] = [
  ['row', 'select: (name) => forMany(name, statement(name, found))', 'found', [twins, createProfile]],
  ['locked-row', 'statement(name, `${found} ${how}`)', 'found', [twins, profiles]],
  ['written-row', "${sets.join(', ')} where ${byKey}`", 'byKey', [twins]],
]

const columns = [
  {
    name: 'account',
    keeps: 'a row of another account does not exist for the caller',
    filter: 'account_id = $account_id',
    without: 'account_id is not null',
  },
  {
    name: 'mode',
    keeps: 'a row of the other mode does not exist for the caller',
    filter: 'mode = $mode',
    without: 'mode is not null',
  },
] as const

/** Without its filter a statement finds the row of anybody, or changes it. */
export const tenancyGuards: readonly Guard[] = [
  ...filtered.flatMap(([id, file, statement, killers, column = 'account_id = $account_id']) => {
    const place = { file: `src/domain/${file}.sql.ts`, after: statement, killers }
    return columns.map(({ name, keeps, filter, without }) => ({
      ...place,
      id: `${id}/${name}`,
      keeps,
      find: name === 'account' ? column : filter,
      replace: without,
    }))
  }),
  ...columns.map(({ name, keeps, filter, without }) => ({
    id: `events-of-an-aggregate/${name}`,
    keeps,
    file: 'src/platform/events/reads.sql.ts',
    after: 'eventsOfAggregate:',
    find: filter,
    replace: without,
    killers: [twins],
  })),
  ...ofAggregates.flatMap(([id, find, text, killers]) =>
    columns.map(({ name, keeps, filter, without }) => ({
      id: `${id}/${name}`,
      keeps,
      file: 'src/platform/aggregate/aggregate.ts',
      find,
      replace: find.replace(text, () => `${text}.replace('${filter}', '${without}')`),
      killers,
    })),
  ),
]
