export { noteLink, openLink } from './open-link.ts'
export { type Payout, readPayout, setPayout } from './payout.ts'
export { noPayoutAccounts, PayoutAccounts } from './port.ts'
