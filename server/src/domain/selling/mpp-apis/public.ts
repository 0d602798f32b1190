export { readNewestApis, readShownApis } from './read-shown.ts'
