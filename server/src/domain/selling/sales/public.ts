export type { SaleInstrument } from './sale.ts'
export { saleHolds } from './sale-holds.ts'
export { saleMoves } from './sale-moves.ts'
export {
  type AgreedSale,
  orderIdOf,
  readAgreedSale,
  readSale,
  type SaleProgress,
  startSale,
} from './start-sale.ts'
