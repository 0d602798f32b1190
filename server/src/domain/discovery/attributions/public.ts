export { attribute } from './attribute.ts'
