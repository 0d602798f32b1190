import { type Listed, missedBy } from './guard.ts'

const twins = 'test/flows/twins.test.ts'
const policies = 'src/domain/policies/policies.http.test.ts'
const orders = 'src/domain/trade/orders/orders.http.test.ts'
const answers = 'src/domain/trade/orders/create-order-response.http.test.ts'

/** Without its filter a statement finds the row of anybody, or changes it. */
export const tenancyGuards: readonly Listed[] = [
  ...[
    'tenant-of-profiles',
    'tenant-of-card',
    'tenant-of-cards',
    'tenant-of-locked-cards',
    'tenant-of-card-that-pays',
    'tenant-of-owner-of-cards',
    'tenant-of-policies',
    'tenant-of-ended-reservations',
    'tenant-of-control',
    'tenant-of-written-control',
    'tenant-of-replayed-purchases',
    'tenant-of-intent',
    'tenant-of-locked-intent',
    'tenant-of-carts',
    'tenant-of-locked-carts',
    'tenant-of-audit-trail',
    'tenant-of-events-of-an-aggregate',
  ].flatMap((mark) => filtered(mark, [twins])),
  ...filtered(
    'tenant-of-settled-windows',
    [twins],
    'from held\n   where w.account_id = $account_id and w.mode = $mode',
  ),
  ...filtered('tenant-of-policies-that-apply', ['src/domain/policies/reserve-as-decided.test.ts']),
  ...filtered('tenant-of-policy', [twins, policies]),
  ...filtered('tenant-of-locked-policy', [twins, policies]),
  ...filtered('tenant-of-profiles-of-a-policy', [policies]),
  ...filtered('tenant-of-cards-of-a-policy', ['src/domain/policies/policies-by-card.http.test.ts']),
  ...filtered(
    'tenant-of-keys-of-a-policy',
    [policies],
    'api_keys\n   where account_id = $account_id and mode = $mode',
  ),
  ...filtered(
    'tenant-of-agents-of-a-policy',
    [policies],
    'agents\n   where account_id = $account_id and mode = $mode',
  ),
  ...filtered(
    'tenant-of-order-of-a-merchant',
    [orders],
    'account_id = $merchant_account_id and mode = $mode',
  ),
  ...filtered(
    'tenant-of-answered-order',
    [orders, answers],
    'account_id = $merchant_account_id and o.mode = $mode',
  ),
  ...[
    'tenant-of-holds-of-carts',
    'tenant-of-calls-of-carts',
    'tenant-of-refunds-of-orders',
    'tenant-of-orders-by-ids',
    'tenant-of-pictures-of-a-purchase',
  ].flatMap((mark) => filtered(mark, ['test/flows/evidence-bundles.test.ts'])),
  ...filtered('tenant-of-orders', [orders]),
  ...filtered('tenant-of-orders-of-a-merchant', [orders]),
  ...filtered('tenant-of-destination', ['src/domain/webhooks/destinations/destinations.http.test.ts']),
  ...filtered('tenant-of-destinations', ['src/domain/webhooks/destinations/destinations.http.test.ts']),
  ...filtered('tenant-of-items', ['src/domain/selling/catalog/catalog-items.http.test.ts']),
  ...filteredByKey(
    'tenant-of-row',
    [twins, 'src/domain/buyers/profiles/create-profile.http.test.ts'],
    'found)',
  ),
  ...filteredByKey(
    'tenant-of-locked-row',
    [twins, 'src/domain/buyers/profiles/profiles.http.test.ts'],
    'found}',
  ),
  ...filteredByKey('tenant-of-written-row', [twins], 'byKey}'),
]

/** A statement once without its account, and once without its mode. `text`: where they stand in it, if not everywhere. */
function filtered(mark: string, killers: readonly string[], text?: string): Listed[] {
  const { account, mode } = { account: text ?? 'account_id = $account_id', mode: text ?? 'mode = $mode' }
  return missedBy(killers, {
    [`${mark}/account`]: [account, account.replace(/account_id = \$\w+/, 'account_id is not null')],
    [`${mark}/mode`]: [mode, mode.replace('mode = $mode', 'mode is not null')],
  })
}

/** The same of the statements that every aggregate has alike. `text` names their condition, and ends with what follows it. */
function filteredByKey(mark: string, killers: readonly string[], text: string): Listed[] {
  const [name, end] = [text.slice(0, -1), text.slice(-1)]
  return missedBy(killers, {
    [`${mark}/account`]: [
      text,
      `${name}.replace('account_id = $account_id', 'account_id is not null')${end}`,
    ],
    [`${mark}/mode`]: [text, `${name}.replace('mode = $mode', 'mode is not null')${end}`],
  })
}
