export { isConformanceShop, writeConformanceShop } from './conformance-shop.ts'
