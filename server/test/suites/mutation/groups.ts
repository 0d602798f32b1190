import { type Guard, guardsOf } from './guard.ts'

const groups = 'src/platform/database/transaction-groups.test.ts'

/** Transactions of several steps that run as one. */
export const groupsGuards: readonly Guard[] = [
  ...guardsOf('src/platform/database/transaction-groups.ts', [groups], {
    'a-root-once-in-a-group': {
      keeps: 'two steps of one purchase do not change it from the same state',
      find: 'roots.has(root) || ',
      replace: '',
      only: 'of one root',
    },
    'roots-in-one-order': {
      keeps: 'groups do not wait for each other in a circle',
      find: '(one.root < other.root ? -1 : 1)',
      replace: '(one.root < other.root ? 1 : -1)',
      only: 'by as many statements as one',
    },
  }),
  ...guardsOf('src/platform/database/transaction-group.ts', [groups], {
    'rows-of-no-root-are-locked-in-turn': {
      keeps: 'what policies and promotions count is counted once for each purchase',
      find: 'this.#holder === member ? last + 1 : last',
      replace: 'member.asks.length',
      only: 'belongs to no root',
    },
    'queued-locks-count': {
      keeps: 'a lock that is queued before a read holds others apart',
      after: 'const last = member.asks.findIndex',
      find: '[...before, statement].some(locksOthers)',
      replace: 'before.length >= 0 && locksOthers(statement)',
      only: 'belongs to no root',
    },
    'what-was-written-goes-with-all': {
      keeps: 'a step that refuses leaves nothing that it wrote',
      find: 'if (member.hasWritten)',
      replace: 'if (member.hasWritten && member.asks.length > 99)',
      only: 'leaves after it has written',
    },
    'a-lost-commit-is-not-repeated': {
      keeps: 'a step whose commit may have happened is not done again at once',
      find: '(sqlState(error) !== null && connectionLost(error) === undefined)',
      replace: 'error !== null',
      only: 'the commit may have happened',
    },
  }),
  ...guardsOf('src/platform/aggregate/aggregate.ts', [groups], {
    'changes-for-many-by-key': {
      keeps: 'a change of several rows changes each by its own key',
      find: "${key.map((column) => ` and kept.${column} = its.${column}`).join('')}",
      replace: '',
      only: 'a change of one column',
    },
    'changes-for-many-by-tenant': {
      keeps: 'a change of several rows changes those of their own tenants',
      find: 'where kept.account_id = its.account_id and kept.mode = its.mode',
      replace: 'where kept.account_id is not null and kept.mode is not null',
      only: 'of the same id in two tenants',
    },
  }),
]
