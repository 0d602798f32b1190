export { railAccount, takeRailEvent } from './take-event.ts'
