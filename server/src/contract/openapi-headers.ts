import { idPattern } from '../core/id.ts'
import type { JsonSchema } from '../schema/json-schema.ts'

const sharedHeaders: Record<string, JsonSchema> = {
  'Request-Id': {
    description: 'The id of the request, also in logs, events and deliveries.',
    required: true,
    schema: { type: 'string', pattern: idPattern('req') },
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the answer to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  'Retry-After': {
    description: 'How many seconds to wait.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  Location: {
    description: 'The URL of the object.',
    required: true,
    schema: { type: 'string', format: 'uri' },
  },
  'Cache-Control': {
    description: 'Always `private, no-store`.',
    required: true,
    schema: { type: 'string', const: 'private, no-store' },
  },
  'Service-Attribution-Id': {
    description:
      'The attribution id of what was found, as in the body; send it with a later order or checkout.',
    required: true,
    schema: { type: 'string' },
  },
  'X-Content-Type': {
    description: 'The media type that the author of the file names. Nothing here has checked it.',
    required: true,
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'How many requests the window allows that is used up.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Window': {
    description: 'How long that window is, in seconds.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'Always `Bearer`.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
}

const optional = 'Optional-'

/** The shared headers that a part of the document refers to. */
export function headersShownIn(text: string): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.keys(sharedHeaders)
      .flatMap((name) => [name, `${optional}${name}`])
      .filter((name) => text.includes(`"#/components/headers/${name}"`))
      .map((name) => [name, shownHeader(name)]),
  )
}

/** A header that only some answers of its status have. */
function shownHeader(name: string): JsonSchema {
  if (!name.startsWith(optional)) return sharedHeaders[name] ?? {}
  const { required: _, ...header } = sharedHeaders[name.slice(optional.length)] ?? {}
  return header
}

/** By name, references to the shared headers. */
export function headersOf(names: string[]): JsonSchema {
  return Object.fromEntries(
    names.map((name) => [name.replace(optional, ''), { $ref: `#/components/headers/${name}` }]),
  )
}
