export type { LocationRow } from './location.ts'
export { requireLocations } from './require-locations.ts'
