import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../../../src/cli/up/free-port.ts'
import { patience } from '../../../gate/pace.ts'
import { type Engine, type EngineOptions, type EnginePage, NotInstalled } from './engine.ts'
import { openWebDriver, type WebDriver } from './web-driver.ts'

const driver = '/usr/bin/WebKitWebDriver'
const screen = '/usr/bin/Xvfb'
const keys = { tab: '\uE004', shift: '\uE008', enter: '\uE007' }
const frame = 'iframe'
const startMs = 30_000

/** WebKitGTK on a screen of its own, which is spoken to over plain WebDriver. */
export async function openWebKit({ keepsLittle }: EngineOptions): Promise<Engine> {
  const [browser] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  if (browser === undefined || !existsSync(driver) || !existsSync(screen))
    throw new NotInstalled('WebKitGTK is not installed here: apt-get install webkit2gtk-driver xvfb')
  const children: ChildProcess[] = []
  const stop = async () => {
    for (const child of children.toReversed()) {
      if (child.exitCode !== null || !child.kill()) continue
      await once(child, 'exit')
    }
  }
  try {
    const display = await startScreen(children)
    const url = await startDriver(children, display)
    const args = ['--automation', ...(keepsLittle ? ['--cookies-policy=never'] : [])]
    const session = await openWebDriver(url, { 'webkitgtk:browserOptions': { binary: browser, args } })
    const { browserName, browserVersion } = session.capabilities
    return {
      version: `${browserName} ${browserVersion}`,
      async open(to) {
        await session.goTo(to)
        return pageOf(session)
      },
      async close() {
        await session.end().catch(() => undefined)
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** It says the number of the display that it has found free. */
async function startScreen(children: ChildProcess[]): Promise<string> {
  const child = spawn(screen, ['-displayfd', '3', '-screen', '0', '1024x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  children.push(child)
  const said = child.stdio[3]
  if (said == null) throw new Error('the screen has no pipe')
  const [number] = await once(said, 'data')
  return `:${String(number).trim()}`
}

async function startDriver(children: ChildProcess[], display: string): Promise<string> {
  const port = await freePort()
  const child = spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display,
      // A process of root has no sandbox here, and nothing is opened but our own pages.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
    },
  })
  children.push(child)
  const url = `http://127.0.0.1:${port}`
  for (const wait = patience(startMs); ; await delay(50)) {
    if (
      await fetch(`${url}/status`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return url
    if (wait.isOver()) throw new Error('the driver of WebKit does not answer')
  }
}

function pageOf(session: WebDriver): EnginePage {
  async function inFrame<T>(work: () => Promise<T>): Promise<T> {
    await session.enter(frame)
    try {
      return await work()
    } finally {
      await session.enter(null)
    }
  }
  return {
    run: (script) => session.evaluate(script),
    inFrame: (script) => inFrame(() => session.evaluate(script)),
    async type(text) {
      for (const key of text) await session.press([key])
    },
    tab: (isBack = false) => session.press(isBack ? [keys.shift, keys.tab] : [keys.tab]),
    enter: () => session.press([keys.enter]),
    click: (selector) => session.click(selector),
    clickInFrame: (selector) => inFrame(() => session.click(selector)),
    close: () => session.closeOthers(),
  }
}
