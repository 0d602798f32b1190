import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../../..')
const migrationsFolder = 'server/migrations/'
/** The tenth gave columns other types. What ran before it keeps failing on connections that it has: docs/operations.md tells so. */
const firstToStay = 10

export type Version = {
  ref: string
  /** The short hash. */
  name: string
  title: string
  migrations: number
  /** Why somebody may come from this one. */
  why: string
}

/**
 * The versions that somebody may come from: what stood before each change of the migrations, newest first, as long as what they applied
 * is what we have, too. Migrations that are not committed yet count as the newest change. Empty: there is no history to take one from.
 */
export function versionsBefore(): Version[] {
  const pending = git(['status', '--porcelain', '--', migrationsFolder]) ? ['HEAD'] : []
  const changes =
    git(['log', '--first-parent', '--format=%H', '--', migrationsFolder])?.split('\n').filter(Boolean) ?? []
  const refs = [...pending, ...changes.map((change) => `${change}~1`)]
  const why = 'the last one before the schema changed'
  const versions = refs
    .flatMap((ref) => versionAt(ref, why) ?? [])
    .filter(isOfOurSchema)
    .filter(({ migrations }) => migrations >= firstToStay)
  if (versions.length > 0) return versions
  // A shallow clone may hold no such change; the commit before still shows that two processes get along.
  const last = versionAt('HEAD~1', 'the last one, as no change of the schema is in this history')
  return last ? [last] : []
}

export function versionAt(ref: string, why: string): Version | null {
  const hash = git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])
  if (!hash) return null
  const [name = hash, title = ''] = git(['log', '-1', '--format=%h%n%s', hash])?.split('\n') ?? []
  return { ref: hash, name, title, migrations: migrationsOf(hash).length, why }
}

export function migrationsHere(): string[] {
  return readdirSync(join(root, migrationsFolder)).filter((name) => name.endsWith('.sql'))
}

/**
 * Puts the version into a folder, with the packages that are installed here. What it needs and is not installed is answered instead of
 * its programs.
 */
export function checkOut(
  { ref }: Version,
  folder: string,
): { main: string; sandbox: string; missing: readonly string[] } {
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', ref, 'server', 'sandbox', 'package.json'], {
    cwd: root,
    maxBuffer: 1 << 28,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  for (const path of ['node_modules', 'server/node_modules', 'sandbox/node_modules'])
    if (existsSync(join(root, path))) symlinkSync(join(root, path), join(folder, path))
  return {
    main: join(folder, 'server/src/main.ts'),
    sandbox: join(folder, 'sandbox/src/main.ts'),
    missing: missingPackages(join(folder, 'server')),
  }
}

/** What a package needs at run time and does not find: absent, or of a version that promises something else. */
function missingPackages(folder: string): string[] {
  const { dependencies = {} }: { dependencies?: Record<string, string> } = readJson(
    join(folder, 'package.json'),
  )
  return Object.entries(dependencies).flatMap(([name, wanted]) => {
    const path = [join(folder, 'node_modules'), join(folder, '../node_modules')]
      .map((place) => join(place, name, 'package.json'))
      .find((candidate) => existsSync(candidate))
    if (path === undefined) return [`${name} ${wanted}`]
    const { version }: { version: string } = readJson(path)
    return keepsPromise(wanted, version) ? [] : [`${name} ${wanted} (${version} is installed)`]
  })
}

/** Equal up to the first number that is not 0, which semantic versioning raises when something breaks. */
export function keepsPromise(wanted: string, installed: string): boolean {
  const promise = (version: string) => /^(?:0\.)*\d+/.exec(version.replace(/^[\^~=v]+/, ''))?.[0]
  return promise(wanted) === promise(installed)
}

function isOfOurSchema({ ref }: Version): boolean {
  return migrationsOf(ref).every(({ name, blob }) => blobHere(name) === blob)
}

function migrationsOf(ref: string): { name: string; blob: string }[] {
  const lines = git(['ls-tree', ref, migrationsFolder])?.split('\n') ?? []
  return lines.flatMap((line) => {
    const [, blob, name] = /^\S+ blob (\S+)\t(.+\.sql)$/.exec(line) ?? []
    return blob && name ? [{ name, blob }] : []
  })
}

function blobHere(name: string): string | null {
  return existsSync(join(root, name)) ? git(['hash-object', '--', name]) : null
}

function readJson<Shape>(path: string): Shape {
  return JSON.parse(readFileSync(path, 'utf8'))
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
