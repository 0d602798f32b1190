import type { Guard } from './guard.ts'

const profiles = 'src/features/profiles/profiles.http.test.ts'
const createProfile = 'src/features/profiles/create-profile.http.test.ts'
const policies = 'src/features/policies/policies.http.test.ts'
const orders = 'src/features/orders/orders.http.test.ts'
const answers = 'src/features/orders/create-order-response.http.test.ts'
const destinations = 'src/features/destinations/destinations.http.test.ts'
const items = 'src/features/merchant-catalog/catalog-items.http.test.ts'
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
  ['profile', 'profiles/profiles', "'select_profile'", [twins, createProfile]],
  ['locked-profile', 'profiles/profiles', "'lock_profile'", [twins, profiles]],
  ['written-profile', 'profiles/profiles', "'update_profile'", [twins]],
  ['profiles', 'profiles/profiles', 'const filter =', [twins]],
  ['card', 'payment-methods/payment-methods', "'select_payment_method'", [twins]],
  ['cards', 'payment-methods/payment-methods', "'select_payment_methods'", [twins]],
  ['locked-cards', 'payment-methods/payment-methods', "'lock_payment_methods'", [twins]],
  ['written-card', 'payment-methods/payment-methods', "'update_payment_method'", [twins]],
  ['card-that-pays', 'payment-methods/payment-methods', "'select_usable_payment_method'", [twins]],
  ['owner-of-cards', 'payment-methods/payment-methods', "'lock_payment_method_owner'", [twins]],
  ['shredded-card', 'payment-methods/payment-methods', "'shred_vault_card'", [twins]],
  ['policy', 'policies/policies', "'select_policy'", [twins, policies]],
  ['locked-policy', 'policies/policies', "'lock_policy'", [twins, policies]],
  ['written-policy', 'policies/policies', "'update_policy'", [twins]],
  ['policies', 'policies/policies', 'const filter =', [twins]],
  ['policies-that-apply', 'policies/policies', 'const applicablePolicies =', [twins]],
  ['written-counters', 'policies/reservations', "'update_policy_counters'", [twins]],
  ['ended-reservations', 'policies/reservations', "'end_policy_reservations'", [twins]],
  ['profiles-of-a-policy', 'policies/policies', "'select_known_ids_of_scope'", [policies]],
  ['keys-of-a-policy', 'policies/policies', 'select id, agent_id from api_keys', [policies]],
  ['agents-of-a-policy', 'policies/policies', 'coalesce(joined_into, id) from agents', [policies]],
  ['control', 'policies/controls', "'lock_control'", [twins]],
  ['written-control', 'policies/controls', "'update_control'", [twins]],
  ['replayed-purchases', 'policies/past-intents', 'select id from purchase_intents i', [twins]],
  ['intent', 'purchase-intents/intents', "'select_purchase_intent'", [twins]],
  ['locked-intent', 'purchase-intents/intents', "'lock_purchase_intent'", [twins]],
  ['written-intent', 'purchase-intents/intents', "'update_purchase_intent'", [twins]],
  ['progress-of-an-intent', 'purchase-intents/intents', "'progress_purchase_intent'", [twins]],
  ['carts', 'purchase-intents/carts', "'select_carts'", [twins]],
  ['locked-carts', 'purchase-intents/carts', "'lock_carts'", [twins]],
  ['written-cart', 'purchase-intents/carts', "'update_cart'", [twins]],
  ['events-of-an-intent', 'purchase-intents/intent-events', "'select_intent_events'", [twins]],
  ['audit-trail', 'purchase-intents/audit-rows', 'const filter =', [twins]],
  ['order', 'orders/orders', "'select_order'", [orders]],
  ['cancelled-order', 'orders/orders', "'lock_order'", [orders]],
  [
    'order-of-a-merchant',
    'orders/orders',
    "'select_merchant_order'",
    [orders],
    'account_id = $merchant_account_id',
  ],
  [
    'answered-order',
    'orders/orders',
    'from orders o where',
    [orders, answers],
    'account_id = $merchant_account_id',
  ],
  ['orders', 'orders/orders', 'const ofBuyer', [orders]],
  ['orders-of-a-merchant', 'orders/orders', 'const ofMerchant', [orders]],
  ['destination', 'destinations/destinations', "'select_destination'", [destinations]],
  ['destinations', 'destinations/destinations', "'select_destinations'", [destinations]],
  ['item', 'merchant-catalog/items', "'select_catalog_item'", [items]],
  ['locked-item', 'merchant-catalog/items', "'lock_catalog_item'", [items]],
  ['items', 'merchant-catalog/items', 'const filter =', [items]],
]

/** Without its filter a statement finds the row of anybody, or changes it. */
export const tenancyGuards: readonly Guard[] = filtered.flatMap(
  ([id, file, statement, killers, column = 'account_id = $account_id']) => {
    const place = { file: `src/features/${file}.sql.ts`, after: statement, killers }
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
