export type { ExecutionDeps } from './channels.ts'
export { executionInvariants } from './invariants.ts'
export { cartWork, followDecisions, intentWork } from './work.ts'
