/** What is bought at a shop, and what its seller knows to be right. */
export type Product = {
  about: string
  path: string
  /** One unit, in minor units. */
  price: number
  quantity: number
  /** For a product that has variants. */
  selections?: readonly { name: string; value: string }[]
  /** What the shop's own order has to have. */
  sku: string
}

/** An order in the shop's own book. Amounts are in minor units. */
export type ShopOrder = {
  number: string
  email: string | null
  status: string
  total: number
  currency: string
  lines: readonly { sku: string; quantity: number }[]
}

/** A shop that runs, on a port of loopback. */
export type RunningShop = {
  products: readonly Product[]
  orders(): Promise<ShopOrder[]>
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
