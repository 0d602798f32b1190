export { followOrder } from './follow-order.ts'
export type { ToldAs } from './named.ts'
export { hashOf } from './named.ts'
export {
  modeOfSender,
  receiveOrderMessage,
  sendersOf,
} from './receive-message.ts'
export { newsOfUcp } from './ucp-news.ts'
