import type { LimitSpec } from './limit-spec.ts'

const windowSeconds = 3600

/** How many cards and security codes are entered in an hour: nobody tries out at our pages which numbers are good. */
export const cardLimits = {
  profileCards: {
    setting: 'PROKURA_LIMIT_PROFILE_CARDS',
    default: 5,
    max: 10_000,
    description: 'Cards and security codes that may be entered in an hour for one profile.',
    scope: 'profile.cards',
    windowSeconds,
  },
  profileSetups: {
    setting: 'PROKURA_LIMIT_PROFILE_CARD_SETUPS',
    default: 30,
    max: 10_000,
    description:
      'Forms in which the payment processor takes a card that may be opened in an hour for one profile.',
    scope: 'profile.card_setups',
    windowSeconds,
  },
  addressCards: {
    setting: 'PROKURA_LIMIT_ADDRESS_CARDS',
    default: 20,
    max: 100_000,
    description:
      'Cards and security codes that one address (v6: one /64) may enter in an hour in one account and mode.',
    scope: 'ip',
    windowSeconds,
  },
  keyCards: {
    setting: 'PROKURA_LIMIT_KEY_CARDS',
    default: 200,
    max: 1_000_000,
    description: 'Cards and security codes that may be entered in an hour under one publishable key.',
    scope: 'api_key.cards',
    windowSeconds,
  },
} as const satisfies Record<string, LimitSpec>
