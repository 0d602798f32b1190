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
  ['profile', 'buyers/profiles/profiles', "'select_profile'", [twins, createProfile]],
  ['locked-profile', 'buyers/profiles/profiles', "'lock_profile'", [twins, profiles]],
  ['written-profile', 'buyers/profiles/profiles', "'update_profile'", [twins]],
  ['profiles', 'buyers/profiles/profiles', 'const filter =', [twins]],
  ['card', 'buyers/payment-methods/payment-methods', "'select_payment_method'", [twins]],
  ['cards', 'buyers/payment-methods/payment-methods', "'select_payment_methods'", [twins]],
  ['locked-cards', 'buyers/payment-methods/payment-methods', "'lock_payment_methods'", [twins]],
  ['written-card', 'buyers/payment-methods/payment-methods', "'update_payment_method'", [twins]],
  ['card-that-pays', 'buyers/payment-methods/payment-methods', "'select_usable_payment_method'", [twins]],
  ['owner-of-cards', 'buyers/profiles/profiles', "'lock_payment_method_owner'", [twins]],
  ['shredded-card', 'buyers/payment-methods/payment-methods', "'shred_vault_card'", [twins]],
  ['policy', 'policies/policies', "'select_policy'", [twins, policies]],
  ['locked-policy', 'policies/policies', "'lock_policy'", [twins, policies]],
  ['written-policy', 'policies/policies', "'update_policy'", [twins]],
  ['policies', 'policies/policies', 'const filter =', [twins]],
  ['policies-that-apply', 'policies/policies', 'const applicablePolicies =', [twins]],
  ['written-counters', 'policies/reservations', "'update_policy_counters'", [twins]],
  ['ended-reservations', 'policies/reservations', "'end_policy_reservations'", [twins]],
  ['profiles-of-a-policy', 'buyers/profiles/reads', 'const knownProfiles', [policies]],
  ['keys-of-a-policy', 'accounts/api-keys/reads', 'select id, agent_id from api_keys', [policies]],
  ['agents-of-a-policy', 'accounts/api-keys/reads', 'coalesce(joined_into, id) from agents', [policies]],
  ['control', 'accounts/controls/controls', "'lock_control'", [twins]],
  ['written-control', 'accounts/controls/controls', "'update_control'", [twins]],
  ['replayed-purchases', 'buying/intents/past-intents', 'select id from purchase_intents i', [twins]],
  ['intent', 'buying/intents/intents', "'select_purchase_intent'", [twins]],
  ['locked-intent', 'buying/intents/intents', "'lock_purchase_intent'", [twins]],
  ['written-intent', 'buying/intents/intents', "'update_purchase_intent'", [twins]],
  ['progress-of-an-intent', 'buying/intents/intents', "'progress_purchase_intent'", [twins]],
  ['carts', 'buying/intents/carts', "'select_carts'", [twins]],
  ['locked-carts', 'buying/intents/carts', "'lock_carts'", [twins]],
  ['written-cart', 'buying/intents/carts', "'update_cart'", [twins]],
  ['events-of-an-intent', 'buying/intents/intent-events', "'select_intent_events'", [twins]],
  ['audit-trail', 'buying/intents/audit-rows', 'const filter =', [twins]],
  ['order', 'trade/orders/orders', "'select_order'", [orders]],
  ['cancelled-order', 'trade/orders/orders', "'lock_order'", [orders]],
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
  ['item', 'selling/catalog/items', "'select_catalog_item'", [items]],
  ['locked-item', 'selling/catalog/items', "'lock_catalog_item'", [items]],
  ['items', 'selling/catalog/items', 'const filter =', [items]],
]

/** Without its filter a statement finds the row of anybody, or changes it. */
export const tenancyGuards: readonly Guard[] = filtered.flatMap(
  ([id, file, statement, killers, column = 'account_id = $account_id']) => {
    const place = { file: `src/domain/${file}.sql.ts`, after: statement, killers }
    return [
      {
        ...place,
        id: `${id}/account`,
        keeps: 'a row of another account does not exist for the caller',
        find: column,
        replace: 'account_id is not null',
      },
      {
        ...place,
        id: `${id}/mode`,
        keeps: 'a row of the other mode does not exist for the caller',
        find: 'mode = $mode',
        replace: 'mode is not null',
      },
    ]
  },
)
