import type { Plugin } from 'esbuild'
import { type BuiltPage, bundled, page } from './bundle.ts'

/** What browsers load, as it is served and published. */
export type BuiltElements = {
  /** `prokura.js`: for a `<script>`, which finds `Prokura` among the globals. */
  readonly loader: Uint8Array
  /** `prokura.mjs`: the module of the package. */
  readonly loaderModule: Uint8Array
  /** `prokura-react.mjs`: the module of the package for React, which takes the loader from its own package. */
  readonly reactModule: Uint8Array
  readonly frame: BuiltPage
  /** The window in which a person proves a card. */
  readonly ceremony: BuiltPage
  /** The page on which a person approves. */
  readonly approval: BuiltPage
  /** The page on which the payment processor takes a card. */
  readonly cards: BuiltPage
  /** Every file that something of is in them, from the root of the checkout: packages among them ask that their licenses go along. */
  readonly sources: readonly string[]
}

/** Makes everything in memory: a checkout serves it as it is, and `npm run build` writes the same bytes. */
export async function buildElements(): Promise<BuiltElements> {
  const [script, module, react, frame, ceremony, approval, cards] = await Promise.all([
    bundled('elements/loader/src/script.ts', 'iife'),
    bundled('elements/loader/src/prokura.ts', 'esm'),
    bundled('elements/react/src/prokura-react.ts', 'esm', {
      banner: { js: "'use client';" },
      plugins: [others],
    }),
    page('elements/frame/src/frame.tsx', 'elements/frame/src/frame.css'),
    page('elements/ceremony/src/ceremony.tsx', 'elements/ceremony/src/ceremony.css'),
    page('elements/approval/src/approval.tsx', 'elements/approval/src/approval.css'),
    page('elements/cards/src/cards.ts', 'elements/cards/src/cards.css'),
  ])
  const pages = [frame, ceremony, approval, cards]
  const all = [script, module, react, ...pages.flatMap(({ parts }) => parts)]
  return {
    loader: script.bytes,
    loaderModule: module.bytes,
    reactModule: react.bytes,
    frame: frame.built,
    ceremony: ceremony.built,
    approval: approval.built,
    cards: cards.built,
    sources: [...new Set(all.flatMap(({ sources }) => sources))].sort(),
  }
}

/** The packages that a page has once, whoever brings them. */
const others: Plugin = {
  name: 'packages-of-the-page',
  setup({ onResolve }) {
    onResolve({ filter: /^react$/ }, () => ({ path: 'react', external: true }))
    onResolve({ filter: /\/loader\/src\/prokura\.ts$/ }, () => ({
      path: '@prokura/elements',
      external: true,
    }))
  },
}
