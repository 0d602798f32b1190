import { createHash } from 'node:crypto'
import { programFiles } from '../../platform/files/program-files.ts'
import {
  type BundledPage,
  filesIn,
  filesOf,
  openedOnce,
  type PageFile,
  type PageFiles,
  pageFiles,
} from '../http/page-files.ts'

export type FrameFiles = PageFiles & { readonly loader: Loader }

/** The loader at an address of its own content: it changes where the loader does, whatever else does. */
type Loader = PageFile & {
  /** What `integrity` of a script element takes. */
  readonly integrity: string
}

/** The code of loader and pages: as it was built for the program, or bundled at the first use in a checkout. */
export const openFrameFiles = openedOnce(async (): Promise<FrameFiles> => {
  const files = pageFiles('/elements/v1/files', await load())
  return { ...files, loader: loaderOf(files.of('prokura.js')) }
})

function loaderOf({ type, bytes }: PageFile): Loader {
  const digest = createHash('sha384').update(bytes).digest()
  const hash = digest.toString('base64url').slice(0, 22)
  return {
    path: `/elements/v1/loaders/${hash}/prokura.js`,
    type,
    bytes,
    integrity: `sha384-${digest.toString('base64')}`,
  }
}

const pages = ['frame', 'ceremony', 'approval', 'cards'] as const

/** What bundles them in a checkout, outside the folder of the server. */
type Bundler = {
  buildElements: () => Promise<{ loader: Uint8Array } & Record<(typeof pages)[number], BundledPage>>
}

async function load() {
  const { checkout, elements } = programFiles
  if (checkout === null) return filesIn(elements)
  const { buildElements } = (await import(elements)) as Bundler // `elements/build.ts`
  const built = await buildElements()
  return [['prokura.js', built.loader] as const, ...pages.flatMap((name) => filesOf(name, built[name]))]
}
