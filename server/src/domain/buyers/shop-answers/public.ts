export { keepAnswers, readKeptAnswers } from './keep-answers.ts'
export { openAnswer, sealAnswer } from './seal-answer.ts'
