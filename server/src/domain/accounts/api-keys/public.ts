export { addKey, issueBoundKey, lockAgentWithKeys, scopesBeyond } from './add-key.ts'
export type { AgentRow } from './agent.ts'
export type { ApiKey, KeyKind } from './api-key.ts'
export { renderApiKey } from './api-key.ts'
export {
  type AccountRow,
  type KeyOfAgent,
  selectAccounts,
  selectApiKeys,
  selectLiveKeyCounts,
} from './api-keys.sql.ts'
export { type IssuedKey, issueKey, type KeyRequest } from './issue-key.ts'
export { moveKeys } from './join-agents.ts'
export { isAgentLive, isKeyLive, requireLiveKey } from './live-keys.ts'
export { lockAccount, lockNamedAgents } from './lock-account.ts'
export { issueStartingKeys, openAccount, type StartingKeys } from './open-account.ts'
export { renameAccount } from './rename-account.ts'
export { overlapHoursMax, revokeKey, rollKey } from './revoke-key.ts'
