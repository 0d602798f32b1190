import Type from 'typebox'
import { describeDocument } from '../../contract/operation.ts'
import { Closed } from '../../contract/schemas.ts'
import { documentsTag } from '../http/public-document.ts'

export const manifest = describeDocument({
  id: 'v1_get_mpp_manifest',
  path: '/mpp/.well-known/mpp.json',
  tag: documentsTag,
  summary: 'Read the MPP manifest of the service',
  description:
    'How programs order from merchants by answering HTTP 402: methods of payment, addresses with `{slug}` for the merchant, and paid APIs ' +
    'that merchants publish.',
  query: Closed({
    download: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether a browser saves the document as a file.' }),
    ),
  }),
  responses: {
    200: Type.Object({}, { additionalProperties: true, description: 'The manifest.' }),
  },
})

export const mppDocuments = [manifest]
