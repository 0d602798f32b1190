export type { ExecutionDeps } from './channels.ts'
export { isUnansweredEffect } from './invariants.sql.ts'
export { executionInvariants } from './invariants.ts'
export { cartWork, followDecisions, intentWork, refundWork } from './work.ts'
