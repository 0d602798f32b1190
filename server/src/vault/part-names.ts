import type { CardField } from '../platform/vault-client/vault-words.ts'

/**
 * What rails call the parts of a card. A number that the vault put anywhere else, such as into a reference, would be read back from the
 * rail by somebody who may not see it.
 */
export const partNames: Readonly<Record<CardField, RegExp>> = {
  number: /^(?:card_?)?(?:number|pan)$/i,
  exp_month: /^(?:card_?)?(?:exp(?:iry|iration)?_?)?month$/i,
  exp_year: /^(?:card_?)?(?:exp(?:iry|iration)?_?)?year$/i,
  security_code: /^(?:card_?)?(?:cvc|cvv2?|csc|security_?code)$/i,
  holder: /^(?:card_?)?(?:holder|(?:card_?)?holder_?name|name)$/i,
}
