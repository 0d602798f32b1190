import type { Fields, FrameMessage, PageMessage } from '../../messages/src/messages.ts'

/** What the page's own button begins, from the press to its one end. */
type Authorizing = {
  /** While one is under way there is no other: whoever presses again waits for the same. */
  authorize(): Promise<Fields>
  hear(message: FrameMessage): void
  /** Whatever is under way comes to nothing. */
  end(code: string, message: string): void
}

type UnderWay = {
  readonly id: string
  readonly promise: Promise<Fields>
  readonly resolve: (output: Fields) => void
  readonly reject: (error: Error) => void
}

/** So that a bank's page and a passkey's dialog have room. */
const windowLook = 'popup,width=480,height=720'

export function createAuthorizing(origin: string, send: (message: PageMessage) => void): Authorizing {
  let underWay: UnderWay | null = null
  let windowUrl: string | null = null
  let count = 0

  /** Only while the click lasts, and each address once. A browser that blocks it gives no handle. */
  function openWindow(): boolean {
    const url = windowUrl
    windowUrl = null
    return url !== null && open(url, '_blank', windowLook) !== null
  }

  return {
    authorize() {
      if (underWay !== null) return underWay.promise
      const isOpened = openWindow()
      count += 1
      const id = String(count)
      const settling: Partial<Pick<UnderWay, 'resolve' | 'reject'>> = {}
      const promise = new Promise<Fields>((resolve, reject) => {
        Object.assign(settling, { resolve, reject })
      })
      underWay = { ...(settling as Pick<UnderWay, 'resolve' | 'reject'>), id, promise } // both are set by now
      send({ kind: 'authorize', id, isOpened })
      return promise
    },
    hear(message) {
      if (message.kind === 'window')
        windowUrl = message.url !== null && isOf(origin, message.url) ? message.url : null
      if (message.kind !== 'authorized' && message.kind !== 'not_authorized') return
      if (underWay?.id !== message.id) return
      const { resolve, reject } = underWay
      underWay = null
      if (message.kind === 'authorized') resolve(message.output)
      else reject(prokuraError(message.code, message.message))
    },
    end(code, message) {
      windowUrl = null
      underWay?.reject(prokuraError(code, message))
      underWay = null
    },
  }
}

export function prokuraError(code: string, message: string): Error {
  return Object.assign(new Error(message), { name: 'ProkuraError', code })
}

function isOf(origin: string, url: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin
}
