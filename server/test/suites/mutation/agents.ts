import { type Listed, missedBeside, missedBy } from './guard.ts'

/** Keys come and go, but decisions about their agent stay. An agent of one customer sees nothing of another customer. */
export const agentsGuards: readonly Listed[] = [
  ...missedBeside({
    'join-tells-of-policies': ['isInForce(policy, now) && grants(policy)', 'false'],
  }),
  ...missedBy(['test/flows/agents.test.ts'], {
    'rolled-key-keeps-its-scopes': {
      how: ['scopes,', "scopes: ['profiles:read', 'profiles:write'],"],
      only: 'scopes',
    },
    'rolled-key-ends': { how: ['else end(ctx, old)'], only: 'secret' },
    'overlap-lengthens-nothing': { how: 'never', only: 'keeps its end' },
    'added-key-has-no-more-power': { how: 'never', only: 'no more power' },
    'key-of-another-agent-holds-nothing': {
      how: ['id = $key_id and agent_id = $agent_id', 'id = $key_id'],
      only: 'right after a join',
    },
    'key-of-another-agent-is-not-live': {
      how: ['id = $key_id and (agent_id = $agent_id or $agent_id::text is null)', 'id = $key_id'],
      only: 'right after a join',
    },
    'key-means-its-agent-in-a-freeze': {
      how: [
        'await reads.agentMeant(ctx, target.id)',
        '(await reads.agentMeant(ctx, target.id)) && target.id',
      ],
      only: 'a freeze that names its key',
    },
    'key-means-its-agent-in-a-policy': {
      how: ['named.map((id) => agentMeant(agents, id) ?? id)', 'named'],
      only: 'a limit of 10.00 that names its key',
    },
    'joined-policies': {
      how: ['ids.includes(from.id))) {', 'ids.includes(from.id) && false)) {'],
      only: 'a join into another agent',
    },
    'joined-freeze': { how: 'gone', only: 'a join into another agent' },
    'join-is-told': { how: 'never', only: 'widens' },
  }),
  ...missedBy(['test/flows/bound-agents.test.ts'], {
    'bound-key-is-hidden': {
      how: ['case when $profile_id::text is null then $hash::bytea else sha256($hash::bytea) end', '$hash'],
      only: 'door',
    },
    'join-keeps-the-profile': { how: 'never', only: 'for ever' },
    'ids-of-others-never-existed': { how: ['.has(id) &', '.size === 0 &'], only: 'never existed' },
    'account-operations-refuse-bound-agents': { how: 'never', only: 'scope of the account' },
    'replays-are-for-readers': { how: 'never', only: 'stored reply' },
    'usage-of-others': { how: ['usage: [], '], only: 'of a policy' },
    'windows-in-decisions': {
      how: ["name === 'policy_decision' ? withoutUsage(member) : "],
      only: 'of a policy',
    },
    'own-profiles': {
      how: ['$id::text is null or id = $id', 'true'],
      only: 'lists|never existed|simulated|of a policy',
    },
    'own-quotes': {
      how: ['$profile_id::text is null or profile_id = $profile_id', 'true'],
      only: 'lists|never existed|simulated|of a policy',
    },
    'own-quotes-among-ids': {
      how: ['profile_id = $profile_id', 'true'],
      only: 'lists|never existed|simulated|of a policy',
    },
    'own-purchases-of-orders': {
      how: ['i.profile_id = $profile_id', 'true'],
      only: 'lists|never existed|simulated|of a policy',
    },
    'own-payment-methods': {
      how: ['profile_id = $profile_id', 'true'],
      only: 'lists|never existed|simulated|of a policy',
    },
    'own-purchases': {
      how: ['p.profile_id = $profile_id', 'true'],
      only: 'lists|never existed|simulated|of a policy',
    },
    'own-policies': { how: ['${isOwn}', 'true'], only: 'lists|never existed|simulated|of a policy' },
    'own-policies-in-lists': { how: ['${isOwn}', 'true'], only: 'lists|never existed|simulated|of a policy' },
    'own-past-purchases': {
      how: ['$profile_id::text is null or profile_id = $profile_id', 'true'],
      only: 'lists|never existed|simulated|of a policy',
    },
  }),
]
