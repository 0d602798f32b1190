export { png } from './evidence.ts'
export { type PageEvidence, picturesPerAttempt } from './port.ts'
export { recordEvidence } from './record-evidence.ts'
