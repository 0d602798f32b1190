import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../../history.ts'
import { workspacesOf } from '../../workspaces.ts'

const root = join(import.meta.dirname, '../../../..')
const migrationsFolder = 'server/migrations/'
const manifest = 'server/package.json'

export type Version = {
  ref: string
  /** The short hash. */
  name: string
  title: string
  migrations: number
}

/** The commit that an installation upgrades from. It is named in a file, and moves on by hand. */
export function namedVersion(): string {
  return readFileSync(join(import.meta.dirname, 'previous-version.txt'), 'utf8').trim()
}

export function versionAt(ref: string): Version | null {
  const hash = git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])
  if (!hash) return null
  const [name = hash, title = ''] = git(['log', '-1', '--format=%h%n%s', hash])?.split('\n') ?? []
  return { ref: hash, name, title, migrations: migrationsOf(hash).length }
}

/** Whether the version came before this one, with migrations that are ours, too. */
export function isOfOurHistory({ ref }: Version): boolean {
  const applied = migrationsOf(ref)
  return (
    git(['merge-base', '--is-ancestor', ref, 'HEAD']) !== null &&
    applied.length > 0 &&
    applied.every(({ name, blob }) => blobHere(name) === blob)
  )
}

export function migrationsHere(): string[] {
  return readdirSync(join(root, migrationsFolder)).filter((name) => name.endsWith('.sql'))
}

/** Puts the version into a folder, with the packages that are installed here. */
export function checkOut({ ref }: Version, folder: string): { main: string; sandbox: string } {
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', ref], {
    cwd: root,
    maxBuffer: 1 << 28,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  for (const path of ['', ...workspacesOf(folder)].map((name) => join(name, 'node_modules')))
    if (existsSync(join(root, path))) symlinkSync(join(root, path), join(folder, path))
  return {
    main: join(folder, 'server/src/main.ts'),
    sandbox: join(folder, 'sandbox/src/main.ts'),
  }
}

/** The packages that a version's server imports and does not find here: missing, or of an incompatible version. */
export function missingPackages(ref: string): string[] {
  const { dependencies = {} }: { dependencies?: Record<string, string> } = JSON.parse(
    git(['show', `${ref}:${manifest}`]) ?? '{}',
  )
  // Of a package that is declared and not imported, no process notices that it is gone.
  const imports =
    git(['grep', '-hoE', "(from|import|import\\() ?'[^.'][^']*'", ref, '--', 'server/src']) ?? ''
  return Object.entries(dependencies).flatMap(([name, wanted]) => {
    if (!imports.includes(`'${name}'`) && !imports.includes(`'${name}/`)) return []
    const path = ['server/node_modules', 'node_modules']
      .map((place) => join(root, place, name, 'package.json'))
      .find((candidate) => existsSync(candidate))
    if (path === undefined) return [`${name} ${wanted}`]
    const { version }: { version: string } = readJson(path)
    return keepsPromise(wanted, version) ? [] : [`${name} ${wanted} (${version} is installed)`]
  })
}

/** Equal up to the first number that is not 0. Semantic versioning raises that one for incompatible changes. */
export function keepsPromise(wanted: string, installed: string): boolean {
  const promise = (version: string) => /^(?:0\.)*\d+/.exec(version.replace(/^[\^~=v]+/, ''))?.[0]
  return promise(wanted) === promise(installed)
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
