import Type from 'typebox'
import { Closed } from '../../../../contract/schemas.ts'

const tag = 'Console'

/** What operations have in common by which a browser gets a session. */
export const signInOperation = {
  method: 'POST',
  auth: 'none',
  scope: null,
  surfaces: ['console'],
  tag,
} as const

/** Those of somebody who has signed in. */
export const sessionOperation = {
  auth: 'person',
  scope: null,
  surfaces: ['console'],
  tag,
  forBound: 'refused',
} as const

export const browserHeader = Closed({
  'user-agent': Type.Optional(Type.String({ description: 'By which the person knows the session again.' })),
})

export const Credential = Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
  maxProperties: 16,
  description: 'What the browser has made of `options`, as JSON.',
})

export const Options = Type.Record(Type.String(), Type.Unknown(), {
  description: 'What the browser is asked: for `navigator.credentials`.',
})

export const ChallengeId = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The id of the question.',
})
