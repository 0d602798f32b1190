import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type RunnerReport, readExpected, surprises } from './mcp-runner.ts'

const report: RunnerReport = {
  exitCode: 0,
  said: '',
  scenarios: new Map([
    ['greets', [{ id: 'a', status: 'SUCCESS' }]],
    ['warns', [{ id: 'b', status: 'WARNING', errorMessage: 'no session' }]],
    [
      'fails',
      [
        { id: 'c', status: 'FAILURE', errorMessage: 'no tool' },
        { id: 'd', status: 'SUCCESS' },
      ],
    ],
  ]),
}

function faultsWith(...entries: string[]): string[] {
  return surprises(report, new Map(entries.map((entry) => [entry, 'why'])))
}

test('an unexpected failure is a fault, and so is an expected one that passes or never ran', () => {
  expect(faultsWith('warns', 'fails')).toEqual([])
  expect(faultsWith('warns:b', 'fails:c')).toEqual([])
  expect(faultsWith('warns')).toEqual(['fails FAILURE c: no tool'])
  expect(faultsWith('fails')).toEqual(['warns WARNING b: no session'])
  for (const stale of ['greets', 'fails:d', 'never-ran'])
    expect(faultsWith('warns', 'fails', stale)).toEqual([expect.stringContaining(`${stale} passes`)])
})

test('an expected failure without a reason is refused', () => {
  const path = join(tmpdir(), `expected-${process.pid}.yaml`)
  writeFileSync(path, '# Title\nserver:\n  - one # because\n  - two:check # so\n')
  expect([...readExpected(path)]).toEqual([
    ['one', 'because'],
    ['two:check', 'so'],
  ])
  writeFileSync(path, 'server:\n  - one\n')
  expect(() => readExpected(path)).toThrow('without a reason')
})
