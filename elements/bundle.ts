import { basename, extname, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'

export type BuiltPage = {
  readonly js: Uint8Array
  readonly css: Uint8Array
  /** What its code loads later, by name: a file for each language. */
  readonly more: Readonly<Record<string, Uint8Array>>
}

const root = join(import.meta.dirname, '..')

type Bundling = Pick<
  BuildOptions,
  'banner' | 'plugins' | 'splitting' | 'chunkNames' | 'jsxImportSource' | 'define'
>

/** A document of ours: its code, and how it looks. */
export async function page(
  code: string,
  look: string,
  more: Pick<Bundling, 'jsxImportSource' | 'define'> = {},
) {
  const name = basename(code, extname(code))
  // Each file has its hash in its name: two languages of one page may be parts of the same text.
  const apart = { ...more, splitting: true, chunkNames: `${name}-[name]-[hash]` }
  const parts = await Promise.all([bundled(code, 'esm', apart), bundled(look, 'esm')])
  const [js, css] = parts
  const built: BuiltPage = { js: js.bytes, css: css.bytes, more: js.more }
  return { parts, built }
}

export async function bundled(entry: string, format: 'esm' | 'iife', more: Bundling = {}) {
  const { outputFiles, metafile } = await build({
    format,
    absWorkingDir: root,
    entryPoints: [entry],
    // Nothing is written; a place is what the names of files are made for.
    outdir: '/',
    write: false,
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    ...more,
  })
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]))
  const [made] = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === entry ? basename(path) : [],
  )
  const bytes = files.get(made ?? '')
  if (made === undefined || bytes === undefined) throw new Error(`nothing is made of ${entry}`)
  files.delete(made)
  return { bytes, more: Object.fromEntries(files), sources: Object.keys(metafile.inputs) }
}
