/** The counts that a step adds to the total. */
export type Count = { passed: number; failed: number; skipped: number }

/** The part of vitest's JSON report that is read here. */
type VitestReport = {
  testResults: { status: string; message?: string; assertionResults: { status: string }[] }[]
}

/** Types, lint and the like: one each. */
export function countCheck(exitCode: number): Count {
  return exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }
}

/**
 * Counts the tests of a vitest run. `report` is undefined when vitest never wrote one. A file that could not be loaded has no tests
 * to fail, so the file itself counts; a run that ended badly for any other reason, or that saw no tests, counts as one failure.
 */
export function countTests(report: string | undefined, exitCode: number): Count {
  const count = { passed: 0, failed: 0, skipped: 0 }
  for (const file of report === undefined ? [] : parseReport(report).testResults) {
    const statuses = file.assertionResults.map(({ status }) => status)
    const failed = statuses.filter((status) => status === 'failed').length
    count.passed += statuses.filter((status) => status === 'passed').length
    count.failed += failed === 0 && file.status === 'failed' ? 1 : failed
    count.skipped += statuses.filter((status) => status !== 'passed' && status !== 'failed').length
  }
  return atLeastOneFailure(count, exitCode)
}

/**
 * Reads the counts in the last line of a suite, `NAME: … N passed, N failed`, or `…, N skipped` where a need of it is missing.
 */
export function countSuite(output: string, exitCode: number): Count {
  const last = output.trimEnd().split('\n').at(-1) ?? ''
  const told = /^[\w-]+: (?:.*\D)?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(last)
  const count = {
    passed: Number(told?.[1] ?? 0),
    failed: Number(told?.[2] ?? 0),
    skipped: Number(told?.[3] ?? 0),
  }
  if (exitCode === 0 && count.failed === 0 && count.skipped > 0) return count
  return atLeastOneFailure(count, exitCode)
}

/** A suite without output or with a bad exit code must not count as a success. */
function atLeastOneFailure(count: Count, exitCode: number): Count {
  const sound = exitCode === 0 && count.passed > 0
  return count.failed === 0 && !sound ? { ...count, failed: 1 } : count
}

function parseReport(report: string): VitestReport {
  try {
    const value: VitestReport = JSON.parse(report)
    return Array.isArray(value.testResults) ? value : { testResults: [] }
  } catch {
    // Cut short, so the run did not end well either; the caller sees no tests.
    return { testResults: [] }
  }
}
