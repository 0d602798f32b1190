import type { CheckFailure, CheckStep } from './integration-check.ts'

/** The result of one step. `running` waits for something; if that does not happen in time, `otherwise` says what was wrong. */
export type Finding = { name: CheckStep['name']; detail: string; at: Date | null } & (
  | { status: 'passed' }
  | { status: 'running'; otherwise: CheckFailure }
  | { status: 'failed'; failure: CheckFailure }
)

export type Conclusion = { steps: CheckStep[] } & (
  | { kind: 'passed' }
  | { kind: 'waiting' }
  | { kind: 'failed'; failure: CheckFailure }
)

/**
 * All steps together. The first failure decides, and steps after it are not waited for; a step that is not done in time is a failure too.
 */
export function concludeCheck(findings: readonly Finding[], isInTime: boolean): Conclusion {
  const settled = findings.map((finding): Finding => (isInTime ? finding : overdue(finding)))
  const failed = settled.find((finding) => finding.status === 'failed')
  const steps = settled.map((finding) => stepOf(finding, failed !== undefined))
  if (failed?.status === 'failed') return { kind: 'failed', steps, failure: failed.failure }
  return { kind: steps.every(({ status }) => status === 'passed') ? 'passed' : 'waiting', steps }
}

function overdue(finding: Finding): Finding {
  if (finding.status !== 'running') return finding
  const { otherwise, ...rest } = finding
  return { ...rest, status: 'failed', failure: otherwise }
}

function stepOf({ name, status, detail, at }: Finding, isOver: boolean): CheckStep {
  return {
    name,
    status: isOver && status === 'running' ? 'skipped' : status,
    detail,
    at: at?.toISOString() ?? null,
  }
}
