import type { TSchema } from 'typebox'
import { isObject } from './schema-node.ts'

/** Where a value of a schema holds ids of objects: the places that are declared as `IdParam`. */
export type IdPlaces =
  | { readonly kind: 'id' }
  | { readonly kind: 'members'; readonly members: ReadonlyMap<string, IdPlaces> }
  | { readonly kind: 'items'; readonly items: IdPlaces }

/** Null: it holds none. */
export function idPlacesOf(schema: TSchema | undefined): IdPlaces | null {
  if (!isObject(schema)) return null
  if (schema['x-id'] === true) return { kind: 'id' }
  const { properties, items } = schema
  if (isObject(properties)) {
    const members = Object.entries(properties).flatMap(([name, member]): [string, IdPlaces][] => {
      const places = idPlacesOf(member as TSchema) // a property of a schema is one
      return places ? [[name, places]] : []
    })
    return members.length > 0 ? { kind: 'members', members: new Map(members) } : null
  }
  if (isObject(items)) {
    const places = idPlacesOf(items as TSchema) // as above
    return places && { kind: 'items', items: places }
  }
  return [schema.anyOf, schema.oneOf, schema.allOf].reduce(
    (found: IdPlaces | null, variants) => found ?? inVariants(variants),
    null,
  )
}

/** Schemas with ids have no other union than of a schema and null. */
function inVariants(variants: unknown): IdPlaces | null {
  if (!Array.isArray(variants)) return null
  return variants.map((variant) => idPlacesOf(variant)).find((places) => places !== null) ?? null
}

/** The value with `change` applied to each id in one of the places. */
export function mapIds(value: unknown, places: IdPlaces | null, change: (id: string) => string): unknown {
  if (places === null || value === null || value === undefined) return value
  switch (places.kind) {
    case 'id':
      return typeof value === 'string' ? change(value) : value
    case 'items':
      return Array.isArray(value) ? value.map((item) => mapIds(item, places.items, change)) : value
    case 'members':
      if (!isObject(value)) return value
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          mapIds(member, places.members.get(name) ?? null, change),
        ]),
      )
    default:
      return places satisfies never
  }
}

/** The value with `id` as its member `name`, wherever an object has that place and it is empty. */
export function fillId(
  value: unknown,
  places: IdPlaces | null,
  named: { name: string; id: string },
): unknown {
  if (places?.kind !== 'members' || !isObject(value)) return value
  const filled = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      fillId(member, places.members.get(name) ?? null, named),
    ]),
  )
  const isOpen = places.members.get(named.name)?.kind === 'id' && (filled[named.name] ?? null) === null
  return isOpen ? { ...filled, [named.name]: named.id } : filled
}
