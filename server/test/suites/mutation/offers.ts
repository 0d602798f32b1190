import { type Guard, guardsOf } from './guard.ts'

const promotions = 'src/domain/selling/promotions'
const uses = `${promotions}/promotion-uses.test.ts`
const decide = `${promotions}/decide-promotion.test.ts`
const promoted = 'test/flows/promoted-purchase.test.ts'
const pricing = 'src/domain/selling/pricing'
const priceCart = `${pricing}/price-cart.test.ts`
const priceQuoted = `${pricing}/price-quoted.test.ts`
const links = 'src/domain/buyers/onboarding-links'
const pages = `${links}/onboarding-pages.http.test.ts`

/** How much a merchant gives away at most, and who may write a profile without a key. */
export const offersGuards: readonly Guard[] = [
  ...guardsOf(`${promotions}/decide-promotion.ts`, [decide], {
    'promotion-only-while-active': {
      keeps: 'a promotion that is paused, over or not begun is not offered',
      find: "statusAt(promotion, now) !== 'active'",
      replace: "promotion.status === 'draft'",
    },
    'promotion-total-uses': {
      keeps: 'a promotion is used as often as it may be',
      find: 'taken.uses >= caps.total_uses',
      replace: 'taken.uses > caps.total_uses',
    },
    'promotion-uses-of-one': {
      keeps: 'one person does not use a promotion more often than it allows',
      find: 'identity.uses >= perIdentity',
      replace: 'identity.uses > perIdentity',
    },
    'promotion-budget': {
      keeps: 'discounts come to no more than their budget',
      find: 'taken.discountAmount + discount >',
      replace: 'taken.discountAmount >',
    },
    'discount-within-the-price': {
      keeps: 'no discount is above the price that it is taken off',
      find: 'min(given, price)',
      replace: 'given',
    },
  }),
  ...guardsOf(`${promotions}/best-discount.ts`, [priceCart], {
    'best-promotion': {
      keeps: 'a cart gets the promotion that takes most off it',
      find: 'offOf(verdict) > offOf(best)',
      replace: 'offOf(verdict) < 0n',
    },
  }),
  ...guardsOf(`${pricing}/sold-line.ts`, [priceCart], {
    'stock-over-all-lines': {
      keeps: 'lines of one variant do not sell the same units twice',
      find: '(this.#wanted.get(variant.id) ?? 0) + quantity',
      replace: 'quantity',
    },
    'sold-in-its-currency': {
      keeps: 'no price is taken for one in another currency',
      find: 'if (variant.currency !== cart.currency)',
      replace: 'if (false)',
    },
  }),
  ...guardsOf(`${pricing}/price-cart.ts`, [priceCart], {
    'tax-on-what-is-left': {
      keeps: 'tax is computed on the price after discounts',
      find: 'taxOf(subtotal - merchandise, taxBasisPoints)',
      replace: 'taxOf(subtotal, taxBasisPoints)',
    },
    'rate-only-without-discount': {
      keeps: 'a repriced order with a discount keeps the part of tax that it had',
      find: 'merchandise === 0n ? taxBasisPoints : null',
      replace: 'taxBasisPoints',
    },
  }),
  ...guardsOf(`${pricing}/price-quoted.ts`, [priceQuoted], {
    'quoted-while-published': {
      keeps: 'a quoted item is bought only while it is for sale',
      find: "if (item?.status !== 'published')",
      replace: 'if (item === null)',
    },
    'quoted-within-stock': {
      keeps: 'a quote sells no more than there is',
      find: 'stockFor(variant, quantity)',
      replace: 'stockFor(variant, 0)',
    },
  }),
  ...guardsOf(`${promotions}/reserve-promotion-use.ts`, [uses], {
    'uses-counted-under-a-lock': {
      keeps: 'of two carts that want the last use, the second finds it taken',
      find: 'ctx.tx.rows(lockCounters({ ...tenant, ids: locked })),',
      replace: 'Promise.resolve([]),',
    },
    'own-use-given-back': {
      keeps: 'a cart holds one use at most',
      find: '...(held.length > 0 ?',
      replace: '...(held.length < 0 ?',
    },
  }),
  ...guardsOf('src/domain/buying/execution/native/native.ts', [promoted], {
    'order-by-what-is-held': {
      keeps: 'no order is placed with a discount that is held no longer',
      find: 'if (!(await orderByPromotions(ctx, request, id))) return',
      replace: 'if (!(await orderByPromotions(ctx, request, id)) && ctx.now.getTime() === 0) return',
    },
  }),
  ...guardsOf(`${promotions}/follow-orders.ts`, [promoted], {
    'use-given-back': {
      keeps: 'an order that is not confirmed releases its use',
      find: "'order.rejected': 'released'",
      replace: "'order.rejected': 'settled'",
    },
  }),
  ...guardsOf(`${links}/onboarding-pages.ts`, [pages], {
    'link-opens-once': {
      keeps: 'a link is exchanged once, by the first browser',
      find: "const status = next(linkTable, statusAt(row, ctx.now), 'open')",
      replace: "const status = 'opened' as const",
    },
    'form-of-our-own-page': {
      keeps: 'no other page makes a browser send the form of its session',
      find: 'if (!isOurs || isFromElsewhere(request, parts.settings.publicUrl))',
      replace: 'if (isFromElsewhere(request, parts.settings.publicUrl))',
    },
    'link-opened-by-our-own-page': {
      keeps: 'no other page makes a browser use up a link',
      after: 'async function exchangeToken',
      find: 'if (isFromElsewhere(request, parts.settings.publicUrl)) return strangeFormPage()',
      replace: '',
    },
  }),
  ...guardsOf(`${links}/complete-link.ts`, [pages], {
    'form-taken-once': {
      keeps: 'a form is taken once, and not after its link was revoked',
      find: "const status = next(linkTable, statusAt(row, ctx.now), 'complete')",
      replace: "const status = 'completed' as const",
    },
  }),
  ...guardsOf('src/platform/pages/html.ts', ['src/platform/pages/html.test.ts'], {
    'text-stays-text': {
      keeps: 'text that people type never becomes markup',
      find: 'return escaped(String(part))',
      replace: 'return String(part)',
    },
  }),
]
