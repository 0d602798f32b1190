import { dirname } from 'node:path'
import ts from 'typescript'
import { namedTables } from './named-tables.ts'
import { goneSince, namedAsOwn, owners, tablesAfter, tablesFile, tablesOfMigrations } from './owners.ts'
import { at, type Finding, isServerSource, type Rule, type SourceFile } from './rule.ts'
import { isStatement, type Literal, literals } from './statements.ts'

/** What looks at everything: checks of what must hold, and what operators do and are shown. */
const exempt = /\/(?:[a-z-]+-)?invariants[^/]*\.ts$|^server\/src\/cli\//

/**
 * Tables of others that files still name. An entry is removed as soon as its file names the table no more; none is added.
 */
const stillNamed: Readonly<Record<string, readonly string[]>> = {
  'server/src/domain/buyers/onboarding-links/links.sql.ts': ['accounts'],
  'server/src/domain/buyers/payment-methods/payment-methods.sql.ts': ['profiles'],
  'server/src/domain/buying/execution/collisions.sql.ts': ['carts', 'order_refunds', 'orders'],
  'server/src/domain/buying/execution/execution.sql.ts': ['carts', 'purchase_intents'],
  'server/src/domain/buying/execution/in-flight.sql.ts': ['api_keys', 'carts', 'purchase_intents'],
  'server/src/domain/buying/execution/slice.ts': ['carts', 'order_refunds', 'purchase_intents'],
  'server/src/domain/buying/intents/account-state.sql.ts': ['accounts', 'controls'],
  'server/src/domain/buying/intents/audit-rows.sql.ts': ['profiles'],
  'server/src/domain/buying/intents/charges.sql.ts': ['authorizations'],
  'server/src/domain/buying/intents/intent-events.sql.ts': ['events'],
  'server/src/domain/buying/intents/intents.sql.ts': ['api_keys'],
  'server/src/domain/buying/intents/search-intents.sql.ts': ['profiles'],
  'server/src/domain/policies/account-settings.sql.ts': ['accounts'],
  'server/src/domain/policies/past-intents.sql.ts': ['api_keys', 'purchase_intents'],
  'server/src/domain/policies/policies.sql.ts': ['accounts', 'agents', 'api_keys', 'profiles'],
  'server/src/domain/readiness/integration-checks/integration-checks.sql.ts': [
    'deliveries',
    'delivery_attempts',
    'destinations',
    'events',
    'orders',
    'quotes',
  ],
  'server/src/domain/selling/catalog/items.sql.ts': ['merchants'],
  'server/src/domain/selling/locations/locations.sql.ts': ['accounts'],
  'server/src/domain/selling/markets/markets.sql.ts': ['accounts'],
  'server/src/domain/selling/merchant/merchant.sql.ts': [
    'accounts',
    'catalog_items',
    'destinations',
    'quotes',
  ],
  'server/src/domain/selling/merchant/readiness.sql.ts': [
    'accounts',
    'catalog_items',
    'destination_secrets',
    'destinations',
    'integration_checks',
    'orders',
  ],
  'server/src/domain/selling/rate-cards/rate-cards.sql.ts': ['accounts', 'business_locations'],
  'server/src/domain/trade/orders/orders.sql.ts': ['events', 'purchase_intents'],
  'server/src/domain/trade/quotes/quotes.sql.ts': ['events'],
  'server/src/domain/trade/quotes/target.sql.ts': ['catalog_items', 'destinations', 'merchants'],
  'server/src/domain/webhooks/destinations/delivery-work.sql.ts': ['events'],
  'server/src/platform/doors/key-door.ts': ['agents', 'api_keys'],
  'server/src/platform/secrets/key-marks.sql.ts': ['api_keys'],
}

/** Rules about whose tables are whose. */
export const tableRules: readonly Rule[] = [
  {
    name: 'table-has-one-owner',
    applies: (path) => tablesFile.test(path) || /^server\/migrations\/[^/]+\.sql$/.test(path),
    find: (file) => (file.path.endsWith('.sql') ? unowned(file) : wronglyOwned(file)),
  },
  {
    name: 'sql-names-own-tables',
    applies: (path) => isServerSource(path) && !exempt.test(path),
    find: (file) => ratchet(file, foreignTables(file), stillNamed[file.path] ?? []),
  },
]

function unowned({ path, text }: SourceFile): Finding[] {
  return [...tablesAfter([text])]
    .filter((table) => !owners.has(table) && !goneSince(path).has(table))
    .map((table) => ({
      line: text.slice(0, text.indexOf(table)).split('\n').length,
      what: `no tables.ts says whose table ${table} is`,
    }))
}

function wronglyOwned(file: SourceFile): Finding[] {
  return namedAsOwn(file.tree()).flatMap((node) => {
    const others = (owners.get(node.text) ?? []).filter((path) => path !== file.path)
    if (others.length > 0) return [at(file, node, `${node.text} belongs to ${others.join(' and ')} too`)]
    return tablesOfMigrations.has(node.text) ? [] : [at(file, node, `no migration makes ${node.text}`)]
  })
}

type Named = { node: ts.Node; table: string }

function foreignTables(file: SourceFile): Named[] {
  return literals(file)
    .filter(({ node }) => !ts.isLiteralTypeNode(node.parent))
    .flatMap((literal) => [...tablesIn(file.path, literal)].map((table) => ({ node: literal.node, table })))
    .filter(({ table }) => !isOwn(file.path, table))
}

/** SQL by its words; a name alone where it can only be that of a table. */
function tablesIn(path: string, literal: Literal): Set<string> {
  const { node, text } = literal
  const isSql = path.endsWith('.sql.ts')
  if (owners.has(text)) {
    const isQueue = ts.isPropertyAssignment(node.parent) && node.parent.name.getText() === 'table'
    return new Set(isSql || isQueue ? [text] : [])
  }
  if (!isSql && !isStatement(literal)) return new Set()
  return new Set(namedTables(text, (name) => owners.has(name)).map(({ table }) => table))
}

/** Lets `allowed` shrink and not grow. */
export function ratchet(file: SourceFile, named: readonly Named[], allowed: readonly string[]): Finding[] {
  const stale = allowed.filter((table) => !named.some((one) => one.table === table))
  return [
    ...named
      .filter(({ table }) => !allowed.includes(table))
      .map(({ node, table }) =>
        at(
          file,
          node,
          `${table} belongs to ${owners
            .get(table)
            ?.map((owner) => dirname(owner))
            .join(', ')}`,
        ),
      ),
    ...stale.map((table) => ({ line: 1, what: `${table} is named no more: remove it from stillNamed` })),
  ]
}

/** Platform keeps its tables together: what it writes of one change, in one transaction, is over all of them. */
function isOwn(path: string, table: string): boolean {
  return (owners.get(table) ?? []).some((owner) => {
    const room = owner.startsWith('server/src/platform/') ? 'server/src/platform' : dirname(owner)
    return path.startsWith(`${room}/`)
  })
}
