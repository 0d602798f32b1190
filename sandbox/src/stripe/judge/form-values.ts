import type { Schema } from './description.ts'

/** What a form says: a text, or what stands under names in brackets. */
type Given = string | { [name: string]: Given }

/** `a[b][0]=c` is c, in the list b of a. */
export function treeOf(fields: readonly (readonly [string, string])[]): Given {
  const tree: { [name: string]: Given } = {}
  for (const [name, value] of fields) {
    const path = name.replace(/\]/g, '').split('[')
    put(tree, path, value)
  }
  return tree
}

function put(at: { [name: string]: Given }, [first = '', ...rest]: readonly string[], value: string): void {
  const name = first === '' ? String(Object.keys(at).length) : first
  if (rest.length === 0) at[name] = value
  else {
    const known = at[name]
    const next = typeof known === 'object' ? known : {}
    at[name] = next
    put(next, rest, value)
  }
}

/** The value that a text stands for, where the schema wants another than a text. */
export function meantBy(value: unknown, schema: Schema, isForm: boolean): string | number | boolean | null {
  if (!isForm || typeof value !== 'string') return value as string | number | boolean | null // compared only
  if (schema.type === 'string' || schema.enum?.includes(value)) return value
  if (schema.type === 'number' || schema.enum?.some((one) => typeof one === 'number'))
    return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  if (schema.type === 'boolean' || schema.enum?.some((one) => typeof one === 'boolean'))
    return value === 'true' ? true : value === 'false' ? false : value
  return value === '' && schema.enum?.includes(null) ? null : value
}
