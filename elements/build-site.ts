import { basename, join } from 'node:path'
import { build } from 'esbuild'
import type { BuiltElements } from './build.ts'

const root = join(import.meta.dirname, '..')
const pages = ['sandbox/src/integrator/buy-react.jsx', 'sandbox/src/integrator/chat.jsx']

/** Bundles the pages with React of the sandbox's integrator, as an integrator does: with the packages as they are published. */
export async function buildSitePages({
  loaderModule,
  reactModule,
}: Pick<BuiltElements, 'loaderModule' | 'reactModule'>) {
  const published = new Map([
    ['@prokura/elements', loaderModule],
    ['@prokura/react', reactModule],
  ])
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: pages,
    // Nothing is written; a place is what the names of files are made for.
    outdir: '/',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    logLevel: 'warning',
    plugins: [
      {
        name: 'published-packages',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^@prokura\// }, ({ path }) => ({ path, namespace: 'published' }))
          onLoad({ filter: /.*/, namespace: 'published' }, ({ path }) => {
            const contents = published.get(path)
            if (contents === undefined) throw new Error(`there is no package ${path}`)
            return { contents, loader: 'js', resolveDir: root }
          })
        },
      },
    ],
  })
  return {
    scripts: Object.fromEntries(outputFiles.map(({ path, contents }) => [basename(path), contents])),
    sources: Object.keys(metafile.inputs).filter((path) => !path.includes(':')),
  }
}
