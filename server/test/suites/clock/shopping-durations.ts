/** Those of who buys at a page: all are waits of one process for one page. A part of `durations`. */
export const shoppingDurations = {
  'cli/purchases/interruption.ts sameRequestMs': {
    value: '1_000',
    local: 'within this time a second Ctrl-C is the same one',
  },
  'browser/shopper/tab.ts quietMs': { value: '90', local: 'a page in which nothing changes any more' },
  'browser/shopper/tab.ts restlessMs': { value: '2_000', local: 'a page that never comes to rest' },
  'browser/shopper/tab.ts answerMs': { value: '8_000', local: 'an answer that a page waits for' },
  'browser/shopper/tab.ts settleMs': { value: '25_000', local: 'the next page of a shop' },
  'browser/shopper/tab.ts deafMs': { value: '30_000', local: 'a page that answers nothing' },
  'browser/shopper/watch-network.ts leavingMs': {
    value: '2_000',
    local: 'a page that has said that it leaves',
  },
  'browser/shopper/after-order.ts answerMs': {
    value: '20_000',
    local: 'what a shop says of an order; the shop that hangs shows its end',
  },
  'browser/shopper/after-order.ts lookMs': { value: '250', local: 'between two looks at a page' },
  'browser/shopper/page-help.ts moveMs': {
    value: '20_000',
    local: 'one answer of a page reader; longer than a worker waits for its model',
  },
  'browser/shopper/page-help.ts helpMs': {
    value: '90_000',
    local: 'all answers of a page reader at one visit',
  },
  'browser/shopper/watch-network.ts unreadMs': {
    value: '800',
    local: 'an answer that a script does not read to its end',
  },
  'browser/shopper/review-after-card.ts reviewMs': {
    value: '20_000',
    local: 'the page after the card',
  },
  'browser/shopper/review-after-card.ts repeatedMs': {
    value: '1_500',
    local: 'a page that only asks for the card again',
  },
  'browser/shopper/review-after-card.ts lookMs': {
    value: '200',
    local: 'between two looks for the page after the card',
  },
  'browser/shopper/go-to-payment.ts lookMs': {
    value: '200',
    local: 'between two looks for the ways of delivery',
  },
  'browser/shopper/place-task.ts frameLookMs': {
    value: '200',
    local: 'between two looks for the fields of a card',
  },
} as const
