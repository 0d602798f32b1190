import type { JsonSchema } from './json-schema.ts'

/** What the groups of operations are about. */
const tags: Readonly<Record<string, string>> = {
  Profiles: 'The people and businesses that are bought for: who is billed and shipped to.',
  'Onboarding links': 'Links to a page of ours on which a person fills in a profile, new or existing.',
  'Payment methods': "A profile's cards, as tokens, and their enrolment for purchases by agents.",
  Policies:
    'Reusable spending limits and rules, what they would decide, and the switch that freezes everything.',
  'Purchase intents':
    'Purchases, from the wish to the receipt: preview, create, approve, follow, cancel, retry.',
  Quotes: 'Binding prices that merchants are asked for, and what becomes of them.',
  Orders: 'Orders at native merchants, as the buyer sees them.',
  Merchant: "The account's own merchant record.",
  'Merchant checks': 'Proofs that a destination works, and how long they hold.',
  'Merchant catalog': 'What the merchant sells.',
  Promotions: 'What the merchant takes off its prices, for whom, for how long and how often.',
  'Merchant orders': 'Orders that the merchant has received, and its answers to them.',
  'Merchant quotes': 'Answers to requests for a price.',
  'Business locations': 'Where the merchant is: where goods leave from or are picked up.',
  Markets: 'Which part of the world the merchant sells to, in which currency and languages.',
  'Rate cards': 'What delivery costs where.',
  'Merchant destinations': "The merchant's webhook endpoints, their secrets, and what was delivered to them.",
  'Event destinations': "The account's webhook endpoints for its own purchases, orders and quotes.",
}

export function tagObject(name: string): JsonSchema {
  const description = tags[name]
  return { name, ...(description === undefined ? {} : { description }) }
}
