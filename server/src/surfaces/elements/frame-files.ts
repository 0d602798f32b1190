import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programFiles } from '../../platform/files/program-files.ts'

const types = {
  'frame.js': 'text/javascript; charset=utf-8',
  'frame.css': 'text/css; charset=utf-8',
  'ceremony.js': 'text/javascript; charset=utf-8',
  'ceremony.css': 'text/css; charset=utf-8',
  'approval.js': 'text/javascript; charset=utf-8',
  'approval.css': 'text/css; charset=utf-8',
  'prokura.js': 'text/javascript; charset=utf-8',
} as const

type FileName = keyof typeof types
const names = Object.keys(types) as FileName[]

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
  const bytes = await load()
  const hash = createHash('sha256')
  for (const name of names) hash.update(`${name} ${bytes[name].length} `).update(bytes[name])
  const version = hash.digest('base64url').slice(0, 22)
  const of = (name: FileName): FrameFile => ({
    path: `/elements/v1/files/${version}/${name}`,
    type: types[name],
    bytes: bytes[name],
  })
  return {
    of,
    at: (asked, name) => (asked === version && isFile(name) ? of(name) : null),
  }
}

function isFile(name: string): name is FileName {
  return Object.hasOwn(types, name)
}

type BuiltPage = { js: Uint8Array; css: Uint8Array }

/** What bundles them in a checkout, outside the folder of the server. */
type Bundler = {
  buildElements: () => Promise<{
    loader: Uint8Array
    frame: BuiltPage
    ceremony: BuiltPage
    approval: BuiltPage
  }>
}

type FileBytes = Readonly<Record<FileName, Uint8Array>>

async function load(): Promise<FileBytes> {
  const { checkout, elements } = programFiles
  if (checkout === null) {
    const read = async (name: FileName): Promise<[FileName, Uint8Array]> => [
      name,
      await readFile(join(elements, name)),
    ]
    return Object.fromEntries<Uint8Array>(await Promise.all(names.map(read))) as FileBytes // of every name
  }
  const { buildElements } = (await import(elements)) as Bundler // `elements/build.ts`
  const { loader, frame, ceremony, approval } = await buildElements()
  return {
    'prokura.js': loader,
    'frame.js': frame.js,
    'frame.css': frame.css,
    'ceremony.js': ceremony.js,
    'ceremony.css': ceremony.css,
    'approval.js': approval.js,
    'approval.css': approval.css,
  }
}
