import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { isThere, troubleOf } from '../files/file-trouble.ts'

/** A backup cannot be made, trusted or restored here. The message is for people and says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

export const formatVersion = 1
export const manifestFile = 'manifest.json'
/** In the form that `sha256sum -c` reads, so that a manifest can be checked without this program. */
export const manifestDigestFile = 'manifest.json.sha256'

const Count = Type.Integer({ minimum: 0 })
const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' })
// Names become parts of statements and paths.
const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]*$' })
const QualifiedName = Type.String({ pattern: '^[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)?$' })

const ManifestSchema = Type.Object({
  format: Type.Literal('prokura-backup'),
  format_version: Type.Literal(formatVersion),
  created_at: Type.String(),
  postgres: Type.String(),
  schema: Type.Object({
    version: Count,
    migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Digest })),
  }),
  /** Ids, never keys. Null: the process that made the backup had no keys. */
  vault_keys: Type.Union([
    Type.Null(),
    Type.Object({ root_id: Type.String(), current_id: Type.String(), source: Type.String() }),
  ]),
  tables: Type.Array(
    Type.Object({
      name: QualifiedName,
      columns: Type.Array(Name),
      rows: Count,
      file: Type.String({ pattern: '^[a-z0-9_.]+\\.copy\\.gz$' }),
      bytes: Count,
      sha256: Digest,
    }),
  ),
  sequences: Type.Array(Type.Object({ name: QualifiedName, last_value: Type.Union([Type.Null(), Count]) })),
})

/** What a backup holds. Everything in it is checked before a restore touches a database. */
export type Manifest = Static<typeof ManifestSchema>
export type BackedUpTable = Manifest['tables'][number]

const validator = Compile(ManifestSchema)

/** The manifest as text, and the line that vouches for it. */
export function renderManifest(manifest: Manifest): { text: string; digestLine: string } {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  return { text, digestLine: `${sha256(text)}  ${manifestFile}\n` }
}

export async function readManifest(folder: string): Promise<Manifest> {
  const [text, digestLine] = await Promise.all([read(folder, manifestFile), read(folder, manifestDigestFile)])
  if (digestLine.split(' ')[0] !== sha256(text)) throw damaged(manifestFile)
  const manifest = parse(text)
  const found = versionOf(manifest)
  if (found !== formatVersion) {
    throw new BackupError(
      `The backup has format ${found}, and this program reads format ${formatVersion}. Restore it with the version that made it.`,
    )
  }
  if (!validator.Check(manifest)) throw damaged(manifestFile)
  return manifest
}

export function damaged(file: string): BackupError {
  return new BackupError(
    `${file} has changed since it was written: the backup is damaged. Nothing was restored. Use another copy of the backup.`,
  )
}

async function read(folder: string, file: string): Promise<string> {
  return readFile(join(folder, file), 'utf8').catch((error: unknown) => {
    // Throws where this user may not look, which says nothing about what is there.
    if (isThere(join(folder, file))) throw troubleOf(error, join(folder, file))
    throw new BackupError(`${folder} is not a backup: it has no ${file}.`)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw damaged(manifestFile)
  }
}

function versionOf(manifest: unknown): unknown {
  const isOurs =
    typeof manifest === 'object' &&
    manifest !== null &&
    'format' in manifest &&
    manifest.format === 'prokura-backup'
  if (!isOurs || !('format_version' in manifest)) throw damaged(manifestFile)
  return manifest.format_version
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
