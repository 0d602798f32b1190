import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Frame } from 'puppeteer-core'
import { type ShopPage, until } from './open-chromium.ts'

const axe = readFileSync(join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong with what is shown and the page around it, in light and in dark. */
export async function faultsOf(shop: ShopPage, frame: Frame): Promise<unknown[]> {
  // The page's axe asks the frame's, which would answer no page of another origin.
  for (const place of [shop.page, frame])
    await place.evaluate(
      `if (!window.axe) { ${axe} }; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`,
    )
  const found: unknown[] = []
  for (const theme of ['light', 'dark']) {
    await shop.run(`element.update({ appearance: { theme: '${theme}' } })`)
    await until(frame, `getComputedStyle(document.documentElement).colorScheme === '${theme}'`)
    const faults = (await shop.run(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
    )) as unknown[]
    found.push(...faults.map((fault) => [theme, fault]))
  }
  return found
}
