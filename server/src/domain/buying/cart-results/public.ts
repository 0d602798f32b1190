export { keepResult } from './keep-result.ts'
export type { ReceivedResult } from './port.ts'
