export { attribute } from './attribute.ts'
export { attributeOrder } from './attribute-order.ts'
