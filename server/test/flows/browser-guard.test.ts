import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserWorld, hasChromium, startBrowserWorld } from '../harness/browser.ts'

describe.skipIf(!hasChromium)('the guard over a visit', () => {
  let world: BrowserWorld
  beforeAll(async () => {
    world = await startBrowserWorld()
  })
  afterAll(() => world?.stop())

  test('a shop of the sandbox is reached by its name, and its hosts are known', async () => {
    const found = await world.visit(async ({ page }) => {
      await page.goto('https://classic.shop.test/product/kettle')
      return page.title()
    })
    expect(found).toBe('Gooseneck Kettle – Classic Kitchen')
  })
})
