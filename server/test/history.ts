import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Behind the name of a commit: what ran was that commit and more. */
export const changedMark = ' with changes'

/**
 * The commit that the tree is at, with a mark where one of these paths of the project has changes; what has no history has no such name.
 */
export function describeCommit(paths: readonly string[]): string {
  const changes = git(['status', '--porcelain', '--untracked-files=no', '--', ...paths])
  const head = git(['rev-parse', '--short', 'HEAD'])
  return head === null ? 'unknown' : `${head}${changes === '' ? '' : changedMark}`
}

/** False in a shallow clone, and in a copy without git: then nobody can say which commits are in the history. */
export function hasWholeHistory(): boolean {
  return git(['rev-parse', '--is-shallow-repository']) === 'false'
}

/** What git prints; null: it refuses, or is not there. */
export function git(args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, {
      cwd: join(import.meta.dirname, '../..'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}
