import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { extract } from 'tar-fs'
import { ChromiumFailure } from './chromium-failure.ts'

/** Where the Chromium of the package runs. */
export const chromiumFor = { os: 'linux', cpu: 'x64' } as const

/** A Chromium on this machine, with what its environment has to say. */
export type ChromiumBinary = {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
  /** Throws where the file is not the one that was unpacked. */
  check(): Promise<void>
}

/** The Chromium that an operator names is theirs to look after. */
export function namedChromium(path: string): ChromiumBinary {
  if (!existsSync(path))
    throw new ChromiumFailure(`There is no Chromium at ${path}. Correct CHROMIUM_PATH, or remove it.`)
  return { path, env: {}, check: () => Promise.resolve() }
}

/**
 * The Chromium of the package, which brings it compressed, unpacked below `folder`. Nobody but this process's user may write there, above
 * all not Chromium itself.
 */
export async function unpackedChromium(folder: string): Promise<ChromiumBinary> {
  if (process.platform !== chromiumFor.os || process.arch !== chromiumFor.cpu)
    throw new ChromiumFailure(
      `The Chromium that comes along runs on Linux on x64 alone. Set CHROMIUM_PATH to a Chromium of ${process.platform} on ${process.arch}.`,
    )
  const packed = packedFiles()
  // Another version of the package is another folder.
  const home = join(folder, `chromium-${statSync(join(packed, 'chromium.br')).size}`)
  const [path, sumFile] = [join(home, 'chromium'), join(home, 'chromium.sha256')]
  if (!existsSync(sumFile)) {
    mkdirSync(home, { recursive: true, mode: 0o755 })
    await unpack(join(packed, 'chromium.br'), path)
    writeWhole(sumFile, await sumOf(path))
  }
  const check = checkOf(path, sumFile, home)
  await check()
  return { path, check, env: { ...(await fonts(packed, home)), ...(await libraries(packed, home, path)) } }
}

/** The folder of the package with what it has compressed. Its code is not loaded: that changes the environment, and writes to /tmp. */
function packedFiles(): string {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  return join(dirname(entry), '../bin')
}

async function unpack(from: string, to: string): Promise<void> {
  const half = besides(to)
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(half, { mode: 0o755 }))
  renameSync(half, to)
}

function writeWhole(path: string, text: string): void {
  const half = besides(path)
  writeFileSync(half, text, { mode: 0o644 })
  renameSync(half, path)
}

/** It reads the file once, and later asks whether it is still that one: whoever writes to a file or replaces it changes one of these. */
export function checkOf(path: string, sumFile: string, home: string): () => Promise<void> {
  let checked: string | null = null
  return async () => {
    const found = existsSync(path) ? versionOf(path) : null
    // guard chromium-is-the-unpacked-one: a Chromium that somebody has changed is not started
    if (found !== null && found === checked) return
    if (found === null || (await sumOf(path)) !== readFileSync(sumFile, 'utf8').trim())
      throw new ChromiumFailure(
        `${path} is not the Chromium that was unpacked there. Find out who has changed it, remove ${home}, and start the browser again.`,
      )
    checked = found
  }
}

function versionOf(path: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
}

/** One piece of memory for all of it: the file has two hundred megabytes. */
async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(1_048_576)
  const file = await open(path)
  try {
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, piece.length)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(piece.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}

/** Of a system without any font, all text would be boxes. */
async function fonts(packed: string, home: string): Promise<Record<string, string>> {
  if (existsSync('/etc/fonts/fonts.conf')) return {}
  const folder = join(home, 'fonts-of-package')
  await extractOnce(join(packed, 'fonts.tar.br'), folder)
  // The one that comes along names places of another system.
  const conf = `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts</dir></fontconfig>`
  writeWhole(join(folder, 'fonts.conf'), conf)
  return { FONTCONFIG_PATH: folder }
}

/** Libraries that small systems lack come along. */
async function libraries(packed: string, home: string, path: string): Promise<Record<string, string>> {
  if (starts(path, {})) return {}
  const folder = join(home, 'libraries-of-package')
  await extractOnce(join(packed, 'al2023.tar.br'), folder)
  const env = { LD_LIBRARY_PATH: join(folder, 'lib') }
  const said = startWords(path, env)
  if (said === null) return env
  throw new ChromiumFailure(
    `Chromium does not start on this system (${said}). Install a Chromium of the system, and set CHROMIUM_PATH to it.`,
  )
}

function starts(path: string, env: Record<string, string>): boolean {
  return startWords(path, env) === null
}

/** What the system says to a start that shows nothing but the version; null: it works. */
function startWords(path: string, env: Record<string, string>): string | null {
  const { status, stderr, error } = spawnSync(path, ['--version'], { env, cwd: '/', encoding: 'utf8' })
  if (status === 0) return null
  return error?.message ?? (stderr.trim().split('\n').at(-1) || `exit code ${status}`)
}

/** Everything is made readable, and belongs to this process's user, not to the one who packed it. */
const unpacking = { dmode: 0o755, fmode: 0o755, chown: false }

/** Writes the files of a compressed archive below `folder`, all of them or none. */
export async function extractOnce(from: string, folder: string): Promise<void> {
  if (existsSync(folder)) return
  const half = besides(folder)
  try {
    await pipeline(createReadStream(from), createBrotliDecompress(), extract(half, unpacking))
    renameSync(half, folder)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    // Another process was as quick.
    if (!existsSync(folder)) throw error
  }
}

/** A name of its own for what is not whole yet: others may unpack the same at the same time. */
function besides(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`
}
