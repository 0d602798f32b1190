import { type Guard, guardsOf } from './guard.ts'

const rules = 'src/browser/guard/visit-rules.test.ts'
const proxy = 'src/browser/guard/visit-proxy.test.ts'
const windows = 'test/flows/browser-guard.test.ts'
const offers = 'src/browser/compare-offers.test.ts'
const tickets = 'src/vault/sealed-tickets.test.ts'
const vault = 'test/flows/vault-process.test.ts'
const places = 'src/browser/visit-places.test.ts'
const messages = 'src/browser/chromium/message-reader.test.ts'

/** Purchases at the pages of shops: where a browser may go, and for whom the vault opens what it keeps. */
export const pagesGuards: readonly Guard[] = [
  ...guardsOf('src/browser/guard/visit-rules.ts', [rules], {
    'a-page-stays-at-its-shop': {
      keeps: 'the page of a shop leads to nobody but the shop and to where one pays',
      find: 'return this.#isTheirs(url.hostname) || paymentRoleOf(url.hostname) !== null',
      replace: 'return true',
    },
    'cards-at-the-shop-and-where-one-pays': {
      keeps: 'a card is typed at its shop and at known hosts of payment alone',
      find: 'return url.port === this.#site.port && withoutWww(url.hostname) === withoutWww(this.#site.hostname)',
      replace: 'return true',
    },
    'no-cards-where-banks-ask': {
      keeps: 'a card is typed at no page of a bank',
      find: "if (role === 'frame' || role === 'page') return url.port === ''",
      replace: "if (role !== null) return url.port === ''",
    },
    'passwords-at-the-shop-alone': {
      keeps: 'a password is typed at hosts of its shop alone',
      find: 'domainOf(url.hostname) === this.#merchantDomain\n  }\n}',
      replace: 'domainOf(url.hostname) !== null\n  }\n}',
    },
    'addresses-hold-no-secret': {
      keeps: 'no address holds a password or a card number that was typed',
      find: '(secret.length >= tellingLength && texts.some((text) => text.includes(secret)))',
      replace: 'false',
    },
    'no-new-hosts-after-the-card': {
      keeps: 'once a card is typed, its page contacts nobody whom it has not before',
      find: '!this.#isClosed || this.#contacted',
      replace: 'true || this.#contacted',
    },
  }),
  ...guardsOf('src/browser/guard/guard-visit.ts', [windows], {
    'windows-ask-nobody': {
      keeps: 'a window that a page opens sends nothing before it is closed',
      find: 'if (info !== undefined && isOurs && !mayOpen(info))',
      replace: 'if (info === undefined)',
      only: 'one window after the other',
    },
    'no-windows-of-a-shop': {
      keeps: 'a shop opens no window',
      find: '  if (mayOpen(targetInfo)) return resolve(targetId)',
      replace: '  return resolve(targetId)',
      only: 'one window after the other',
    },
  }),
  ...guardsOf('src/browser/guard/visit-proxy.ts', [proxy], {
    'no-way-without-the-secret': {
      keeps: 'what is no visit reaches nothing through the browser',
      find: 'timingSafeEqual(said, way.password)',
      replace: 'said.length === way.password.length',
    },
    'test-mode-reaches-the-sandbox-alone': {
      keeps: 'a visit in test mode reaches no address but those of the sandbox',
      find: 'address === undefined || port === undefined || !isLoopbackAddress(address)',
      replace: 'address === undefined || port === undefined',
    },
    'live-mode-reaches-the-public-alone': {
      keeps: 'a visit in live mode reaches no address of the inside',
      find: '{ admits: isPublicAddress,',
      replace: '{ admits: () => true,',
    },
  }),
  ...guardsOf('src/browser/visit-places.ts', [places], {
    'the-last-place-is-for-others': {
      keeps: 'whatever one tenant buys, the next one finds a place',
      find: 'return left > (held === 0 ? 0 : 1)',
      replace: 'return left > 0',
    },
    'the-tenant-with-fewest-is-next': {
      keeps: 'of those that wait for a place, who has the fewest is next',
      find: 'return may.sort((a, b) => compare(rank(a), rank(b)))[0]',
      replace: 'return may[0]',
    },
  }),
  ...guardsOf('src/browser/chromium/message-reader.ts', [messages], {
    'no-message-too-long': {
      keeps: 'what a page makes Chromium say is not kept beyond what is ever needed',
      find: 'return isUnheard || size <= messageBytesMax',
      replace: 'return true',
    },
    'no-flood-of-messages': {
      keeps: 'a page that talks without end is ended, and others are heard',
      find: ' || !messages.take(1)) return false',
      replace: ') return false',
    },
  }),
  ...guardsOf('src/browser/compare-offers.ts', [offers], {
    'no-higher-total-by-a-second-reading': {
      keeps: 'an order that is priced anew costs no more than what was agreed to',
      find: 'read.total <= agreed.total && ',
      replace: '',
    },
    'the-same-goods-by-a-second-reading': {
      keeps: 'an order that is priced anew buys what was agreed to',
      find: ' && linesOf(read) === linesOf(agreed)',
      replace: '',
    },
  }),
  ...guardsOf('src/vault/sealed-tickets.ts', [tickets], {
    'tickets-open-once': {
      keeps: 'a ticket opens once',
      after: "return { kind: 'refused' }\n    }\n",
      find: 'this.#tickets.delete(id)',
      replace: '',
    },
    'tickets-for-their-host': {
      keeps: 'a ticket opens for the page of exactly its host',
      find: ' || `https://${ticket.host}` !== origin',
      replace: '',
    },
    'tickets-for-their-cart': {
      keeps: 'a ticket opens for its cart alone',
      find: '!isSame(ticket.cart, cart) || ',
      replace: '',
    },
    'few-guesses-at-a-ticket': {
      keeps: 'who has found a ticket cannot try carts and hosts',
      find: 'if (kept.refusals >= refusalsMax) this.#tickets.delete(id)',
      replace: '',
    },
  }),
  ...guardsOf('src/vault/vault.sql.ts', [vault], {
    'grants-for-their-origin': {
      keeps: 'a grant gives the card to a frame of its origin alone',
      find: ' and g.origin = $origin\n',
      replace: ' and $origin::text is not null\n',
      only: 'another origin',
    },
    'grants-of-later-leases': {
      keeps: 'a worker that was replaced gets no card',
      find: ' and g.lease_token <= excluded.lease_token',
      replace: '',
      only: 'of an earlier lease',
    },
    'one-redemption-of-a-card': {
      keeps: 'after a card was given out there is no second grant of it',
      find: 'where g.redeemed_at is null and g.lease_token',
      replace: 'where g.lease_token',
      only: 'of an earlier lease',
    },
  }),
]
