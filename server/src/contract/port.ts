/** Something from outside that a slice needs, described by its shape. The composition binds an implementation to it. */
export type Port<T> = {
  readonly name: string
  /** Only for the type: it never has a value. */
  shape?(value: T): T
}

export function definePort<T>(name: string): Port<T> {
  return { name }
}

/** A port and what it is bound to. */
export type Binding<T = unknown> = { readonly port: Port<T>; readonly value: T }

export function bind<T>(port: Port<T>, value: T): Binding<T> {
  return { port, value }
}

/** The ports that a process has bound. */
export type BoundPorts = {
  /** Throws where nothing is bound: a process without it must not be composed. */
  get<T>(port: Port<T>): T
}

export function bindPorts(bindings: readonly Binding[]): BoundPorts {
  const values = new Map<unknown, unknown>()
  for (const { port, value } of bindings) {
    if (values.has(port)) throw new Error(`the port "${port.name}" is bound twice`)
    values.set(port, value)
  }
  return {
    get<T>(port: Port<T>): T {
      if (!values.has(port)) throw new Error(`nothing is bound to the port "${port.name}"`)
      return values.get(port) as T // bound by `bind`, which holds the two together
    },
  }
}
