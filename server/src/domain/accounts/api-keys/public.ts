export { addKey, issueBoundKey, lockAgentWithKeys, scopesBeyond } from './add-key.ts'
export type { KeyOfAgent } from './agent.ts'
export {
  type ApiKey,
  type ClientSecretRule,
  clientSecretRules,
  type KeyCapability,
  type KeyKind,
  keyCapabilities,
  renderApiKey,
} from './api-key.ts'
export { type IssuedKey, issueKey } from './issue-key.ts'
export { moveKeys } from './join-agents.ts'
export { isAgentLive, isKeyLive, requireLiveKey } from './live-keys.ts'
export { lockAccount, lockNamedAgents } from './lock-account.ts'
export { issueStartingKeys, openAccount, type StartingKeys } from './open-account.ts'
export { pageOriginOf } from './page-origin.ts'
export { renameAccount } from './rename-account.ts'
export { checkReturnUrl, returnRules } from './return-url.ts'
export { overlapHoursMax, revokeKey, rollKey } from './revoke-key.ts'
export { setAccountTimezone } from './set-account-timezone.ts'
export { updatePageKey } from './update-key.ts'
