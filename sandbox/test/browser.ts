import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import chromium from '@sparticuz/chromium'
import type { StrangersFacts } from '../src/strangers/strangers-server.ts'
import { temporaryFolder } from './run-sandbox.ts'

type Message = { id?: number; result?: Record<string, unknown>; error?: { message: string } }

type Box = { x: number; y: number; width: number; height: number }

/** The package is built for one platform. */
export const hasChromium = process.platform === 'linux' && process.arch === 'x64'

/** A page of Chromium that knows the names of the shops and no others, driven by mouse and keys as a person would. */
export async function openBrowser({ addresses, authority }: Pick<StrangersFacts, 'addresses' | 'authority'>) {
  const folder = temporaryFolder()
  const rules = Object.entries(addresses).map(([name, address]) => `MAP ${name}:443 ${address}`)
  const browser = spawn(
    await chromium.executablePath(),
    [
      '--headless',
      '--no-sandbox',
      '--no-zygote',
      '--disable-gpu',
      '--remote-debugging-pipe',
      `--user-data-dir=${folder.path}`,
      `--host-resolver-rules=${[...rules, 'MAP * ~NOTFOUND'].join(',')}`,
      `--ignore-certificate-errors-spki-list=${authority.key_pin}`,
      '--window-size=1100,1600',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const exited = once(browser, 'exit')
  const call = speakOver(browser.stdio[3] as Writable, browser.stdio[4] as Readable) // the two pipes named above
  const { targetId } = await call('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true })
  const inPage = (method: string, params: object = {}) => call(method, params, String(sessionId))

  async function evaluate<T>(expression: string): Promise<T> {
    const { result } = await inPage('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    return (result as { value: T }).value // what the protocol says of values
  }

  async function clickAt(x: number, y: number): Promise<void> {
    for (const type of ['mousePressed', 'mouseReleased'])
      await inPage('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 })
  }

  /** The first element that a selector finds, once it is there and stays where it is. */
  async function boxOf(selector: string): Promise<Box> {
    const find = `(() => { const found = document.querySelector(${JSON.stringify(selector)}); if (!found) return null
      found.scrollIntoView({ block: 'center' }); return found.getBoundingClientRect().toJSON() })()`
    for (let before: Box | null = null; ; await wait(20)) {
      const box: Box | null = (await evaluate<Box | null | undefined>(find)) ?? null
      if (box !== null && box.x === before?.x && box.y === before.y) return box
      before = box
    }
  }

  return {
    open: (url: string) => inPage('Page.navigate', { url }),
    evaluate,
    async click(selector: string): Promise<void> {
      const { x, y, width, height } = await boxOf(selector)
      await clickAt(x + width / 2, y + height / 2)
    },
    /** A place in an element, as in a frame whose inside the page cannot see. */
    async clickInside(selector: string, at: { x: number; y: number }): Promise<void> {
      const { x, y } = await boxOf(selector)
      await clickAt(x + at.x, y + at.y)
    },
    type: (text: string) => inPage('Input.insertText', { text }),
    async press(key: 'Tab'): Promise<void> {
      for (const type of ['rawKeyDown', 'keyUp'])
        await inPage('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: 9 })
    },
    text: () => evaluate<string>('document.body?.innerText ?? ""'),
    async close(): Promise<void> {
      browser.kill('SIGKILL')
      await exited
      folder.remove()
    },
  }
}

/** The protocol of Chromium's tools: messages of JSON, each with a zero byte behind it. */
function speakOver(toBrowser: Writable, fromBrowser: Readable) {
  const waiting = new Map<number, (message: Message) => void>()
  let carry = ''
  let last = 0
  fromBrowser.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (carry + chunk).split('\0')
    carry = messages.pop() ?? ''
    for (const message of messages.map((text): Message => JSON.parse(text))) {
      waiting.get(message.id ?? 0)?.(message)
      waiting.delete(message.id ?? 0)
    }
  })
  toBrowser.on('error', () => {})
  return async (method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> => {
    last += 1
    const { promise, resolve } = Promise.withResolvers<Message>()
    waiting.set(last, resolve)
    toBrowser.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`)
    const { result, error } = await promise
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result ?? {}
  }
}
