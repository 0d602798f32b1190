import Type from 'typebox'

/** What a browser shows of a link. */
export const LinkBody = {
  token: Type.String({ minLength: 1, maxLength: 255, description: 'From the fragment of the link.' }),
  claim_secret: Type.String({
    minLength: 22,
    maxLength: 128,
    description: 'Random, made by the browser before it asks: so an answer that is lost loses no link.',
  }),
}
