import { type Guard, guardsOf } from './guard.ts'

const agents = 'test/flows/agents.test.ts'
const bound = 'test/flows/bound-agents.test.ts'
const decideJoin = 'src/domain/policies/decide-join.test.ts'

/** A fragment of its file, as it stands in the statements there. */
const isOwn = ['$', '{isOwn}'].join('')

/** The condition that narrows a statement to the agent's profile. It stands behind this text in this file. */
const ownRows: readonly [after: string, file: string, find: string][] = [
  ['and ($q::text is null or search like $q)', 'buyers/profiles/profiles', '$id::text is null or id = $id'],
  ['const filter =', 'trade/quotes/quotes', '$profile_id::text is null or profile_id = $profile_id'],
  ["'select_own_quotes'", 'trade/quotes/quotes', 'profile_id = $profile_id'],
  ['i.id = o.purchase_intent_id', 'buying/intents/intents', 'i.profile_id = $profile_id'],
  ["'select_own_payment_methods'", 'buyers/payment-methods/payment-methods', 'profile_id = $profile_id'],
  ["'select_own_purchases'", 'buying/intents/intents', 'p.profile_id = $profile_id'],
  ["'select_own_policies'", 'policies/policies', isOwn],
  ['p.archived_at is null)', 'policies/policies', isOwn],
  [
    'select id from purchase_intents i',
    'buying/intents/read/past-intents',
    '$profile_id::text is null or profile_id = $profile_id',
  ],
]

/** Keys come and go, but decisions about their agent stay. An agent of one customer sees nothing of another customer. */
export const agentsGuards: readonly Guard[] = [
  ...guardsOf('src/domain/accounts/api-keys/revoke-key.ts', [agents], {
    'rolled-key-keeps-its-scopes': {
      keeps: 'a rolled key can do what the old one could, and no more',
      find: 'preset, scopes, origins, expiresAt: expires_at, agent }',
      replace: "preset, scopes: ['profiles:read', 'profiles:write'], origins, expiresAt: expires_at, agent }",
      only: 'scopes',
    },
    'rolled-key-ends': {
      keeps: 'the old secret of a rolled key opens nothing',
      find: 'else end(ctx, old)',
      replace: '',
      only: 'secret',
    },
    'overlap-lengthens-nothing': {
      keeps: 'a key ends when it was to end, rolled or not',
      find: 'row.expires_at && row.expires_at < at ? row.expires_at : at',
      replace: 'at',
      only: 'keeps its end',
    },
  }),
  ...guardsOf('src/domain/accounts/api-keys/add-key.ts', [agents], {
    'added-key-has-no-more-power': {
      keeps: 'nobody gives an agent more power by giving it a key, unless that is said',
      find: 'more.length > 0 && !request.isForced',
      replace: 'false',
      only: 'no more power',
    },
  }),
  ...guardsOf('src/domain/accounts/api-keys/api-keys.sql.ts', [bound], {
    'bound-key-is-hidden': {
      keeps: 'a version that knows no bound agents does not serve their keys every customer',
      find: 'case when $profile_id::text is null then $hash::bytea else sha256($hash::bytea) end',
      replace: '$hash',
      only: 'door',
    },
  }),
  ...guardsOf('src/domain/accounts/api-keys/api-keys.sql.ts', [agents], {
    'key-of-another-agent-holds-nothing': {
      keeps: 'a purchase is decided for the agent that its key belongs to, also right after a join',
      after: "'require_live_key'",
      find: 'id = $key_id and agent_id = $agent_id',
      replace: 'id = $key_id',
      only: 'right after a join',
    },
  }),
  ...guardsOf('src/domain/accounts/api-keys/api-keys.sql.ts', [agents], {
    'key-of-another-agent-is-not-live': {
      keeps: 'the decision under lock is for the agent that the key belongs to',
      after: "'select_key_is_live'",
      find: 'id = $key_id and agent_id = $agent_id',
      replace: 'id = $key_id',
      only: 'right after a join',
    },
  }),
  ...guardsOf('src/domain/accounts/controls/control.ts', [agents], {
    'key-means-its-agent-in-a-freeze': {
      keeps: 'a freeze that names a key holds for all keys of its agent',
      find: 'await reads.agentMeant(ctx, target.id)',
      replace: '(await reads.agentMeant(ctx, target.id)) && target.id',
      only: 'a freeze that names its key',
    },
  }),
  ...guardsOf('src/domain/policies/write-policy.ts', [agents], {
    'key-means-its-agent-in-a-policy': {
      keeps: 'a policy that names a key holds for all keys of its agent',
      find: 'named.map((id) => agentMeant(agents, id) ?? id)',
      replace: 'named',
      only: 'a limit of 10.00 that names its key',
    },
  }),
  ...guardsOf('src/domain/policies/join-agents.ts', [agents], {
    'joined-policies': {
      keeps: 'the limits of a joined agent hold for its keys',
      find: 'ids.includes(from.id))) {',
      replace: 'ids.includes(from.id) && false)) {',
      only: 'a join into another agent',
    },
    'joined-freeze': {
      keeps: 'a frozen agent that is joined to another stays frozen',
      find: 'renameFrozenAgent(ctx, control, from.id, into.id)',
      replace: '',
      only: 'a join into another agent',
    },
    'join-is-told': {
      keeps: 'a join that gives an agent more power asks first',
      find: 'widened.length > 0 && !named.mayWiden',
      replace: 'false',
      only: 'widens',
    },
    'join-keeps-the-profile': {
      keeps: 'whom an agent acts for never changes',
      find: 'from.profile_id !== into.profile_id',
      replace: 'false',
      killers: [bound],
      only: 'for ever',
    },
  }),
  ...guardsOf('src/domain/policies/decide-join.ts', [decideJoin], {
    'join-tells-of-policies': {
      keeps: 'a policy that lets one of two agents buy unattended is named before it lets the other',
      find: 'isInForce(policy, now) && grants(policy)',
      replace: 'false',
    },
  }),
  ...guardsOf('src/platform/calls/bound-agent.ts', [bound], {
    'ids-of-others-never-existed': {
      keeps: 'an agent of one customer reaches nothing of another',
      find: 'named.has(id) && !own.has(id)',
      replace: 'named.size === 0 && !own.has(id)',
      only: 'never existed',
    },
  }),
  ...guardsOf('src/platform/calls/principal.ts', [bound], {
    'account-operations-refuse-bound-agents': {
      keeps: 'an agent of one customer does nothing to the account',
      find: "profileId !== null && operation.forBound !== 'served'",
      replace: 'false',
      only: 'scope of the account',
    },
  }),
  ...guardsOf('src/platform/calls/dispatch.ts', [bound], {
    'replays-are-for-readers': {
      keeps: 'a stored reply is shown only to a caller that may read its object',
      find: 'if (!(await this.#mayRead(stored))) {',
      replace: 'if (!stored) {',
      only: 'stored reply',
    },
  }),
  ...guardsOf('src/domain/policies/without-others.ts', [bound], {
    'usage-of-others': {
      keeps: 'an agent of one customer does not see what others have used of a policy',
      find: 'usage: [], ',
      replace: '',
      only: 'of a policy',
    },
    'windows-in-decisions': {
      keeps: 'an agent of one customer does not see how full a window was when its own purchase was decided',
      find: "name === 'policy_decision' ? withoutUsage(member) : ",
      replace: '',
      only: 'of a policy',
    },
  }),
  ...ownRows.flatMap(([after, file, find]) =>
    guardsOf(`src/domain/${file}.sql.ts`, [bound], {
      [`own-rows-of-${file.split('/').at(-1)}-behind-${after.replaceAll(/[^a-z_]+/g, '-')}`]: {
        keeps: 'an agent of one customer sees the rows of that customer',
        after,
        find,
        replace: 'true',
        only: 'lists|never existed|simulated|of a policy',
      },
    }),
  ),
]
