import { type Guard, guardsOf } from './guard.ts'

const promotions = 'src/domain/selling/promotions'
const uses = `${promotions}/promotion-uses.test.ts`
const decide = `${promotions}/decide-promotion.test.ts`
const promoted = 'test/flows/promoted-purchase.test.ts'
const links = 'src/domain/buyers/onboarding-links'
const pages = `${links}/onboarding-pages.http.test.ts`

/** What a merchant gives away at most, and who may write a profile without a key. */
export const offersGuards: readonly Guard[] = [
  ...guardsOf(`${promotions}/decide-promotion.ts`, [decide], {
    'promotion-only-while-active': {
      keeps: 'nobody is offered what is paused, over or not begun',
      find: "statusAt(promotion, now) !== 'active'",
      replace: "promotion.status === 'draft'",
    },
    'promotion-total-uses': {
      keeps: 'a promotion is used as often as it may be',
      find: 'taken.uses >= caps.total_uses',
      replace: 'taken.uses > caps.total_uses',
    },
    'promotion-uses-of-one': {
      keeps: 'nobody uses a promotion more often than one person may',
      find: 'identity.uses >= perIdentity',
      replace: 'identity.uses > perIdentity',
    },
    'promotion-budget': {
      keeps: 'discounts come to no more than their budget',
      find: 'taken.discountAmount + discount >',
      replace: 'taken.discountAmount >',
    },
    'discount-within-the-price': {
      keeps: 'no discount is above what it is taken off',
      find: 'min(given, price)',
      replace: 'given',
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
      find: 'if (!(await orderByPromotion(ctx, request, id))) return',
      replace: 'if (!(await orderByPromotion(ctx, request, id)) && ctx.now.getTime() === 0) return',
    },
  }),
  ...guardsOf(`${promotions}/follow-orders.ts`, [promoted], {
    'use-given-back': {
      keeps: 'an order that comes to nothing gives its use back',
      find: "'order.rejected': 'released'",
      replace: "'order.rejected': 'settled'",
    },
  }),
  ...guardsOf(`${links}/onboarding-pages.ts`, [pages], {
    'link-opens-once': {
      keeps: 'a link is exchanged once, by whoever comes first',
      find: "if (statusAt(row, ctx.now) !== 'pending') return row",
      replace: '',
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
      find: "statusAt(row, ctx.now) !== 'opened' ||",
      replace: '',
    },
  }),
  ...guardsOf(`${links}/html.ts`, [`${links}/html.test.ts`], {
    'text-stays-text': {
      keeps: 'what people type never becomes markup',
      find: 'return escaped(String(part))',
      replace: 'return String(part)',
    },
  }),
]
