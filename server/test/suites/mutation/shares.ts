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
  ...guardsOf('src/platform/calls/reads.ts', ['src/platform/calls/reads.test.ts'], {
    'strangers-apart': {
      keeps: 'what strangers read at an account takes nothing of its share',
      find: 'kind === null || actsForAccount({ kind }) ? own : ',
      replace: 'kind === null || own ? own : ',
    },
  }),
  ...guardsOf(
    'src/platform/limits/rates.ts',
    ['src/domain/discovery/listings/discovery-rates.http.test.ts'],
    {
      'pages-apart': {
        keeps: 'a copied page key spends nothing of the rate of its account',
        find: 'if (keyId === null || viewer === tenant.accountId)',
        replace: 'if (keyId === null || viewer)',
      },
    },
  ),
  ...guardsOf('src/platform/calls/dispatch.ts', ['src/platform/calls/visible-texts.http.test.ts'], {
    'seen-texts-alone': {
      keeps: 'an answer says to a model what it says to a person',
      find: 'body: visibleJson(body)',
      replace: 'body',
    },
  }),
  ...guardsOf('src/protocols/ucp/verify-message.ts', ['src/protocols/ucp/message-signature.test.ts'], {
    'old-signatures': {
      keeps: 'a signed request that somebody has seen is worth nothing after minutes',
      find: ' || Math.abs(created - now.getTime()) <= offMaxMs',
      replace: ' || created > 0',
    },
  }),
  ...guardsOf('src/surfaces/ucp/fetch-budget.ts', ['src/surfaces/ucp/caller-profiles.test.ts'], {
    'refused-run-out-first': {
      keeps: 'an address whose profiles are refused cannot spend what others have',
      find: 'spending.refused === 0 ? pools.clean : pools.others',
      replace: 'pools.clean',
    },
    'address-first': {
      keeps: 'one address spends its own budget of fetches alone',
      find: ' || spending.refused >= ofAddress.refused)',
      replace: ')',
    },
  }),
  ...guardsOf('src/surfaces/ucp/kept-profiles.ts', ['src/surfaces/ucp/caller-profiles.test.ts'], {
    'worth-before-age': {
      keeps: 'profiles that nothing was verified by make room for those that work',
      find: "['refused', 'read', 'verified']",
      replace: "['verified', 'read', 'refused']",
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
  ...guardsOf('src/platform/calls/dispatch.ts', [neighbours], {
    'share-of-writers': {
      keeps: 'transactions of one tenant leave connections for others',
      find: 'openTransaction(this.#options.pools, share)',
      replace: 'openTransaction(this.#options.pools)',
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
