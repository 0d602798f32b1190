import { join } from 'node:path'

const { filename, dirname } = import.meta
/** What `npm run build` makes: one folder with all of it, this module too. In a checkout each file lies where it was written. */
const isBuilt = filename.endsWith('.js')
const checkout = join(dirname, '../../../..')

function file(built: string, source: string): string {
  return isBuilt ? join(dirname, built) : join(checkout, source)
}

/** What the program starts or reads of itself, as paths of files and folders. */
export const programFiles = {
  /** The root of the checkout; null for the built program. */
  checkout: isBuilt ? null : checkout,
  main: file('main.js', 'server/src/main.ts'),
  /** The outside world of test mode, which is started and called over HTTP, never imported. */
  sandbox: file('sandbox.js', 'sandbox/src/main.ts'),
  supervisor: file('supervisor.js', 'server/src/platform/postgres/supervisor.ts'),
  viewerThread: file('viewer-thread.js', 'server/src/surfaces/v1/viewer-thread.ts'),
  /** The folders of pages, with the files that these load. */
  pages: file('pages', 'server/src'),
  /** What a page of an integrator loads, and the frame in it: a folder of the built program, and what bundles it in a checkout. */
  elements: file('elements', 'elements/build.ts'),
  /** What the pages of the console load, in the same way. */
  console: file('console', 'console/build.ts'),
  migrations: file('migrations', 'server/migrations'),
  compileCache: file('.cache', 'node_modules/.cache/prokura'),
}
