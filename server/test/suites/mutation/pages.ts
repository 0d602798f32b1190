import { type Listed, missedBeside, missedBy } from './guard.ts'

/** Purchases at the pages of shops: where a browser may go, and for whom the vault opens what it keeps. */
export const pagesGuards: readonly Listed[] = [
  ...missedBeside({
    'a-page-stays-at-its-shop': 'always',
    'cards-at-the-shop-and-where-one-pays': 'always',
    'no-cards-where-banks-ask': ["roles?.has('frame') || roles?.has('page')", 'roles !== undefined'],
    'passwords-at-the-shop-alone': ['=== this.#merchantDomain', '!== null'],
    'addresses-hold-no-secret': [
      '(secret.length >= tellingLength && texts.some((text) => text.includes(secret)))',
      'false',
    ],
    'no-new-hosts-after-the-card': 'always',
    'no-way-without-the-secret': [
      'timingSafeEqual(said, way.password)',
      'said.length === way.password.length',
    ],
    'test-mode-reaches-the-sandbox-alone': [' || !isLoopbackAddress(address)'],
    'live-mode-reaches-the-public-alone': ['{ admits: isPublicAddress,', '{ admits: () => true,'],
    'the-last-place-is-for-others': ['return left > (held === 0 ? 0 : 1)', 'return left > 0'],
    'the-tenant-with-fewest-is-next': ['.sort((a, b) => compare(rank(a), rank(b)))'],
    'no-message-too-long': 'always',
    'no-flood-of-messages': [' || !messages.take(1)) return false', ') return false'],
    'no-higher-total-by-a-second-reading': ['read.total <= agreed.total && '],
    'the-same-goods-by-a-second-reading': [' && linesOf(read) === linesOf(agreed)'],
    'questions-leave-room-for-codes': 'never',
    'secrets-are-never-asked': 'never',
    'readers-name-no-secrets': 'never',
    'one-meaning-once-by-a-reader': 'never',
    'names-are-confirmed-by-the-shop': ['!saysItself(entry) && !task.confirmed.has(markOf(entry))', 'false'],
    'asked-once-by-a-cart': 'never',
    'shops-ask-so-often': 'never',
    'kept-answers-are-named': ['isAsked && isNamed(one) ?', 'isAsked ?'],
    'nobody-types-nothing': 'never',
    'answered-at-its-host': ['one.host === host && '],
    'tickets-open-once': 'gone',
    'tickets-for-their-host': [' || `https://${ticket.host}` !== origin'],
    'tickets-for-their-cart': ['!isSame(ticket.cart, cart) || '],
    'few-guesses-at-a-ticket': 'gone',
    'chromium-is-the-unpacked-one': ['found === checked', 'checked !== null'],
  }),
  ...missedBy(['test/shopping/page-reader.test.ts'], {
    'readers-choose-no-places': { how: [' && !isPlace'], only: 'chooses where the goods go' },
  }),
  ...missedBy(['test/flows/browser-guard.test.ts'], {
    'windows-ask-nobody': {
      how: ['!== undefined && isOurs && !mayOpen(info)', '=== undefined'],
      only: 'one window after the other',
    },
    'no-windows-of-a-shop': { how: ['if (mayOpen(targetInfo)) '], only: 'one window after the other' },
  }),
  ...missedBy(['test/shopping/ways-to-checkouts.test.ts'], {
    'nobody-passes-the-page-that-asks-who-buys': { how: 'never', only: 'as nobody: German, on one page' },
  }),
  ...missedBy(['test/flows/looking-at-pages.test.ts'], {
    'checked-shops-are-known': { how: 'never', only: 'contacts no shop' },
  }),
  ...missedBy(['test/flows/vault-process.test.ts'], {
    'grants-for-their-origin': {
      how: ['g.origin = $origin', '$origin::text is not null'],
      only: 'another origin',
    },
    'grants-of-later-leases': {
      how: [' and g.lease_token <= excluded.lease_token'],
      only: 'of an earlier lease',
    },
    'one-redemption-of-a-card': { how: ['redeemed_at is null and g.'], only: 'of an earlier lease' },
  }),
  ...missedBy(['test/flows/vault-refusals.test.ts'], {
    'refusals-in-a-row': { how: 'never', only: 'after three refusals' },
    'refusals-at-once': { how: 'never', only: 'of fifty wrong numbers' },
  }),
  ...missedBy(['test/flows/vault-door.test.ts'], {
    'pages-of-elements': { how: 'never', only: 'pages of another origin' },
    'sessions-that-may-write': { how: 'never', only: 'without the right to' },
    'entered-cards-in-a-time': {
      how: ['await countEntry({ pools, limits }, session, address)', 'null'],
      only: 'has five cards',
    },
    'test-numbers-in-test-mode': { how: 'never', only: 'takes real cards' },
    'codes-are-taken-once': { how: 'always', only: 'taken for one purchase' },
    'codes-of-the-profile': { how: ['${profile} '], only: 'another profile, mode' },
  }),
  ...missedBy(['test/flows/vault-kept-cards.test.ts'], {
    'kept-cards-are-not-shredded': {
      how: [" and (kind = 'issued' or not ${isKept})"],
      only: 'of two profiles',
    },
    'forgotten-cards-go': { how: ["keep_until = 'infinity' or "], only: 'goes with the last' },
    'kept-cards-stay': { how: [' and not ${isKept}'], only: 'goes with the last' },
  }),
]
