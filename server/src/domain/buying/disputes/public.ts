export { takeRailEvent } from './take-event.ts'
