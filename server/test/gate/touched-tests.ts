import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * The tests that a change touches: those that were changed, and those beside a changed module that have its name. Changed is what is not
 * committed yet; where all is, what the last commit changed. Null: there are none.
 */
export function touchedTests(root: string): string[] | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const open = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')]
  const changed = open.length > 0 ? open : git('show', '--name-only', '--format=', '--first-parent', 'HEAD')
  const tests = new Set(changed.flatMap((path) => testsOf(root, path)))
  return tests.size > 0 ? [...tests].sort() : null
}

function testsOf(root: string, path: string): string[] {
  if (!path.endsWith('.ts') || !existsSync(join(root, path))) return []
  if (path.endsWith('.test.ts')) return [path]
  return globSync(`${dirname(path)}/${basename(path, '.ts')}.*test.ts`, { cwd: root })
}
