import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { documentServer } from './documents.ts'
import type { Exchange } from './exchange.ts'
import type { Http } from './surface.ts'

const scriptType = 'text/javascript; charset=utf-8'
const styleType = 'text/css; charset=utf-8'

export type PageFile = {
  /** It has a hash of all files, so that a browser keeps them for ever and never mixes two versions. */
  readonly path: `/${string}`
  readonly type: string
  readonly bytes: Uint8Array
}

/** What pages of ours load, by name: those that documents name, and what these load later. */
export type PageFiles = {
  /** Throws where the program lacks it. */
  of(name: string): PageFile
  /** Null: there is no such file, or it is of another version. */
  at(version: string, name: string): PageFile | null
}

type NamedBytes = readonly (readonly [name: string, bytes: Uint8Array])[]

/** `below`: the path below which they are served, by their version. */
export function pageFiles(below: `/${string}`, named: NamedBytes): PageFiles {
  const files = new Map(named)
  const hash = createHash('sha256')
  for (const [name, bytes] of [...files].sort(([one], [other]) => (one < other ? -1 : 1)))
    hash.update(`${name} ${bytes.length} `).update(bytes)
  const version = hash.digest('base64url').slice(0, 22)
  const at = (asked: string, name: string): PageFile | null => {
    const bytes = files.get(name)
    if (asked !== version || bytes === undefined) return null
    const type = name.endsWith('.css') ? styleType : scriptType
    return { path: `${below}/${version}/${name}`, type, bytes }
  }
  return {
    at,
    of(name) {
      const file = at(version, name)
      if (file === null) throw new Error(`the program lacks ${name}`)
      return file
    },
  }
}

/** What bundles a page in a checkout makes of it. */
export type BundledPage = { js: Uint8Array; css: Uint8Array; more: Readonly<Record<string, Uint8Array>> }

/** The files of a page that was bundled. */
export function filesOf(name: string, { js, css, more }: BundledPage): NamedBytes {
  return Object.entries({ [`${name}.js`]: js, [`${name}.css`]: css, ...more })
}

/** The files of a folder of the built program. */
export async function filesIn(folder: string): Promise<NamedBytes> {
  const names = await readdir(folder)
  return Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const))
}

/** Opens them once, at the first use; after a failure the next one tries again. */
export function openedOnce<Files>(open: () => Promise<Files>): () => Promise<Files> {
  let opened: Promise<Files> | null = null
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }
}

type Served = Pick<PageFile, 'path'> & { maxAgeSeconds: number; isImmutable?: boolean }

export type FileServer = (exchange: Exchange, file: PageFile, served: Served) => Promise<void>

const yearSeconds = 31_536_000

/** For a file at an address of its content. */
export function forEver({ path }: Pick<PageFile, 'path'>): Served {
  return { path, maxAgeSeconds: yearSeconds, isImmutable: true }
}

/** Each file is compressed once for each address that it has. `policy`: which pages may load it. */
export function fileServer(http: Http, policy: 'cross-origin' | 'same-origin'): FileServer {
  const servers = new Map<string, (exchange: Exchange) => Promise<void>>()
  return (exchange, { type, bytes }, served) => {
    const headers = { 'cross-origin-resource-policy': policy }
    const server =
      servers.get(served.path) ?? documentServer(http, { ...served, type, headers, make: () => bytes })
    servers.set(served.path, server)
    return server(exchange)
  }
}
