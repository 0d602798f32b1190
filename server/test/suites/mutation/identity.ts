import { type Listed, missedBeside, missedBy } from './guard.ts'

/** The seller is still the merchant that the decision was made for, and its own word alone gives it nothing. */
export const identityGuards: readonly Listed[] = [
  ...missedBeside({
    'claimed-domain-is-unknown': 'always',
    'claimed-category-is-unknown': ['is_verified && merchant.is_mcc_confirmed', 'is_mcc_confirmed'],
    'claimed-country-is-unknown': ['&& merchant.is_country_confirmed '],
    'confirmed-in-live-mode': ['(mcc !== null && mcc === row.mcc_confirmed)', 'mcc !== null'],
    'lost-verification-is-a-change': ['(then.is_verified && !now.is_verified) ||'],
    'backend-keeps-the-identity': { how: 'always', only: 'a key of a merchant' },
  }),
  ...missedBy(['src/domain/selling/catalog/item-urls.http.test.ts'], {
    'one-item-at-a-url': {
      how: ['return others.length === 0 ? (item ?? null) : null', 'return item ?? null'],
      only: 'only the exact URL',
    },
  }),
  ...missedBy(['test/flows/changed-merchant.test.ts'], {
    'same-merchant-at-accept': {
      how: ['hasMerchantChanged(row.merchant_identity, identityOf(merchant))', 'false'],
      only: 'after it quoted is not bought from',
    },
    'same-merchant-at-approve': { how: 'gone', only: 'an approval is refused' },
    'same-merchant-at-the-catalog': { how: 'gone', only: 'by its URL: nothing is authorized' },
    'same-merchant-at-the-order': { how: 'never', only: 'the authorization is released' },
    'same-merchant-at-the-offer': { how: 'gone', only: 'at a quoted price: nothing is authorized' },
  }),
  ...missedBy(['src/domain/policies/decide-purchase.test.ts'], {
    'claimed-names-are-blocked': ['claims : [domain, ...claims', '[] : [domain'],
    'unknown-country-of-a-merchant': ['country)', 'country).filter((country) => country !== null)'],
  }),
  ...missedBy(['src/domain/selling/merchant/update-merchant.http.test.ts'], {
    'sandbox-domains-are-reserved': { how: 'gone', only: 'of the sandbox is reserved' },
    'one-holder-of-a-test-domain': { how: 'never', only: 'counts as verified for the first merchant' },
  }),
  ...missedBy(['test/flows/two-accounts.test.ts'], {
    'bought-from-whom-it-was-made-with': {
      how: ['item.merchant?.account_id ?? now?.account_id ?? '],
      only: 'goes to that account',
    },
  }),
]
