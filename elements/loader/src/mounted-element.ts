import type { ElementOptions, Fields } from '../../messages/src/messages.ts'
import type { Bootstraps } from './bootstraps.ts'
import { type ComponentName, type Given, settingsOf } from './components.ts'
import { type Mounting, notReady, openMounting } from './mounting.ts'

type Page = {
  readonly publishableKey: string
  readonly origin: string
  readonly bootstraps: Bootstraps
  readonly component: ComponentName
}

type EventName = 'ready' | 'change' | 'complete' | 'error'
type Handler = (event: never) => void

/** A component of a page, in it or not. */
export function createMountedElement(page: Page, given: Given) {
  const handlers = new Map<EventName, Set<Handler>>()
  let shown = {
    appearance: plain(given.appearance),
    locale: given.locale ?? null,
  }
  let mounted: { mounting: Mounting; container: Element } | null = null

  function emit(name: EventName, event: unknown): void {
    const listening = [...(handlers.get(name) ?? [])]
    // Nobody listens: the developer's console is the only place left where it is seen.
    if (name === 'error' && listening.length === 0) console.error('Prokura:', (event as Error).message)
    for (const handler of listening) {
      try {
        handler(event as never) // as `on` of the public type pairs them
      } catch (error) {
        reportError(error)
      }
    }
  }

  function optionsNow(): ElementOptions {
    const { publishableKey, component } = page
    const { profileId = null, purchaseIntentId = null, clientSecret = null } = given
    const settings = plain(settingsOf(component, given)) as ElementOptions['settings'] // data of the same form
    return { publishableKey, component, profileId, purchaseIntentId, clientSecret, settings, ...shown }
  }

  function unmount(): void {
    const last = mounted
    mounted = null
    last?.mounting.close()
  }

  return {
    mount(target: Element | string): void {
      if (typeof document === 'undefined') return
      const container = typeof target === 'string' ? find(target) : target
      if (!(container instanceof Element)) {
        const message = `There is no element ${String(target)} in the page to mount on. Mount once it is there.`
        queueMicrotask(() => emit('error', { code: 'element_not_found', message }))
        return
      }
      if (mounted?.container === container && mounted.mounting.isThere()) return
      unmount()
      const mounting = openMounting({ ...page, container, optionsNow, emit })
      mounted = { mounting, container }
    },
    unmount,
    authorize: (): Promise<Fields> => mounted?.mounting.authorize() ?? notReady(),
    update(change: { appearance?: unknown; locale?: string }): void {
      const { appearance, locale } = change
      shown = {
        appearance: appearance === undefined ? shown.appearance : plain(appearance),
        locale: locale ?? shown.locale,
      }
      mounted?.mounting.update()
    },
    on(name: EventName, handler: Handler): void {
      const known = handlers.get(name) ?? new Set()
      handlers.set(name, known.add(handler))
    },
    off(name: EventName, handler: Handler): void {
      handlers.get(name)?.delete(handler)
    },
  }
}

function find(selector: string): Element | null {
  try {
    return document.querySelector(selector)
  } catch {
    return null
  }
}

/** Data alone: what cannot be sent, such as a function, would make sending throw. */
function plain(value: unknown): unknown {
  try {
    return value === undefined ? null : JSON.parse(JSON.stringify(value))
  } catch {
    return null
  }
}
