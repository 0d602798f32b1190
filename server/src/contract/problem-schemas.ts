import Type, { type TSchema } from 'typebox'
import type { ProblemCatalog } from './problem-codes.ts'
import { Closed, Named, Nullable, OneOf } from './schemas.ts'

function fieldsOf(problems: ProblemCatalog) {
  return {
    code: OneOf([...problems.keys()], {
      description: 'Why it was refused: from a closed list, to which codes may be added.',
    }),
    message: Type.String({ description: 'A sentence for people and models. Do not parse it.' }),
    param: Nullable(
      Type.String({ description: 'The field that names what was refused; null if no field does.' }),
    ),
    request_id: Type.String({
      description: 'The id of the request, also in the `Request-Id` header, in logs and in events.',
    }),
    retryable: Type.Boolean({ description: 'Whether the same request may succeed later without a change.' }),
  }
}

/** Every refusal that is not a validation error. Some add members beside the standard ones, such as `next_action`. */
function problemBody(fields: ProblemFields): TSchema {
  return Named(
    'Problem',
    Closed(
      { detail: Type.Object(fields, { additionalProperties: true, description: 'The refusal.' }) },
      { description: 'A refusal. Some have more members than these, such as `next_action`.' },
    ),
  )
}

type ProblemFields = ReturnType<typeof fieldsOf>

const HTTPValidationError = Named(
  'HTTPValidationError',
  Closed(
    {
      detail: Type.Array(
        Named(
          'ValidationError',
          Closed(
            {
              type: Type.String({
                description: 'What is wrong, such as `missing`, `extra_forbidden` or `greater_than_equal`.',
              }),
              loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
                description:
                  'Where it is wrong: `body`, `query`, `path` or `header`, then the way to the field.',
              }),
              msg: Type.String({
                description: 'A sentence for people and models. It never repeats the value.',
              }),
              ctx: Type.Optional(
                Type.Record(Type.String(), Type.Unknown(), {
                  description: 'What the rule compares with, such as a minimum.',
                }),
              ),
            },
            { description: 'One error of a request.' },
          ),
        ),
        { description: 'Every error of the request.' },
      ),
    },
    { description: 'A request that does not match its schema: every error of it.' },
  ),
)

function tooManyBody(fields: ProblemFields): TSchema {
  return Named(
    'RateLimitExceededResponse',
    Closed(
      {
        detail: Type.Object(
          {
            ...fields,
            limit: Type.Integer({ minimum: 1, description: 'How many requests the window allows.' }),
            window_seconds: Type.Integer({ minimum: 1, description: 'How long the window is, in seconds.' }),
            retry_after_seconds: Type.Integer({ minimum: 1, description: 'How long to wait, in seconds.' }),
            scope: Type.String({
              description:
                'Which limit it is: of the address, the API key, the attribution id, the destination or its host.',
            }),
          },
          { additionalProperties: true, description: 'The refusal.' },
        ),
      },
      { description: 'Too many requests.' },
    ),
  )
}

/** The body of a refusal with this status. */
export function refusalSchemas(problems: ProblemCatalog): (status: number) => TSchema {
  const fields = fieldsOf(problems)
  const [problem, tooMany] = [problemBody(fields), tooManyBody(fields)]
  return (status) => {
    if (status === 422) return HTTPValidationError
    return status === 429 ? tooMany : problem
  }
}
