import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What bundles them in a checkout, outside the sandbox: it knows the packages only as they are published. */
type Builders = {
  buildElements: () => Promise<{ loaderModule: Uint8Array; reactModule: Uint8Array }>
  buildSitePages: (packages: {
    loaderModule: Uint8Array
    reactModule: Uint8Array
  }) => Promise<{ scripts: Scripts }>
}

/** The code of the pages with React, by the name of its file. */
type Scripts = Readonly<Record<string, Uint8Array>>

const names = ['buy-react.js', 'chat.js']

let made: Promise<Scripts> | null = null

/** As they were built for the program, or bundled at the first use in a checkout. */
export function pageScripts(): Promise<Scripts> {
  made ??= make()
  return made
}

async function make(): Promise<Scripts> {
  const built = names.map((name) => [name, join(import.meta.dirname, name)] as const)
  if (built.every(([, path]) => existsSync(path)))
    return Object.fromEntries(built.map(([name, path]) => [name, readFileSync(path)]))
  const elements = join(import.meta.dirname, '../../../elements')
  const [{ buildElements }, { buildSitePages }] = (await Promise.all(
    ['build.ts', 'build-site.ts'].map((name) => import(join(elements, name))),
  )) as [Pick<Builders, 'buildElements'>, Pick<Builders, 'buildSitePages'>] // in this order
  return (await buildSitePages(await buildElements())).scripts
}
