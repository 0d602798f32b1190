export { followOrder } from './follow-order.ts'
export type { ToldAs } from './named.ts'
export {
  modeOfSender,
  type OrderMessage,
  type Received,
  receiveOrderMessage,
  sendersOf,
} from './receive-message.ts'
