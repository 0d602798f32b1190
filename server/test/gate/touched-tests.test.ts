import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { touchedTests } from './touched-tests.ts'

test('touched are the tests of what is not committed, and else of the last commit', () => {
  const root = mkdtempSync(join(tmpdir(), 'prokura-touched-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: root })
  const write = (...names: string[]) => {
    for (const name of names) writeFileSync(join(root, name), `${Math.random()}`)
  }
  git('init', '--quiet')
  write('one.ts', 'one.test.ts', 'one.http.test.ts', 'oneself.test.ts', 'two.test.ts', 'page.md')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'All')
  write('one.ts', 'page.md')
  expect(touchedTests(root)).toEqual(['one.http.test.ts', 'one.test.ts'])
  write('new.test.ts')
  expect(touchedTests(root)).toEqual(['new.test.ts', 'one.http.test.ts', 'one.test.ts'])
  git('add', '--all')
  git('commit', '--quiet', '-m', 'More')
  expect(touchedTests(root)).toEqual(['new.test.ts', 'one.http.test.ts', 'one.test.ts'])
  write('page.md')
  expect(touchedTests(root)).toBeNull()
})
