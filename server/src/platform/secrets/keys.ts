import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isThere, look, withFileWords } from '../files/file-trouble.ts'
import { FolderLocked, withFolderLock } from '../postgres/folder-lock.ts'

/**
 * The source of key-encryption keys: a file, the environment, or a key management service behind the same port. Keys are ordered by age.
 * New records use the current (newest) one; old ones stay for records that they once sealed.
 */
export interface KeyProvider {
  readonly currentId: string
  /** The oldest key. Token hashes derive from it, so it outlives every rotation. */
  readonly rootId: string
  /** Throws UnknownKeyError when this installation does not hold the key. */
  key(id: string): KeyObject
}

export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError'
  readonly keyId: string

  constructor(keyId: string) {
    super(`key ${keyId} is not among the configured keys`)
    this.keyId = keyId
  }
}

/** The key material is missing, damaged or readable by others. The message never contains any of it. */
export class KeyMaterialError extends Error {
  override readonly name = 'KeyMaterialError'
}

/** Keys in a file that only its owner can read. Creates the file with one fresh key when it does not exist. */
export function fileKeyProvider(path: string): KeyProvider {
  createKeyFile(path)
  return new FileKeys(path)
}

/** `id:base64` pairs separated by commas, oldest first; each key is 32 bytes. */
export function envKeyProvider(value: string): KeyProvider {
  return new FixedKeys(
    parseKeys(
      value
        .split(',')
        .map((pair) => pair.trim())
        .filter((pair) => pair !== ''),
    ),
  )
}

/**
 * Adds a fresh key, which becomes the current one, and returns its id. Running processes continue to seal with the key that they started
 * with, and open what others seal with the new one. `prove` gets the existing keys before one is added, and throws where they are not the
 * right ones.
 */
export async function addKeyToFile(
  path: string,
  prove: (keys: KeyProvider) => Promise<void> = async () => undefined,
): Promise<string> {
  readKeyFile(path)
  // Two additions at once would each write a file without the other's key, and records that the lost key sealed would be lost.
  return withFolderLock(`${path}.lock`, lockPatienceMs, async () => {
    await prove(new FixedKeys(readKeyFile(path)))
    return append(path)
  }).catch((error: unknown) => {
    if (!(error instanceof FolderLocked)) throw error
    throw new KeyMaterialError('another process is adding a key to it. Try again when it has ended')
  })
}

/** Another process that adds a key at the same time needs only a moment, and one that waits for a database says so. */
const lockPatienceMs = 5_000

function append(path: string): string {
  const line = freshKeyLine(new Set(readKeyFile(path).keys()))
  const temporary = writeTemporary(path, [...readLines(path), line])
  const { uid, gid } = statOf(path)
  // Root may add a key for processes that run as another user.
  if (process.geteuid?.() === 0) chownSync(temporary, uid, gid)
  renameSync(temporary, path)
  syncFolder(path)
  return idOf(line)
}

type Keys = ReadonlyMap<string, KeyObject>

class FixedKeys implements KeyProvider {
  readonly currentId: string
  readonly rootId: string
  readonly #keys: Keys

  constructor(keys: Keys) {
    const ids = [...keys.keys()]
    this.currentId = oneOf(ids.at(-1))
    this.rootId = oneOf(ids[0])
    this.#keys = keys
  }

  key(id: string): KeyObject {
    const key = this.#keys.get(id)
    if (key === undefined) throw new UnknownKeyError(id)
    return key
  }
}

class FileKeys implements KeyProvider {
  readonly currentId: string
  readonly rootId: string
  readonly #path: string
  #keys: Keys

  constructor(path: string) {
    const keys = readKeyFile(path)
    const fixed = new FixedKeys(keys)
    this.currentId = fixed.currentId
    this.rootId = fixed.rootId
    this.#path = path
    this.#keys = keys
  }

  key(id: string): KeyObject {
    // A key that another process added since then is in the file before a record names it.
    if (!this.#keys.has(id)) this.#keys = readKeyFile(this.#path)
    const key = this.#keys.get(id)
    if (key === undefined) throw new UnknownKeyError(id)
    return key
  }
}

const keyBytes = 32
const keyLinePattern = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/

function parseKeys(lines: string[]): Keys {
  const keys = new Map<string, KeyObject>()
  for (const [index, line] of lines.entries()) {
    const [, id, encoded] = keyLinePattern.exec(line) ?? []
    if (id === undefined || encoded === undefined) {
      throw new KeyMaterialError(`key ${index + 1} is not "id:" and 32 bytes in base64`)
    }
    if (keys.has(id)) throw new KeyMaterialError(`the key id ${id} is there twice`)
    keys.set(id, createSecretKey(Buffer.from(encoded, 'base64')))
  }
  if (keys.size === 0) throw new KeyMaterialError('there is no key in it')
  return keys
}

function createKeyFile(path: string): void {
  if (isThere(path)) return
  const temporary = writeTemporary(path, [freshKeyLine(new Set())])
  try {
    // Unlike a rename, a link cannot replace a file: when several processes start at once, they all get one key.
    linkSync(temporary, path)
    syncFolder(path)
  } catch (error) {
    if (!isFileError(error, 'EEXIST')) throw error
  } finally {
    rmSync(temporary)
  }
}

function readKeyFile(path: string): Keys {
  const found = statOf(path)
  if (!found.isFile()) throw new KeyMaterialError('it is not a file. Name the file with the keys')
  // guard key-file-of-its-owner: a key file that others can read is refused
  const openToOthers = found.mode & 0o077
  if (process.platform !== 'win32' && openToOthers !== 0) {
    throw new KeyMaterialError(`only the owner of ${path} may be able to read it (run chmod 600)`)
  }
  return parseKeys(readLines(path))
}

function statOf(path: string): Stats {
  const found = look(path)
  if (found === null) throw new KeyMaterialError('there is no such file')
  return found
}

function readLines(path: string): string[] {
  return withFileWords(path, () => readFileSync(path, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
}

function writeTemporary(path: string, lines: string[]): string {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(temporary, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  return temporary
}

// If a key vanished in a power cut after it had sealed records, these would be lost with it.
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function freshKeyLine(taken: ReadonlySet<string>): string {
  const id = `k${randomBytes(4).toString('hex')}`
  if (taken.has(id)) return freshKeyLine(taken)
  return `${id}:${randomBytes(keyBytes).toString('base64')}`
}

function idOf(line: string): string {
  return line.slice(0, line.indexOf(':'))
}

function oneOf(id: string | undefined): string {
  if (id === undefined) throw new KeyMaterialError('there is no key in it')
  return id
}

function isFileError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
