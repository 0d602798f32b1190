import { accessSync, constants, mkdirSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * A file or folder that the system refuses to this user, or that is not what it should be. The message is for people and says what to do.
 */
export class FileTrouble extends Error {
  override readonly name = 'FileTrouble'
}

/**
 * Whether anything exists at the path. Throws `FileTrouble` where this user may not look: a file that one may not see is not "missing".
 */
export function isThere(path: string): boolean {
  return look(path) !== null
}

/** The stats of the path; null: nothing exists there. Throws `FileTrouble` where this user may not look. */
export function look(path: string): Stats | null {
  try {
    return statSync(path)
  } catch (error) {
    if (isMissing(error)) return null
    throw troubleOf(error)
  }
}

/** Makes the folder and all folders above it. Node's own function never returns below folders that accept none, such as /proc. */
export function makeFolder(path: string, mode: number): void {
  const folder = resolve(path)
  try {
    if (look(folder)?.isDirectory()) return
    if (look(dirname(folder)) === null) makeFolder(dirname(folder), mode)
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process made it at this very moment.
    if (codeOf(error) === 'EEXIST' && look(folder)?.isDirectory()) return
    throw troubleOf(error)
  }
}

/** Does work on the file; a refusal of the system is thrown in words. Errors of reading do not name the file themselves. */
export function withFileWords<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw troubleOf(error, path)
  }
}

/** The error with words for people, if the system refused a file; any other error unchanged. */
export function troubleOf(error: unknown, at?: string): unknown {
  const words = fileWords(error, at)
  return words === null ? error : new FileTrouble(words, { cause: error })
}

/** Why the system refused a file or a folder, in a sentence that says what to do. Null: it refused none. */
export function fileWords(error: unknown, at?: string): string | null {
  const path = pathOf(error, at)
  if (path === null) return null
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM':
      return rightWords(path)
    case 'EROFS':
      return `${path} is on a file system that is read-only. Name another place.`
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no space left for ${path}. Make room, or name another place.`
    case 'ENOTDIR':
      return `${fileAbove(path)} is a file, and a folder is needed there. Name another place.`
    case 'EEXIST':
      return `${path} already exists, and it is not what is needed there. Move it away, or name another place.`
    case 'EISDIR':
      return `${path} is a folder, and a file is needed there. Name a file.`
    case 'ENOENT':
      return missingWords(path, error)
    case 'ELOOP':
    case 'ENAMETOOLONG':
      return `${path} is not a path that the system can follow (${String(codeOf(error))}). Name another place.`
    default:
      return null
  }
}

/** Which right is missing, where, and who has it. */
function rightWords(path: string): string {
  const closed = foldersTo(path).find((folder) => !mayUse(folder, constants.X_OK))
  if (closed !== undefined) return refused(`This user (${us()}) may not enter the folder ${closed}`, closed)
  const found = statOf(path)
  if (found === null)
    return refused(`This user (${us()}) may not write to the folder ${nearest(path)}`, nearest(path))
  const what = `${found.isDirectory() ? 'the folder ' : ''}${path}`
  if (!mayUse(path, constants.R_OK)) return refused(`This user (${us()}) may not read ${what}`, path)
  if (!mayUse(path, constants.W_OK)) return refused(`This user (${us()}) may not write to ${what}`, path)
  return refused(`The system does not let this user (${us()}) change ${what}`, path)
}

function refused(what: string, path: string): string {
  const owner = statOf(path)?.uid
  const whose = owner === undefined ? 'it belongs to another user' : `it belongs to ${named(owner)}`
  return `${what}: ${whose}. Run this as that user, or change the rights (chmod, chown).`
}

function missingWords(path: string, error: unknown): string {
  const missing = [...foldersTo(path), path].find((one) => statOf(one) === null)
  if (missing === undefined) return `${path} changed while it was used. Try again.`
  if (missing !== path) return `There is no folder ${missing}. Create it, or name another place.`
  const isMaking = error instanceof Error && 'syscall' in error && error.syscall === 'mkdir'
  if (isMaking) return `The system makes no folder at ${path}. Name another place.`
  return `There is no file or folder ${path}. Check the path.`
}

/** Every folder on the way to `path`, from the top. */
function foldersTo(path: string): string[] {
  const above = dirname(resolve(path))
  return above === resolve(path) ? [] : [...foldersTo(above), above]
}

function nearest(path: string): string {
  return foldersTo(path).findLast((folder) => statOf(folder) !== null) ?? '/'
}

function fileAbove(path: string): string {
  return [...foldersTo(path), path].find((one) => statOf(one)?.isDirectory() === false) ?? path
}

function mayUse(path: string, right: number): boolean {
  try {
    accessSync(path, right)
    return true
  } catch {
    return false
  }
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

function us(): string {
  return named(process.geteuid?.() ?? -1)
}

function named(uid: number): string {
  return uid === 0 ? 'root' : `user ${uid}`
}

function isMissing(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Of two paths, the one that was to be made. */
function pathOf(error: unknown, at?: string): string | null {
  if (!(error instanceof Error) || !('syscall' in error)) return null
  // A program that could not be started is not one of these files.
  if (String(error.syscall).startsWith('spawn')) return null
  for (const name of ['dest', 'path'] as const) {
    const path: unknown = (error as { dest?: unknown; path?: unknown })[name] // as the file errors of Node have them
    if (typeof path === 'string' && path !== '') return resolve(path)
  }
  return at === undefined ? null : resolve(at)
}
