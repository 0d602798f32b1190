export { isSetup, readKeptCard, useSetup } from './kept-card.ts'
export { CardKeepers, keeperBudgetMs } from './port.ts'
