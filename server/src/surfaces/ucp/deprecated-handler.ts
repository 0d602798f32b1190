import { registerDocuments } from '../http/documents.ts'
import { queryReaderOf } from '../http/public-document.ts'
import type { Http } from '../http/surface.ts'
import { handlerSchema } from './described-documents.ts'

const { path } = handlerSchema

/** 2026-08-25, as RFC 9745 writes it. There is no date on which it ends, so nothing says one. */
const deprecatedSince = '@1787616000'

/**
 * The schema of a payment handler that no new profile names. Checkouts that were made while one did can still be completed, and those who
 * complete them read it.
 */
export function mountDeprecatedHandler(http: Http, publicUrl: string): void {
  registerDocuments(http, [
    {
      path,
      type: 'application/schema+json',
      maxAgeSeconds: 86_400,
      headers: { deprecation: deprecatedSince, 'access-control-allow-origin': '*' },
      readQuery: queryReaderOf(handlerSchema),
      make: () => JSON.stringify({ $id: `${publicUrl}${path}`, ...schema }),
    },
  ])
}

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Shared payment token of a processor',
  description:
    'A payment instrument whose credential is a token that the processor of the business has made for one purchase. Deprecated: read the ' +
    'payment handlers of the current profile of the business.',
  deprecated: true,
  type: 'object',
  required: ['id', 'handler_id', 'type', 'credential'],
  properties: {
    id: { type: 'string', description: 'Names the instrument in its checkout.' },
    handler_id: { type: 'string', description: 'The handler of the checkout that takes it.' },
    type: { const: 'processor_spt' },
    credential: {
      type: 'object',
      required: ['type', 'token'],
      properties: {
        type: { const: 'processor_spt' },
        token: {
          type: 'string',
          minLength: 1,
          maxLength: 4096,
          description: 'The token. It can be charged once.',
        },
      },
    },
  },
}
