import { existsSync } from 'node:fs'
import puppeteer, { type Frame, type Page } from 'puppeteer-core'
import { patientMs } from '../../../gate/pace.ts'
import { type Engine, type EngineOptions, type EnginePage, NotInstalled } from './engine.ts'

const binary = '/usr/bin/firefox-esr'

/** Firefox, which is spoken to over WebDriver BiDi. */
export async function openFirefox({ keepsLittle }: EngineOptions): Promise<Engine> {
  if (!existsSync(binary))
    throw new NotInstalled('Firefox is not installed here: apt-get install firefox-esr')
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: binary,
    headless: true,
    defaultViewport: { width: 800, height: 900 },
    protocolTimeout: patientMs(60_000),
    timeout: patientMs(60_000),
    extraPrefsFirefox: {
      // As for people: what is driven by programs may open windows otherwise.
      'dom.disable_open_during_load': true,
      // Each script that a program runs counts as a click, which is over at once here: nothing opens a window.
      'dom.user_activation.transient.timeout': 1,
      ...(keepsLittle ? { 'network.cookie.cookieBehavior': 2 } : {}),
    },
  })
  return {
    version: await browser.version(),
    async open(url) {
      const page = await browser.newPage()
      page.setDefaultTimeout(patientMs(60_000))
      await page.goto(url)
      return pageOf(page)
    },
    close: () => browser.close(),
  }
}

function pageOf(page: Page): EnginePage {
  const frame = (): Promise<Frame> => page.waitForFrame((each) => each.url().includes('/elements/v1/frames/'))
  return {
    run: (script) => page.evaluate(script),
    inFrame: async (script) => (await frame()).evaluate(script),
    type: (text) => page.keyboard.type(text),
    async tab(isBack = false) {
      if (isBack) await page.keyboard.down('Shift')
      await page.keyboard.press('Tab')
      if (isBack) await page.keyboard.up('Shift')
    },
    enter: () => page.keyboard.press('Enter'),
    click: (selector) => page.click(selector),
    clickInFrame: async (selector) => (await frame()).click(selector),
    close: () => page.close(),
  }
}
