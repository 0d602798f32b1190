import type { JsonSchema } from '../../../schema/json-schema.ts'

/**
 * Headers of a business response that a destination signs: all four, or none with a secret key. The three that repeat the delivery's
 * headers have the same names and values.
 */
export const signedHeaders: readonly JsonSchema[] = [
  {
    name: 'Service-Response-Signature',
    in: 'header',
    required: false,
    description:
      "Required without an API key: `t=<epoch seconds>,v1=<hex>`, the HMAC-SHA256 of `<epoch seconds>.<the body's bytes>` under the " +
      "destination's secret. At most 60 seconds old.",
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 2048,
      pattern: '^t=[0-9]{1,12}(?:,v1=[0-9a-f]{64})+$',
    },
    example: `t=1795426200,v1=${'3f'.repeat(32)}`,
  },
  echo(
    'Service-Destination-Id',
    'The destination that received the delivery and signs this.',
    'dest_01jb2w9m4ye6xs3kq8t7v5c0zd',
  ),
  echo('Service-Webhook-Id', 'The id of the event that this answers.', 'evt_01jb2w9m4ye6xs3kq8t7v5c0zd'),
  echo('Service-Webhook-Event', 'The type of the event that this answers.', 'quote.requested'),
]

function echo(name: string, description: string, example: string): JsonSchema {
  return {
    name,
    in: 'header',
    required: false,
    description: `Required with \`Service-Response-Signature\`, as the delivery had it. ${description}`,
    schema: { type: 'string', maxLength: 255, pattern: '^[\\x20-\\x7e]*$' },
    example,
  }
}
