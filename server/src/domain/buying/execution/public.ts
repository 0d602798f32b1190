export { PurchaseMeans } from './channels.ts'
export { captureOfAttempt } from './charges.ts'
export { credentialExpiry, type OrderOfToken, UsedTokens } from './place/handed-over.ts'
export { purchaseHolds } from './purchase-holds.ts'
