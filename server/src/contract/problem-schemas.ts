import Type, { type TSchema } from 'typebox'
import { type ProblemCode, problemCodes } from './problem-codes.ts'
import { Closed, Named, Nullable, OneOf } from './schemas.ts'

const codes = Object.keys(problemCodes) as [ProblemCode, ...ProblemCode[]] // the list is never empty

const ProblemFields = {
  code: OneOf(codes, { description: 'A closed list; new codes may be added to it.' }),
  message: Type.String({ description: 'For people. Never parse it.' }),
  param: Nullable(Type.String({ description: 'The field that names what was refused.' })),
  request_id: Type.String({ description: 'Also in the `Request-Id` header.' }),
  retryable: Type.Boolean({ description: 'Whether the same request may succeed later without a change.' }),
}

/** Every refusal that is not a validation error. Some add members beside the standard ones, such as `next_action`. */
export const ProblemBody = Named(
  'Problem',
  Closed({ detail: Type.Object(ProblemFields, { additionalProperties: true }) }),
)

export const HTTPValidationError = Named(
  'HTTPValidationError',
  Closed({
    detail: Type.Array(
      Named(
        'ValidationError',
        Closed({
          type: Type.String({ description: 'Such as `missing`, `extra_forbidden` or `greater_than_equal`.' }),
          loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
            description: 'Where: `body`, `query`, `path` or `header`, then the way to the field.',
          }),
          msg: Type.String(),
          ctx: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        }),
      ),
    ),
  }),
)

export const RateLimitExceededResponse = Named(
  'RateLimitExceededResponse',
  Closed({
    detail: Type.Object(
      {
        ...ProblemFields,
        limit: Type.Integer({ minimum: 1 }),
        window_seconds: Type.Integer({ minimum: 1 }),
        retry_after_seconds: Type.Integer({ minimum: 1 }),
        scope: Type.String({ description: 'Which limit: the address, the key, the attribution id.' }),
      },
      { additionalProperties: true },
    ),
  }),
)

/** The body that goes with a status of a refusal. */
export function refusalSchema(status: number): TSchema {
  if (status === 422) return HTTPValidationError
  return status === 429 ? RateLimitExceededResponse : ProblemBody
}
