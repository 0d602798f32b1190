import Type, { type Static } from 'typebox'
import { type Release, releases } from './releases.ts'

const UcpCall = Type.Object(
  {
    release: Type.Unsafe<Release>({ type: 'string', enum: [...releases] }),
    /** All capabilities that both have. */
    capabilities: Type.Array(Type.String()),
    /** The address of the business that is called. */
    business: Type.String(),
    /** The profile of the platform. */
    profile: Type.String(),
    /** Whether the platform has signed the request. */
    is_signed: Type.Boolean(),
    /** Where the platform wants to be told of its orders. */
    webhook_url: Type.Union([Type.String(), Type.Null()]),
    /** The names of the payment handlers of the platform. */
    handlers: Type.Array(Type.String()),
  },
  { additionalProperties: false },
)

/** Who calls an operation of UCP, and what was agreed: the surface says it to handlers, and no caller can. */
export type UcpCall = Static<typeof UcpCall>

/** Those of an operation that may follow from a search here, whose token the caller gives back. */
export const AttributedHeaders = Type.Object(
  { ucp_call: UcpCall, service_attribution_id: Type.Optional(Type.String()) },
  { additionalProperties: false },
)

/** The headers of an operation whose answer depends on that. */
export const UcpHeaders = Type.Object({ ucp_call: UcpCall }, { additionalProperties: false })
