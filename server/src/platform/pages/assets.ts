import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { programFiles } from '../files/program-files.ts'
import { type Html, html } from './html.ts'

/** What a page may load: the type of such a file, and the directive by which a browser is allowed to load it. */
const kinds = {
  '.css': { type: 'text/css; charset=utf-8', directive: 'style-src' },
  '.js': { type: 'text/javascript; charset=utf-8', directive: 'script-src' },
  '.svg': { type: 'image/svg+xml', directive: 'img-src' },
  '.png': { type: 'image/png', directive: 'img-src' },
  '.woff2': { type: 'font/woff2', directive: 'font-src' },
} as const

type Extension = keyof typeof kinds
export type AssetDirective = (typeof kinds)[Extension]['directive']

type Asset = { readonly path: `/${string}`; readonly type: string; readonly bytes: Uint8Array }

const served = new Map<string, Asset>()

/** Every file that a page of this process can refer to: what is not served cannot be referred to. */
export function servedAssets(): readonly Asset[] {
  return [...served.values()]
}

/** The files of a page as others reach them: a style sheet finds a font, and a script a module, by its name alone. */
export type PlacedAssets<Name extends string = string> = {
  href(name: Name): string
  /** Loads the style sheets and runs the scripts. */
  readonly head: Html
  readonly directives: ReadonlySet<AssetDirective>
  /** The one place from which the page loads anything. */
  readonly source: string
}

type PageAssets<Name extends string> = { at(publicUrl: string): PlacedAssets<Name> }

/**
 * The files of a page, which stand in `folder` of `server/src`. They are read when the process starts, which fails without one of them.
 * Their address has a hash of all of them, so that a browser keeps them for ever and never mixes two versions.
 */
export function pageAssets<const Name extends `${string}${Extension}`>(
  folder: string,
  names: readonly Name[],
): PageAssets<Name> {
  const files = names.map((name) => {
    const extension = extname(name) as Extension // by the type of its name
    return { name, extension, bytes: readFileSync(join(programFiles.pages, folder, name)) }
  })
  const hash = createHash('sha256')
  for (const { name, bytes } of files) hash.update(`${name} ${bytes.length} `).update(bytes)
  const place = `/assets/${hash.digest('base64url').slice(0, 22)}/` as const
  for (const { name, extension, bytes } of files)
    served.set(`${place}${name}`, { path: `${place}${name}`, type: kinds[extension].type, bytes })
  const directives = new Set(files.map(({ extension }) => kinds[extension].directive))

  function at(publicUrl: string): PlacedAssets<Name> {
    const source = `${publicUrl}${place}`
    const href = (name: Name) => `${source}${name}`
    const loaded = files.map(({ name, extension }) => {
      if (extension === '.css') return html`<link rel="stylesheet" href="${href(name)}">\n`
      return extension === '.js' ? html`<script type="module" src="${href(name)}"></script>\n` : null
    })
    return { href, head: html`${loaded}`, directives, source }
  }
  return { at }
}
