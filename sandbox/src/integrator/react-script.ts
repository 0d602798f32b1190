import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What bundles them in a checkout, outside the sandbox: it knows the packages only as they are published. */
type Builders = {
  buildElements: () => Promise<{ loaderModule: Uint8Array; reactModule: Uint8Array }>
  buildSitePage: (packages: {
    loaderModule: Uint8Array
    reactModule: Uint8Array
  }) => Promise<{ bytes: Uint8Array }>
}

let made: Promise<Uint8Array> | null = null

/** The code of the page with React: as it was built for the program, or bundled at the first use in a checkout. */
export function reactScript(): Promise<Uint8Array> {
  made ??= make()
  return made
}

async function make(): Promise<Uint8Array> {
  const built = join(import.meta.dirname, 'buy-react.js')
  if (existsSync(built)) return readFileSync(built)
  const elements = join(import.meta.dirname, '../../../elements')
  const [{ buildElements }, { buildSitePage }] = (await Promise.all(
    ['build.ts', 'build-site.ts'].map((name) => import(join(elements, name))),
  )) as [Pick<Builders, 'buildElements'>, Pick<Builders, 'buildSitePage'>] // in this order
  return (await buildSitePage(await buildElements())).bytes
}
