import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programFiles } from '../../platform/files/program-files.ts'

const scriptType = 'text/javascript; charset=utf-8'
const styleType = 'text/css; charset=utf-8'

/** What documents name. */
const named = [
  'frame.js',
  'frame.css',
  'ceremony.js',
  'ceremony.css',
  'approval.js',
  'approval.css',
  'cards.js',
  'cards.css',
  'prokura.js',
] as const

type FileName = (typeof named)[number]

export type FrameFile = {
  /** It has a hash of all files, so that a browser keeps them for ever and never mixes two versions. */
  readonly path: `/${string}`
  readonly type: string
  readonly bytes: Uint8Array
}

export type FrameFiles = {
  of(name: FileName): FrameFile
  /** Null: there is no such file, or it is of another version. */
  at(version: string, name: string): FrameFile | null
  readonly loader: Loader
}

/** The loader at an address of its own content: it changes where the loader does, whatever else does. */
type Loader = FrameFile & {
  /** What `integrity` of a script element takes. */
  readonly integrity: string
}

let opened: Promise<FrameFiles> | null = null

/** The code of loader and pages: as it was built for the program, or bundled at the first use in a checkout. */
export function openFrameFiles(): Promise<FrameFiles> {
  opened ??= open().catch((error: unknown) => {
    opened = null
    throw error
  })
  return opened
}

async function open(): Promise<FrameFiles> {
  const files = await load()
  const hash = createHash('sha256')
  for (const [name, bytes] of [...files].sort(([one], [other]) => (one < other ? -1 : 1)))
    hash.update(`${name} ${bytes.length} `).update(bytes)
  const version = hash.digest('base64url').slice(0, 22)
  const at = (asked: string, name: string): FrameFile | null => {
    const bytes = files.get(name)
    if (asked !== version || bytes === undefined) return null
    const type = name.endsWith('.css') ? styleType : scriptType
    return { path: `/elements/v1/files/${version}/${name}`, type, bytes }
  }
  const of = (name: FileName): FrameFile => {
    const file = at(version, name)
    if (file === null) throw new Error(`the program lacks ${name}`)
    return file
  }
  return { at, of, loader: loaderOf(of('prokura.js')) }
}

function loaderOf({ type, bytes }: FrameFile): Loader {
  const digest = createHash('sha384').update(bytes).digest()
  const hash = digest.toString('base64url').slice(0, 22)
  return {
    path: `/elements/v1/loaders/${hash}/prokura.js`,
    type,
    bytes,
    integrity: `sha384-${digest.toString('base64')}`,
  }
}

type BuiltPage = { js: Uint8Array; css: Uint8Array; more: Readonly<Record<string, Uint8Array>> }

/** What bundles them in a checkout, outside the folder of the server. */
type Bundler = {
  buildElements: () => Promise<{
    loader: Uint8Array
    frame: BuiltPage
    ceremony: BuiltPage
    approval: BuiltPage
    cards: BuiltPage
  }>
}

/** By their names: those that documents name, and what these load later. */
async function load(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { checkout, elements } = programFiles
  if (checkout === null) {
    const names = await readdir(elements)
    return new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(join(elements, name))] as const)),
    )
  }
  const { buildElements } = (await import(elements)) as Bundler // `elements/build.ts`
  const { loader, ...pages } = await buildElements()
  const files = new Map([['prokura.js', loader]])
  for (const name of ['frame', 'ceremony', 'approval', 'cards'] as const) {
    const { js, css, more } = pages[name]
    for (const [file, bytes] of Object.entries({ [`${name}.js`]: js, [`${name}.css`]: css, ...more }))
      files.set(file, bytes)
  }
  return files
}
