export { answerCardRequest, type CardAnswer } from './answer-request.ts'
export { type CardFunds, closeCard, type OpenedCard, openCard } from './open-card.ts'
