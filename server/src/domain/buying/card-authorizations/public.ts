export { answerCardRequest, type CardAnswer } from './answer-request.ts'
export { confirmFallback, stopAtForeignCharges } from './card-program.ts'
export { type CardFunds, closeCard, type OpenedCard, openCard } from './open-card.ts'
