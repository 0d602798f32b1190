import type { ElementOptions, Fields, FrameMessage } from '../../messages/src/messages.ts'
import { createAuthorizing, prokuraError } from './authorizing.ts'
import { type Bootstrap, type Bootstraps, Refused } from './bootstraps.ts'
import type { ComponentName } from './components.ts'
import { openFrameLine } from './frame-line.ts'
import { wordsFor } from './words.ts'

export type Mounting = {
  /** The options are others now. */
  update(): void
  /** The page's own button was pressed. */
  authorize(): Promise<Fields>
  close(): void
  isThere(): boolean
}

type MountingOptions = {
  readonly container: Element
  readonly origin: string
  readonly component: ComponentName
  readonly publishableKey: string
  readonly bootstraps: Bootstraps
  readonly optionsNow: () => ElementOptions
  readonly emit: (name: 'ready' | 'change' | 'complete' | 'error', event: unknown) => void
}

/** So long the frame may take to be ready before it is loaded once more, and then before it is given up. */
const readyMs = 3_000

/** One life of a component in a page, from `mount` to `unmount`. */
export function openMounting(options: MountingOptions): Mounting {
  const { container, bootstraps, component, origin } = options
  const frame = makeFrame()
  const line = openFrameLine({ frame, origin, optionsNow: options.optionsNow, hear, greeted, lost })
  const authorizing = createAuthorizing(origin, (message) => line.send(message))
  let notice: HTMLElement | null = null
  let state: 'waiting' | 'ready' | 'closed' = 'waiting'
  let late = setTimeout(isLate, readyMs)
  name()
  void show(bootstraps.get(component), globalThis.crossOriginIsolated === true).then(() => {
    if (frame.src !== '' && state !== 'closed') container.append(frame)
  })

  async function show(asked: Promise<Bootstrap>, isIsolated: boolean): Promise<void> {
    try {
      const { frameUrl } = await asked
      const url = new URL(frameUrl)
      if (isIsolated) url.searchParams.set('isolated', '1')
      if (state !== 'closed') frame.src = url.href
    } catch (error) {
      if (error instanceof Refused) fail(error.code, error.message)
    }
  }

  function isLate(): void {
    late = setTimeout(giveUp, readyMs)
    if (!frame.isConnected) return
    // The document may be there and slow, or its bootstrap may be over. A page that isolates itself in another way than by being
    // `crossOriginIsolated` shows only the isolated variant.
    void show(line.isConnected() ? bootstraps.get(component) : bootstraps.renew(component), true)
  }

  /** What comes later still counts: on a slow line the form appears after it was missed. */
  function giveUp(): void {
    if (line.isConnected())
      fail('timeout', `The frame of ${origin} was loaded and is not ready after ${readyMs} ms.`)
    else if (frame.isConnected)
      fail(
        'frame_blocked',
        `The frame of ${origin} was not shown within ${readyMs} ms, also when it was loaded again. Look for it in the browser's console: this page's Content-Security-Policy needs it in frame-src, and ${location.origin} has to be an origin of the key (prokura keys create --origin).`,
      )
    else fail('unreachable', `${origin} does not answer.`)
  }

  function hear(message: FrameMessage): void {
    if (message.kind === 'ready' || message.kind === 'height')
      frame.style.setProperty('height', `${message.height}px`)
    if (message.kind === 'ready') becomeReady()
    if (message.kind === 'change')
      options.emit('change', { complete: message.complete, brand: message.brand })
    if (message.kind === 'complete') options.emit('complete', message.result)
    if (message.kind === 'error') fail(message.code, message.message)
    if (message.kind === 'renew') void renew()
    authorizing.hear(message)
  }

  function greeted(): void {
    authorizing.end('frame_gone', 'The frame was loaded again.')
  }

  function becomeReady(): void {
    if (state !== 'waiting') return
    clearTimeout(late)
    state = 'ready'
    notice?.remove()
    options.emit('ready', undefined)
  }

  async function renew(): Promise<void> {
    try {
      line.send({ kind: 'bootstrap', bootstrap: (await bootstraps.renew(component)).bootstrap })
    } catch (error) {
      if (error instanceof Refused) fail(error.code, error.message)
    }
  }

  function lost(why: 'closed' | 'frame_gone'): void {
    const message =
      why === 'closed'
        ? 'The page has removed the frame. Call unmount() instead, or mount() to show it again.'
        : 'The frame answers no longer.'
    authorizing.end(why, message)
    if (why === 'closed') close()
    options.emit('error', { code: why, message })
  }

  function fail(code: string, message: string): void {
    if (state === 'closed') return
    clearTimeout(late)
    if (state === 'waiting' && !line.isConnected()) say(message)
    options.emit('error', { code, message })
  }

  /** In place of the frame. Why there is none is for developers: whoever pays is told that there is none. */
  function say(why: string): void {
    notice?.remove()
    notice = document.createElement('div')
    notice.setAttribute('role', 'alert')
    const isTest = options.publishableKey.startsWith('pr_pk_test_')
    notice.textContent = isTest ? `Prokura: ${why}` : wordsFor(options.optionsNow().locale).missing
    dress(notice, noticeLook)
    container.append(notice)
  }

  function name(): void {
    frame.title = wordsFor(options.optionsNow().locale).titles[component]
  }

  function close(): void {
    state = 'closed'
    clearTimeout(late)
    line.close()
    authorizing.end('closed', 'The component was taken away.')
    frame.remove()
    notice?.remove()
  }

  return {
    update() {
      name()
      const { appearance, locale } = options.optionsNow()
      line.send({ kind: 'update', appearance, locale })
    },
    authorize: () => (state === 'ready' ? authorizing.authorize() : notReady()),
    close,
    isThere: () =>
      state !== 'closed' && (frame.isConnected ? container.contains(frame) : state === 'waiting'),
  }
}

export function notReady(): Promise<never> {
  return Promise.reject(prokuraError('not_ready', 'Call authorize() after the event ready.'))
}

function makeFrame(): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.allow = 'publickey-credentials-get; publickey-credentials-create'
  frame.referrerPolicy = 'no-referrer'
  dress(frame, frameLook)
  return frame
}

/** By script: a page's Content-Security-Policy may take no styles that stand in its document. */
function dress({ style }: HTMLElement, look: Record<string, string>): void {
  for (const [property, value] of Object.entries(look)) style.setProperty(property, value)
}

const frameLook = { display: 'block', width: '100%', height: '0', border: '0', 'color-scheme': 'normal' }
const noticeLook = {
  padding: '12px',
  border: '1px solid',
  'border-inline-start-width': '4px',
  'overflow-wrap': 'anywhere',
}
