import { type Guard, guardsOf } from './guard.ts'

const changedMerchant = 'test/flows/changed-merchant.test.ts'
const twoAccounts = 'test/flows/two-accounts.test.ts'
const decidePurchase = 'src/domain/policies/decide-purchase.test.ts'
const merchantSeen = 'src/domain/policies/merchant-identity.test.ts'
const merchantIdentity = 'src/domain/selling/merchant/merchant-identity.test.ts'
const itemUrls = 'src/domain/selling/catalog/item-urls.http.test.ts'
const updateMerchant = 'src/domain/selling/merchant/update-merchant.http.test.ts'

/** The seller is still the merchant that the decision was made for, and its own word alone gives it nothing. */
export const identityGuards: readonly Guard[] = [
  ...guardsOf('src/domain/selling/catalog/resolve-urls.ts', [itemUrls], {
    'one-item-at-a-url': {
      keeps: 'of two items that a link could lead to, none is bought for the other',
      find: 'return others.length === 0 ? (item ?? null) : null',
      replace: 'return item ?? null',
      only: 'only the exact URL',
    },
  }),
  ...guardsOf('src/domain/buying/intents/create/quoted.ts', [changedMerchant], {
    'same-merchant-at-accept': {
      keeps: 'a quote is accepted only from the merchant that was asked',
      find: 'hasMerchantChanged(row.merchant_identity, identityOf(merchant))',
      replace: 'false',
      only: 'after it quoted is not bought from',
    },
  }),
  ...guardsOf('src/domain/buying/intents/decide/approve-purchase-intent.ts', [changedMerchant], {
    'same-merchant-at-approve': {
      keeps: 'an approval does not move a purchase to another merchant',
      find: "if (isSoldByOthers(loaded, sold, retried)) throw new Problem('merchant_changed')",
      replace: '',
      only: 'an approval is refused',
    },
  }),
  ...guardsOf('src/domain/buying/execution/native/native.ts', [changedMerchant], {
    'same-merchant-at-the-catalog': {
      keeps: 'nothing is authorized for a merchant that has become another',
      find: "if (isChanged) return { kind: 'refused', code: 'merchant_changed', message: null }",
      replace: '',
      only: 'by its URL: nothing is authorized',
    },
    'same-merchant-at-the-order': {
      keeps: 'a merchant that became another while the money was held gets no order',
      find: 'if (request.items.some((item) => isSoldByAnother(item.soldBy, merchant)))',
      replace: 'if (request.items.length === 0)',
      only: 'the authorization is released',
    },
  }),
  ...guardsOf('src/domain/buying/execution/native/quoted-offer.ts', [changedMerchant], {
    'same-merchant-at-the-offer': {
      keeps: 'nothing is authorized for a quote of a merchant that has become another',
      find: "if (isSoldByAnother(item.soldBy, merchant)) return refusedWith('merchant_changed', null)",
      replace: '',
      only: 'at a quoted price: nothing is authorized',
    },
  }),
  ...guardsOf('src/domain/policies/merchant-identity.ts', [merchantSeen], {
    'claimed-domain-is-unknown': {
      keeps: 'a domain without proof is on no allow list',
      find: 'domain: merchant.is_verified ? hostname : null',
      replace: 'domain: hostname',
    },
    'claimed-category-is-unknown': {
      keeps: 'a category counts only of a proved merchant, once confirmed',
      find: 'merchant.is_verified && merchant.is_mcc_confirmed',
      replace: 'merchant.is_mcc_confirmed',
    },
    'claimed-country-is-unknown': {
      keeps: 'a country counts once it is confirmed',
      find: 'merchant.is_verified && merchant.is_country_confirmed',
      replace: 'merchant.is_verified',
    },
  }),
  ...guardsOf('src/domain/policies/judge-rules.ts', [decidePurchase], {
    'claimed-names-are-blocked': {
      keeps: 'a blocked domain is blocked also where it is only claimed',
      find: '(domain === null ? claims : [domain, ...claims])',
      replace: '(domain === null ? [] : [domain])',
    },
    'unknown-country-of-a-merchant': {
      keeps: 'the country of the address does not stand for that of the merchant',
      find: 'merchants.map(({ country }) => country)',
      replace: 'merchants.map(({ country }) => country).filter((country) => country !== null)',
    },
  }),
  ...guardsOf('src/domain/selling/merchant/merchant-identity.ts', [merchantIdentity], {
    'confirmed-in-live-mode': {
      keeps: 'a category that the operator has not confirmed counts for nothing in live mode',
      find: '(mcc !== null && mcc === row.mcc_confirmed)',
      replace: 'mcc !== null',
    },
    'lost-verification-is-a-change': {
      keeps: 'a merchant that lost its verification is another one',
      find: '(then.is_verified && !now.is_verified) ||',
      replace: '',
    },
  }),
  ...guardsOf('src/domain/selling/merchant/update-merchant.ts', [updateMerchant], {
    'backend-keeps-the-identity': {
      keeps: 'a key of a backend does not change who the merchant is',
      find: "if (ctx.scopes.has('merchant:identity')) return\n",
      replace: 'if (ctx.scopes.size > 0) return\n',
      only: 'a key of a merchant',
    },
  }),
  ...guardsOf('src/domain/selling/merchant/test-domains.ts', [updateMerchant], {
    'sandbox-domains-are-reserved': {
      keeps: 'no account takes the domains of the sandbox',
      find: 'if (isSandboxDomain(domain)) return null',
      replace: '',
      only: 'of the sandbox is reserved',
    },
    'one-holder-of-a-test-domain': {
      keeps: 'a domain of another account is not taken from it, nor a domain below it',
      find: 'holder ? null : heldTestDomain(ctx, domain)',
      replace: 'heldTestDomain(ctx, domain)',
      only: 'counts as verified for the first merchant',
    },
  }),
  ...guardsOf('src/domain/buying/execution/begin-intent.ts', [twoAccounts], {
    'bought-from-whom-it-was-made-with': {
      keeps: 'execution buys from the merchant that the purchase was made with',
      find: 'item.merchant?.account_id ?? now?.account_id ?? null',
      replace: 'null',
      only: 'goes to that account',
    },
  }),
]
