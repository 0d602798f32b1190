import type { JsonSchema } from '../schema/json-schema.ts'

/** What the groups of operations are about. */
const tags: Readonly<Record<string, string>> = {
  Profiles: 'The people and businesses you buy for: who is billed and where goods are shipped.',
  'Onboarding links':
    'Links to a hosted page where a person fills in a new profile or changes an existing one.',
  'Payment methods': "A profile's cards, kept as tokens, and their enrollment for purchases by agents.",
  Policies:
    'Reusable spending limits and rules, a simulation of what they decide, and the switch that freezes purchases.',
  'Purchase intents': 'Purchases: preview, create, approve, follow, cancel and retry them.',
  Quotes: 'Binding prices that you ask merchants for, and buy at.',
  Orders: 'The orders this account has placed with merchants, as their buyer.',
  Merchant: "The account's own merchant record: what is set, what is missing, what is verified.",
  'Merchant checks': 'Integration checks: proof that a destination works, and whether it still holds.',
  'Merchant catalog': 'What the merchant sells, one by one or from files.',
  Promotions: 'Discounts: for whom, for how long and how often.',
  'Merchant orders': 'Orders the merchant has received: confirm, reprice, fulfill and refund them.',
  'Merchant quotes': 'Answers of the merchant to quote requests.',
  'Business locations': 'Where goods leave from or are picked up.',
  Markets: 'The parts of the world the merchant sells to, with their currency and languages.',
  'Rate cards': 'What fulfillment costs, and where.',
  'Merchant destinations': "The merchant's webhook endpoints, their secrets, and what was delivered to them.",
  Webhooks: 'What is sent to destinations, one request for each event.',
  'Event destinations': "The account's webhook endpoints for its own purchases, orders and quotes.",
}

export function tagObject(name: string): JsonSchema {
  const description = tags[name]
  return { name, ...(description === undefined ? {} : { description }) }
}
