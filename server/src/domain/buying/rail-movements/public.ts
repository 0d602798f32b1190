export { decideRefunds, type NewRefund, type RailNews } from './decide-refunds.ts'
export { followCredential, readNews, settleNews } from './news.ts'
export { type CountMovements, MovementCount } from './read-feed.ts'
