export { renameFrozenAgent } from './control.ts'
export { type Freezes, isFrozen } from './freezes.ts'
export {
  lockControlAlone,
  lockControlForShare,
  lockControlForUpdate,
  openControl,
  requireUnfrozen,
  takeSequence,
} from './lock-control.ts'
export { AgentsByKey, type CallInFlight, type CallsInFlight, InFlight } from './port.ts'
