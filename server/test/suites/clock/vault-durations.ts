import { browserDurations } from './browser-durations.ts'

/** Those of the vault process, of the browser process, and of the ones who ask them: a part of `durations`, which has no room for more. */
export const vaultDurations = {
  ...browserDurations,
  'vault/code-of-card.ts askAgainMs': { value: '3_000', local: 'a rail that is asked for a lost code' },
  'vault/door.ts requestMs': { value: '5_000', local: 'a request at a private door' },
  'vault/grants.ts grantSeconds': {
    value: '5 * 60',
    local: 'real time between processes; vault-process.test.ts sees a grant end',
  },
  'vault/read-request.ts timeoutMsMax': { value: '30_000', local: 'the most that a caller may ask for' },
  'vault/read-request.ts keepDaysMax': { value: '400', local: 'the most that a caller may ask for' },
  'vault/read-request.ts dayMs': { value: '86_400_000', local: 'a day of that' },
  'vault/security-codes.ts keptForMs': { value: '15 * 60_000', shownBy: 'vault/security-codes.test.ts' },
  'vault/security-codes.ts lookEveryMs': {
    value: '30_000',
    local: 'how often a process overwrites old codes',
  },
  'vault/sealed-tickets.ts ticketMs': { value: '10 * 60_000', shownBy: 'vault/sealed-tickets.test.ts' },
  'vault/sealed-tickets.ts keyMs': { value: '10 * 60_000', shownBy: 'vault/sealed-tickets.test.ts' },
  'vault/sealed-tickets.ts lookEveryMs': {
    value: '30_000',
    local: 'how often a process overwrites old keys',
  },
  'platform/vault-client/browser-door.ts openMs': { value: '3_000', local: 'an answer of the vault' },
  'platform/vault-client/browser-door.ts redeemMs': { value: '6_000', local: 'an answer of the vault' },
  'platform/vault-client/vault-client.ts besideMs': {
    value: '500',
    local: 'what the vault takes beside a forwarded call',
  },
  'platform/vault-client/vault-client.ts answerMs': { value: '3_000', local: 'an answer of the vault' },
}
