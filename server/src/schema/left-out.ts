import { keepSpelling } from './number-spelling.ts'
import { isObject, type ObjectNode, type SchemaNode } from './schema-node.ts'
import { collectIssues } from './validation-issues.ts'

/** What a null means in a field that may be left out and can be null: that it is left out, or that it is cleared. */
type Nulls = 'left_out' | 'clear'

/**
 * The value without members that are null and may be left out, since null means the same there; required members and items of lists keep
 * theirs. With `clear` a null stays wherever the schema accepts it, however deep: in a change it empties the field.
 */
export function withoutNulls(node: SchemaNode, value: unknown, nulls: Nulls): unknown {
  return holdsNull(value) ? leaveOut(node, value, nulls) : value
}

/** Nearly every request has none, and then its schema is not consulted. */
function holdsNull(value: unknown): boolean {
  if (value === null) return true
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.some(holdsNull)
  // Without making a list of the members: this runs for every request.
  for (const name in value) if (holdsNull((value as Record<string, unknown>)[name])) return true
  return false
}

function leaveOut(node: SchemaNode, value: unknown, nulls: Nulls): unknown {
  switch (node.kind) {
    case 'object':
      return isObject(value) ? leaveOutMembers(node, value, nulls) : value
    case 'array':
      return Array.isArray(value) ? value.map((item) => leaveOut(node.items, item, nulls)) : value
    case 'union':
      return inLikeliest(node.variants, value, nulls)
    case 'all':
      return node.parts.reduce((rest, part) => leaveOut(part, rest, nulls), value)
    default:
      return value
  }
}

function leaveOutMembers(node: ObjectNode, value: Record<string, unknown>, nulls: Nulls): unknown {
  const kept = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const property = node.properties.get(name)
    const schema = property?.node ?? node.extras
    if (member !== null || property === undefined || property.required)
      return [[name, schema ? leaveOut(schema, member, nulls) : member]]
    return nulls === 'clear' && takesNull(property.node) ? [[name, member]] : []
  })
  return keepSpelling(value, Object.fromEntries(kept))
}

/** As the first variant reads it that then accepts it; where none does, as the variant with the fewest errors. */
function inLikeliest(variants: readonly SchemaNode[], value: unknown, nulls: Nulls): unknown {
  let best: { variant: SchemaNode; rest: unknown; faults: number } | null = null
  for (const variant of variants) {
    const rest = leaveOut(variant, withoutOthers(variants, variant, value), nulls)
    const faults = faultsIn(variant, rest)
    if (faults === 0) return rest
    // Of two equally likely variants, the one that has the fields which are null.
    const isLikelier =
      best === null ||
      faults < best.faults ||
      (faults === best.faults && faultsAsSent(variant, value) < faultsAsSent(best.variant, value))
    if (isLikelier) best = { variant, rest, faults }
  }
  return best ? best.rest : value

  function faultsAsSent(variant: SchemaNode, sent: unknown): number {
    return faultsIn(variant, leaveOut(variant, sent, nulls))
  }
}

function faultsIn(node: SchemaNode, value: unknown): number {
  return collectIssues(node, value, 'body').length
}

/** A null field that only another variant has is left out of this one. */
function withoutOthers(variants: readonly SchemaNode[], variant: SchemaNode, value: unknown): unknown {
  if (variant.kind !== 'object' || !isObject(value)) return value
  const isOthers = (name: string) =>
    !variant.properties.has(name) &&
    variants.some((other) => other.kind === 'object' && other.properties.has(name))
  const own = Object.entries(value).filter(([name, member]) => member !== null || !isOthers(name))
  return keepSpelling(value, Object.fromEntries(own))
}

/** Whether a schema accepts null. */
export function takesNull(node: SchemaNode): boolean {
  return node.kind !== 'refined' && faultsIn(node, null) === 0
}
