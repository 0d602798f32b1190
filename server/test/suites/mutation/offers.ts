import { type Listed, missedBeside, missedBy } from './guard.ts'

/** How much a merchant gives away at most, and who may write a profile without a key. */
export const offersGuards: readonly Listed[] = [
  ...missedBeside({
    'promotion-only-while-active': ["statusAt(promotion, now) !== 'active", "promotion.status === 'draft"],
    'promotion-total-uses': ['taken.uses >= caps.total_uses', 'taken.uses > caps.total_uses'],
    'promotion-uses-of-one': ['identity.uses >= perIdentity', 'identity.uses > perIdentity'],
    'promotion-budget': ['taken.discountAmount + discount >', 'taken.discountAmount >'],
    'discount-within-the-price': ['min(given, price)', 'given'],
    'tax-on-what-is-left': [' - merchandise'],
    'rate-only-without-discount': 'always',
    'quoted-while-published': ["if (item?.status !== 'published')", 'if (item === null)'],
    'quoted-within-stock': ['stockFor(variant, quantity)', 'stockFor(variant, 0)'],
    'link-opens-once': ["next(linkTable, statusAt(row, ctx.now), 'open')", "'opened' as const"],
    'form-of-our-own-page': ['!isOurs || '],
    'link-opened-by-our-own-page': 'gone',
    'text-stays-text': ['return escaped(String(part))', 'return String(part)'],
  }),
  ...missedBy(['src/domain/selling/pricing/price-cart.test.ts'], {
    'best-promotion': ['offOf(verdict) > offOf(best)', 'offOf(verdict) < 0n'],
    'stock-over-all-lines': ['(this.#wanted.get(variant.id) ?? 0) + quantity', 'quantity'],
    'sold-in-its-currency': 'never',
  }),
  ...missedBy(['src/domain/selling/promotions/promotion-uses.test.ts'], {
    'uses-counted-under-a-lock': [
      'ctx.tx.rows(lockCounters({ ...tenant, ids: locked }))',
      'Promise.resolve([])',
    ],
    'own-use-given-back': ['...(held.length > 0 ?', '...(held.length < 0 ?'],
  }),
  ...missedBy(['test/flows/promoted-purchase.test.ts'], {
    'order-by-what-is-held': [')) ', ') && ctx.now.getTime() === 0) '],
    'use-given-back': ["'order.rejected': 'released'", "'order.rejected': 'settled'"],
  }),
  ...missedBy(['src/domain/buyers/onboarding-links/onboarding-pages.http.test.ts'], {
    'form-taken-once': ["next(linkTable, statusAt(row, ctx.now), 'complete')", "'completed' as const"],
  }),
]
