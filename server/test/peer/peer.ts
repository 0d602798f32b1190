import type { BookOrder } from './book.ts'
import type { Purchases } from './plan.ts'

/** A shop that runs, on a port of loopback. */
export type RunningShop = {
  readonly purchases: Purchases
  /** Its whole book. */
  orders(): Promise<BookOrder[]>
  stop(): Promise<void>
}

export type Tell = (line: string) => void

/** A shop that others have written, which is installed when it is asked for. */
export type Peer = {
  about: string
  /** Brings everything into the folder that later starts use again. */
  install(folder: string, tell: Tell): Promise<void>
  start(options: {
    folder: string
    /** A folder that is new and is removed afterwards. */
    state: string
    port: number
    host: string
    /** Where the shop charges cards. */
    processorUrl: string
    tell: Tell
  }): Promise<RunningShop>
}
