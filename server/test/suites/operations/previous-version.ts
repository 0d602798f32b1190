import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../../..')

export type Version = { ref: string; title: string; migrations: number }

/**
 * The versions that somebody may come from: what stood before each change of the migrations, newest first. Migrations that are not
 * committed yet count as the newest change. Null: there is no history to take one from.
 */
export function versionsBefore(): Version[] | null {
  if (git(['rev-parse', '--is-inside-work-tree']) !== 'true') return null
  const pending = git(['status', '--porcelain', '--', 'server/migrations']) ? ['HEAD'] : []
  const changes = git(['log', '--format=%H', '--', 'server/migrations'])?.split('\n') ?? []
  const refs = [...pending, ...changes.map((change) => `${change}~1`)]
  const versions = refs.flatMap((ref) => versionAt(ref) ?? [])
  if (versions.length > 0) return versions
  // A shallow clone may hold no such change; the commit before still shows that two processes get along.
  const last = versionAt('HEAD~1')
  return last && [last]
}

export function versionAt(ref: string): Version | null {
  const hash = git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])
  if (!hash) return null
  const listed = git(['ls-tree', '--name-only', hash, 'server/migrations/'])
  return {
    ref: hash,
    title: git(['log', '-1', '--format=%h %s', hash]) ?? hash,
    migrations: listed ? listed.split('\n').filter((name) => name.endsWith('.sql')).length : 0,
  }
}

export function migrationsHere(): number {
  return readdirSync(join(root, 'server/migrations')).filter((name) => name.endsWith('.sql')).length
}

/** Puts the version into a folder, with the packages that are installed here; answers its main program. */
export function checkOut({ ref }: Version, folder: string): { main: string; sandbox: string } {
  mkdirSync(folder)
  const archive = execFileSync('git', ['archive', ref, 'server', 'sandbox', 'package.json'], {
    cwd: root,
    maxBuffer: 1 << 28,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  for (const path of ['node_modules', 'server/node_modules', 'sandbox/node_modules'])
    try {
      symlinkSync(join(root, path), join(folder, path))
    } catch {
      // Not every package has a folder of its own.
    }
  return { main: join(folder, 'server/src/main.ts'), sandbox: join(folder, 'sandbox/src/main.ts') }
}

function git(args: string[]): string | null {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}
