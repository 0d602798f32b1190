import { type Listed, missedBy } from './guard.ts'

/** People who sign in, and what they confirm. */
export const peopleGuards: readonly Listed[] = missedBy(['src/domain/accounts/people/people.http.test.ts'], {
  'people-are-made-by-people': {
    how: ['all.filter((scope) => !facts.get(scope)?.isForPeople)', 'all'],
    only: 'no key makes',
  },
  'owners-make-owners': { how: 'never', only: 'owners alone' },
  'last-owner': { how: 'never', only: 'owners alone' },
  'invited-once': { how: 'never', only: 'lost their passkey' },
  'suspended-people': { how: 'never', only: 'suspended' },
  'link-is-no-proof': { how: 'always', only: 'a link alone' },
  'last-passkey': { how: 'never', only: 'the last one stays' },
  'way-back-in': { how: 'never', only: 'lost their passkey' },
  'passkey-of-one-account': { how: 'never', only: 'who makes a link' },
  'link-signs-in-once': {
    how: ['openLink.text', "openLink.text.replace('l.used_at is null and ', '')"],
    only: 'an invitation signs in once',
  },
  'session-ends-idle': [" and s.seen_at > prokura_now() - interval '12 hours'"],
  'link-opens-one-account': {
    how: ["acting(' and (s.account_id is null or m.account_id = s.account_id)')", 'acting()'],
    only: 'who makes a link',
  },
  'signed-in-time': [' and expires_at > prokura_now()'],
  'signed-for-this/session': [
    'session_hash is not distinct from $session_hash::bytea',
    '($session_hash::bytea is null or true)',
  ],
  'signed-for-this/digest': [
    'digest is not distinct from $digest::bytea',
    '($digest::bytea is null or true)',
  ],
  'signed-once': { how: 'never', only: 'one signature' },
  'people-confirm': { how: 'always', only: 'a person approves' },
  'confirmed-is-this-call': {
    how: ['id, path, query, body, terms]', 'id, query, body]'],
    only: 'a person approves',
  },
  'sign-ins-are-counted': { how: 'never', only: 'told to wait' },
  'session-names-its-account': {
    how: ['session.accounts.find(({ id }) => id === named)', 'session.accounts[0]'],
    only: 'and no other',
  },
  'link-looks-only': {
    how: ['session.is_proven ? allowed : allowed.filter(looksOrDeclines)', 'allowed'],
    only: 'a link alone',
  },
  'console-acts-alone': { how: 'always', only: 'no other page' },
})
