import { programFiles } from '../../platform/files/program-files.ts'
import { type BundledPage, filesIn, filesOf, openedOnce, pageFiles } from '../http/page-files.ts'

/** The code of the console: as it was built for the program, or bundled at the first use in a checkout. */
export const openConsoleFiles = openedOnce(async () => pageFiles('/console/files', await load()))

/** What bundles it in a checkout, outside the folder of the server. */
type Bundler = { buildConsole: () => Promise<{ page: BundledPage }> }

async function load() {
  const { checkout, console } = programFiles
  if (checkout === null) return filesIn(console)
  const { buildConsole } = (await import(console)) as Bundler // `console/build.ts`
  return filesOf('console', (await buildConsole()).page)
}
