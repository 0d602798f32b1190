import { type BuiltPage, page } from '../elements/bundle.ts'

export type BuiltConsole = {
  readonly page: BuiltPage
  /** Every file that something of is in it, from the root of the checkout: packages among them ask that their licenses go along. */
  readonly sources: readonly string[]
}

/** Makes everything in memory: a checkout serves it as it is, and `npm run build` writes the same bytes. */
export async function buildConsole(): Promise<BuiltConsole> {
  const { parts, built } = await page('console/src/console.tsx', 'console/src/console.css', {
    jsxImportSource: 'react',
    // React has a slower form for those who develop it.
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return { page: built, sources: parts.flatMap(({ sources }) => sources) }
}
