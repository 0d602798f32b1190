export { requireLocations } from './require-locations.ts'
