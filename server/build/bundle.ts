import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { buildConsole } from '../../console/build.ts'
import { type BuiltElements, buildElements } from '../../elements/build.ts'
import { buildSitePages } from '../../elements/build-site.ts'
import type { BuiltPage } from '../../elements/bundle.ts'

const root = join(import.meta.dirname, '../..')

/** The processes of the program, and the threads: each is a file of its own in what is built. */
const entries = {
  main: 'server/src/main.ts',
  supervisor: 'server/src/platform/postgres/supervisor.ts',
  'viewer-thread': 'server/src/surfaces/v1/viewer-thread.ts',
  sandbox: 'sandbox/src/main.ts',
}

/** Packages that find files of their own beside themselves. */
const unbundled = ['@sparticuz/chromium', '@scalar/fastify-api-reference']

/** What the program reads of itself, found beside its modules. */
const assets = ['server/src/browser/shopper/in-page', 'server/migrations']
const assetFiles = ['sandbox/src/strangers/app/*.{js,css}', 'sandbox/src/integrator/*.html']
/** What pages load stays in their folders. */
const pageFiles = 'server/src/{domain,platform,surfaces}/**/*.{css,js,svg,png,woff2}'

/**
 * Bundles the program into one folder, which needs Node and the packages of `unbundled` and nothing else: Node runs no TypeScript below
 * `node_modules`, and reading a few files is faster than two thousand.
 */
export async function bundle(folder: string): Promise<BuiltElements> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    external: [...unbundled, 'pg-native'],
    plugins: [bundledRequires],
    // Packages in CommonJS ask for modules of Node by this name.
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'\nconst require = requireOf(import.meta.url)`,
    },
    metafile: true,
    logLevel: 'warning',
  })
  // Without it Node would have to read each file for what kind of module it is.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  for (const asset of assets) cpSync(join(root, asset), join(folder, basename(asset)), { recursive: true })
  for (const asset of globSync(assetFiles, { cwd: root }))
    copyFileSync(join(root, asset), join(folder, basename(asset)))
  for (const asset of globSync(pageFiles, { cwd: root }))
    cpSync(join(root, asset), join(folder, 'pages', relative('server/src', asset)))
  const elements = await buildElements()
  writeElements(join(folder, 'elements'), elements)
  const built = await buildConsole()
  mkdirSync(join(folder, 'console'))
  writePage(join(folder, 'console'), 'console', built.page)
  const site = await buildSitePages(elements)
  for (const [name, bytes] of Object.entries(site.scripts)) writeFileSync(join(folder, name), bytes)
  const sources = [...Object.keys(metafile.inputs), ...elements.sources, ...built.sources, ...site.sources]
  writeFileSync(join(folder, 'licenses.txt'), licensesOf(sources))
  return elements
}

/** The built program serves these; a checkout makes the same bytes when it starts. */
function writeElements(folder: string, { loader, ...pages }: BuiltElements): void {
  mkdirSync(folder)
  writeFileSync(join(folder, 'prokura.js'), loader)
  for (const name of ['frame', 'ceremony', 'approval', 'cards'] as const) writePage(folder, name, pages[name])
}

function writePage(folder: string, name: string, { js, css, more }: BuiltPage): void {
  for (const [file, bytes] of Object.entries({ [`${name}.js`]: js, [`${name}.css`]: css, ...more }))
    writeFileSync(join(folder, file), bytes)
}

/** A module that loads a package when it first needs it does so by a `require` of its own, which would leave the package out. */
const bundledRequires: Plugin = {
  name: 'bundled-requires',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8').replace(
        'const require = createRequire(import.meta.url)\n',
        '',
      )
      return { contents, loader: 'ts' }
    })
  },
}

/** The licenses of all packages of which something is in the bundle: most ask for that. */
function licensesOf(sources: readonly string[]): string {
  const folders = new Set(
    sources.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  )
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      const texts = globSync('{LICEN[CS]E,licen[cs]e,COPYING,NOTICE}*', { cwd: join(root, folder) })
      const words = texts.map((text) => readFileSync(join(root, folder, text), 'utf8').trim())
      return [`${name} ${version} (${license})`, ...words].join('\n\n')
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
}
