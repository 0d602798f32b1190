export {
  claimPaymentToken,
  readPaymentToken,
  reportPaymentToken,
  type UsableToken,
} from './use-payment-token.ts'
