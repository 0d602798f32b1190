export { answerCardRequest, type CardAnswer } from './answer-request.ts'
export { closeCard, type OpenedCard, openCard } from './open-card.ts'
