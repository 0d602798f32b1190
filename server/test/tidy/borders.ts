import ts from 'typescript'
import { at, type Finding, type Rule, type SourceFile } from './rule.ts'

/**
 * What still crosses, by the slice's public.ts: statements that are to become functions or fragments, and rows that are to become
 * values. An entry is removed as soon as nothing exports it; none is added.
 */
const stillCrossing: Readonly<Record<string, readonly string[]>> = {
  'server/src/domain/accounts/api-keys/public.ts': ['AgentRow'],
  'server/src/domain/buyers/payment-methods/public.ts': [
    'PaymentMethodRow',
    'lockUsablePaymentMethod',
    'selectUsablePaymentMethod',
  ],
  'server/src/domain/buyers/profiles/public.ts': ['BuyerRow', 'ProfileRow', 'selectProfile'],
  'server/src/domain/buying/intents/public.ts': ['CartRow', 'IntentRow'],
  'server/src/domain/policies/public.ts': ['ApplicablePolicyRow', 'selectApplicablePolicies'],
  'server/src/domain/selling/catalog/public.ts': ['ItemRow', 'selectItem'],
  'server/src/domain/selling/locations/public.ts': ['LocationRow'],
  'server/src/domain/selling/markets/public.ts': ['MarketRow'],
  'server/src/domain/selling/merchant/public.ts': [
    'IdentityRow',
    'MerchantRow',
    'SellerRow',
    'merchantTimes',
    'selectMerchantRow',
    'selectSeller',
    'selectSellersByHosts',
  ],
  'server/src/domain/selling/promotions/public.ts': ['PromotionRow', 'orderByUse', 'selectRunningPromotions'],
  'server/src/domain/trade/orders/public.ts': ['OrderRow', 'selectEarlierOrder', 'selectOrder'],
  'server/src/domain/trade/quotes/public.ts': ['QuoteRow', 'quoteTimes', 'selectQuote'],
}

/** Values and functions cross a border between slices. */
export const borderRules: readonly Rule[] = [
  {
    name: 'statements-and-rows-stay-inside',
    applies: (path) => /^server\/src\/domain\/.+\/public\.ts$/.test(path),
    find: (file) => crossings(file, stillCrossing[file.path] ?? []),
  },
]

/** Lets `allowed` shrink and not grow. */
export function crossings(file: SourceFile, allowed: readonly string[]): Finding[] {
  const found = file.tree().statements.filter(ts.isExportDeclaration).flatMap(exportedInside)
  const stale = allowed.filter((name) => !found.some((one) => one.name === name))
  return [
    ...found
      .filter(({ name }) => !allowed.includes(name))
      .map(({ node, name, what }) => at(file, node, `${name} is ${what}, which stays inside its slice`)),
    ...stale.map((name) => ({ line: 1, what: `${name} crosses no more: remove it from stillCrossing` })),
  ]
}

type Crossing = { node: ts.Node; name: string; what: string }

function exportedInside(node: ts.ExportDeclaration): Crossing[] {
  const { moduleSpecifier, exportClause } = node
  const isSql =
    moduleSpecifier !== undefined &&
    ts.isStringLiteral(moduleSpecifier) &&
    moduleSpecifier.text.endsWith('.sql.ts')
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) {
    return isSql ? [{ node, name: '*', what: 'SQL' }] : []
  }
  return exportClause.elements.flatMap((element) => {
    const names = [element.name.text, element.propertyName?.text ?? '']
    if (isSql) return [{ node: element, name: element.name.text, what: 'SQL' }]
    return names.some((name) => name.endsWith('Row'))
      ? [{ node: element, name: element.name.text, what: 'a row' }]
      : []
  })
}
