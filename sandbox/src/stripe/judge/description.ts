/** A small part of what JSON Schema can say: all that the description says. What says nothing allows everything. */
export type Schema = {
  readonly ref?: string
  readonly type?: 'string' | 'number' | 'boolean'
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  /** Of an object: what it may have, and what it has to. */
  readonly object?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  /** Any object that is described, as it says itself by `object`. */
  readonly kept?: true
  /** Of an object with names of its own. */
  readonly values?: Schema
}

export type Description = {
  readonly version: string
  readonly source: string
  readonly license: string
  readonly operations: Record<string, { readonly request: Schema; readonly answer: Schema }>
  readonly schemas: Readonly<Record<string, Schema>>
  /** What objects that stand whole in answers call themselves. The ids of all others are enough. */
  readonly objects: readonly string[]
  /** The schemas of those objects. */
  readonly kinds: Readonly<Record<string, string>>
}
