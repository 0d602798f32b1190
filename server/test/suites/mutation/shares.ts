import { type Guard, guardsOf } from './guard.ts'

const neighbours = 'src/platform/calls/neighbours.http.test.ts'
const shares = 'src/platform/database/shares.test.ts'

/** What keeps one tenant from stopping all others. */
export const sharesGuards: readonly Guard[] = [
  ...guardsOf('src/platform/doors/key-door.ts', [neighbours], {
    'door-of-its-own': {
      keeps: 'callers are authenticated while reads are stuck',
      find: 'await pools.door(lookups.one({ hash }))',
      replace: 'await pools.read(lookups.one({ hash }))',
      only: 'keys are still accepted',
    },
  }),
  ...guardsOf('src/platform/calls/reads.ts', [neighbours], {
    'long-reads-apart': {
      keeps: 'a slow calculation does not run on connections that all calls share',
      find: "if (operation.reads === 'short') return shared",
      replace: "if (operation.reads !== 'bulk') return shared",
      only: 'four slow calculations',
    },
    'deep-pages-apart': {
      keeps: 'deep pages have a share of their own',
      find: 'offsetOf(query) > deepFrom',
      replace: 'offsetOf(query) < 0',
      only: 'deep pages are read apart',
    },
  }),
  ...guardsOf('src/platform/database/shares.ts', [shares], {
    'share-of-a-tenant': {
      keeps: 'one tenant cannot hold more connections than its share',
      find: ' && this.#insideOf(tenant) < this.#share\n',
      replace: '\n',
    },
    'share-below-all': {
      keeps: 'no setting lets one tenant hold all connections',
      find: 'Math.min(options.share, options.places - 1)',
      replace: 'options.share',
    },
  }),
  ...guardsOf('src/platform/calls/unit.ts', [neighbours], {
    'share-of-writers': {
      keeps: 'transactions of one tenant leave connections for others',
      find: 'openTransaction(deps.pools, shareOf(origin.tenant))',
      replace: 'openTransaction(deps.pools)',
      only: 'transactions of one tenant',
    },
  }),
  ...guardsOf('src/platform/calls/refusal.ts', [neighbours], {
    'out-of-time-is-busy': {
      keeps: 'a call that runs out of time is refused as busy, with a time to come back',
      find: 'if (isOutOfTime(error)) return busy()',
      replace: '',
      only: 'runs out of time',
    },
  }),
  ...guardsOf('src/app.ts', [neighbours], {
    'health-of-callers': {
      keeps: 'health says when callers get nothing',
      find: 'Promise.all([keyDoor.probe(), readDatabaseTime(parts.pools)]).then(() => true)',
      replace: 'keyDoor.probe().then(() => true)',
      only: 'calls get no answer',
    },
  }),
]
