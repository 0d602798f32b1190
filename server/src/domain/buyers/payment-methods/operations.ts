import { createProfilePaymentMethod } from './create-profile-payment-method.ts'
import { deleteProfilePaymentMethod } from './delete-profile-payment-method.ts'
import { getProfilePaymentMethod, listProfilePaymentMethods } from './get-profile-payment-methods.ts'
import { updateProfilePaymentMethod } from './update-profile-payment-method.ts'
import { verifyProfilePaymentMethod } from './verify-profile-payment-method.ts'

export const paymentMethodOperations = [
  createProfilePaymentMethod,
  listProfilePaymentMethods,
  getProfilePaymentMethod,
  updateProfilePaymentMethod,
  deleteProfilePaymentMethod,
  verifyProfilePaymentMethod,
]
