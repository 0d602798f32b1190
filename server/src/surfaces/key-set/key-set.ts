import Type from 'typebox'
import { describeDocument } from '../../contract/operation.ts'
import { type EcJwk, keySetPath } from '../../platform/signatures/signing-key.ts'
import { documentsTag, queryReaderOf, sendDocument } from '../http/public-document.ts'
import { plainLineOf } from '../http/request-line.ts'
import type { Surface } from '../http/surface.ts'

const keySet = describeDocument({
  id: 'v1_get_key_set',
  path: keySetPath,
  tag: documentsTag,
  summary: 'Read the public keys of the service',
  description:
    'A JSON Web Key Set (RFC 7517) of every key by which the service signs or has signed, but for those that others have got hold of. ' +
    'Evidence bundles are verified by it, also years later.',
  mediaType: 'application/jwk-set+json',
  responses: {
    200: Type.Object({}, { additionalProperties: true, description: 'The key set: `keys`, newest first.' }),
  },
})

export const keySetDocuments = [keySet]

/** The keys stand in a document of their own, because profiles show only those by which messages are still checked. */
export function keySetSurface(keys: () => Promise<readonly EcJwk[]>): Surface {
  return {
    name: 'key-set',
    mount(http, { onRequest }) {
      const readQuery = queryReaderOf(keySet)
      http.route({
        methods: ['GET', 'HEAD'],
        path: keySet.path,
        async serve(exchange) {
          readQuery(exchange.query)
          const headers = { 'content-type': 'application/jwk-set+json' }
          sendDocument(http, exchange, { keys: await keys() }, headers)
          onRequest(plainLineOf(exchange, { route: keySet.path, status: 200, code: null }))
        },
      })
    },
  }
}
