import Type from 'typebox'
import { describeDocument } from '../../contract/operation.ts'
import { Closed, Text } from '../../contract/schemas.ts'
import { documentsTag } from '../http/public-document.ts'

const Profile = Type.Object(
  {},
  { additionalProperties: true, description: 'A profile in the form of its release, as UCP publishes it.' },
)

export const newestProfile = describeDocument({
  id: 'v1_get_ucp_profile',
  path: '/.well-known/ucp',
  tag: documentsTag,
  summary: 'Read the UCP profile of the service',
  description:
    'What the service can do as a platform that buys over UCP, in the newest release that it speaks, and the keys by which it signs.',
  responses: { 200: Profile },
})

export const profileOfRelease = describeDocument({
  id: 'v1_get_ucp_profile_release',
  path: '/.well-known/ucp/{version}',
  tag: documentsTag,
  summary: 'Read the UCP profile of one release',
  description: 'A buyer names it in `UCP-Agent` where a merchant speaks that release alone.',
  params: Closed({
    version: Text(10, { description: 'The release: a date such as `2026-04-08`.', examples: ['2026-04-08'] }),
  }),
  responses: { 200: Profile },
  problems: ['not_found'],
})

export const handlerSchema = describeDocument({
  id: 'v1_get_payment_handler_schema',
  path: '/ucp/payment_handlers/processor_spt.schema.json',
  tag: documentsTag,
  summary: 'Read the schema of a deprecated payment handler',
  description:
    'No new profile names it. Checkouts that were made while one did can still be completed, and those who complete them read it.',
  mediaType: 'application/schema+json',
  responses: {
    200: Type.Object({}, { additionalProperties: true, description: 'A JSON Schema of release 2020-12.' }),
  },
})

export const ucpDocuments = [newestProfile, profileOfRelease, handlerSchema]
