export { answerCardRequest, type CardAnswer } from './answer-request.ts'
