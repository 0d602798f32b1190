export { followOrder } from './follow-order.ts'
export { hashOf, type ToldAs } from './named.ts'
export { modeOfSender, receiveOrderMessage, sendersOf } from './receive-message.ts'
export { newsOfUcp } from './ucp-news.ts'
