import { type Listed, missedBeside, missedBy } from './guard.ts'

/** Transactions of several steps that run as one. */
export const groupsGuards: readonly Listed[] = [
  ...missedBeside({
    'a-root-once-in-a-group': { how: ['roots.has(root) || '], only: 'of one root' },
    'roots-in-one-order': {
      how: ['(one.root < other.root ? -1 : 1)', '(one.root < other.root ? 1 : -1)'],
      only: 'by as many statements as one',
    },
    'lost-inserts-are-not-repeated': {
      how: ['sqlState(error) !== null && connectionLost(error) === undefined', 'error !== null'],
      only: 'may have been committed',
    },
    'refused-inserts-are-sent-alone': { how: 'never', only: 'is refused fails alone' },
  }),
  ...missedBy(['src/platform/database/transaction-groups.test.ts'], {
    'rows-of-no-root-are-locked-in-turn': {
      how: ['this.#holder === member ? last + 1 : last', 'member.asks.length'],
      only: 'belongs to no root',
    },
    'queued-locks-count': {
      how: ['[...before, statement].some(locksOthers)', 'before.length >= 0 && locksOthers(statement)'],
      only: 'belongs to no root',
    },
    'what-was-written-goes-with-all': { how: 'never', only: 'leaves after it has written' },
    'a-lost-commit-is-not-repeated': {
      how: ['(sqlState(error) !== null && connectionLost(error) === undefined)', 'error !== null'],
      only: 'the commit may have happened',
    },
    'changes-for-many-by-key': {
      how: ["${key.map((column) => ` and kept.${column} = its.${column}`).join('')}"],
      only: 'a change of one column',
    },
    'changes-for-many-by-tenant': {
      how: ['= its.account_id and kept.mode = its.mode$', 'is not null and kept.mode is not null$'],
      only: 'of the same id in two tenants',
    },
  }),
]
