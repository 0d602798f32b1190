export { allowLive, endLive, type LiveGate, liveGate } from './live-limits.ts'
