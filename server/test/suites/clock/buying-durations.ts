import { shoppingDurations } from './shopping-durations.ts'

const shownBy = 'domain/buying/execution/decide-stranger.test.ts'

/** Those of buying at merchants elsewhere. */
export const buyingDurations = {
  ...shoppingDurations,
  'domain/buying/execution/step.ts strangerChargesSeconds': { value: '60', shownBy },
  'domain/buying/execution/step.ts strangerReleasesSeconds': { value: '30', shownBy },
  'domain/buying/execution/step.ts strangerGiveUpSeconds': { value: '40', shownBy },
  'domain/buying/execution/step.ts strangerSettlesSeconds': { value: '30 * 86_400', shownBy },
  'domain/buying/execution/step.ts settlingMaxSeconds': { value: '3600', shownBy },
  'domain/buying/execution/timing.ts renewMs': {
    value: '5_000',
    local: 'how often a worker renews the lease of a row while it makes a long call',
  },
  'domain/buying/cart-results/cart-result.ts resultDays': {
    value: '30',
    shownBy: 'domain/buying/cart-results/get-cart-result.http.test.ts',
  },
  'domain/buying/cart-results/cart-result.ts dayMs': {
    value: '86_400_000',
    shownBy: 'domain/buying/cart-results/get-cart-result.http.test.ts',
  },
  'platform/retention/retention.ts resultDays': {
    value: '30',
    shownBy: 'domain/buying/cart-results/get-cart-result.http.test.ts',
  },
} as const
