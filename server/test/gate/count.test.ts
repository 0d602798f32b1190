import { expect, test } from 'vitest'
import { countCheck, countSuite, countTests } from './count.ts'

function report(...files: { status: string; tests: string[] }[]): string {
  return JSON.stringify({
    testResults: files.map(({ status, tests }) => ({
      status,
      assertionResults: tests.map((test) => ({ status: test })),
    })),
  })
}

test('tests count one by one, and skipped ones are told apart', () => {
  const text = report(
    { status: 'passed', tests: ['passed', 'passed', 'skipped'] },
    { status: 'failed', tests: ['failed'] },
  )
  expect(countTests(text, 1)).toEqual({ passed: 2, failed: 1, skipped: 1 })
})

test('a test file that cannot be loaded counts as a failure', () => {
  const text = report({ status: 'passed', tests: ['passed'] }, { status: 'failed', tests: [] })
  expect(countTests(text, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
})

test('a run that ends badly although every test passed counts as a failure', () => {
  expect(countTests(report({ status: 'passed', tests: ['passed'] }), 1)).toMatchObject({
    passed: 1,
    failed: 1,
  })
})

test('a run without report, with half a report, or without tests counts as a failure', () => {
  expect(countTests(undefined, 0)).toMatchObject({ failed: 1 })
  expect(countTests('{"testResults":[', 0)).toMatchObject({ failed: 1 })
  expect(countTests(report(), 0)).toMatchObject({ failed: 1 })
})

test('the last line of a suite has its counts', () => {
  expect(countSuite('round 1: 9 passed, 9 failed\nraces: 200 rounds, 12 passed, 0 failed\n', 0)).toEqual({
    passed: 12,
    failed: 0,
    skipped: 0,
  })
  expect(countSuite('crash-points: 3 passed, 2 failed', 1)).toMatchObject({ passed: 3, failed: 2 })
  expect(countSuite('upgrade: 0.1 s, 0 passed, 0 failed, 1 skipped', 0)).toEqual({
    passed: 0,
    failed: 0,
    skipped: 1,
  })
})

test('a suite that says nothing, did nothing, or exits badly counts as a failure', () => {
  expect(countSuite('', 0)).toMatchObject({ failed: 1 })
  expect(countSuite('races: 0 passed, 0 failed', 0)).toMatchObject({ failed: 1 })
  expect(countSuite('races: 12 passed, 0 failed', 1)).toMatchObject({ passed: 12, failed: 1 })
  expect(countSuite('races: 12 passed, 0 failed\nError: and then it broke', 1)).toMatchObject({
    passed: 0,
    failed: 1,
  })
})

test('a check counts as one', () => {
  expect(countCheck(0)).toEqual({ passed: 1, failed: 0, skipped: 0 })
  expect(countCheck(2)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})
