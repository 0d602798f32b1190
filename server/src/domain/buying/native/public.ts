export { native, nativeTerms } from './native.ts'
export type {
  NativeItem,
  NativeOfferRequest,
  NativeOrder,
  NativePlaceAnswer,
  NativePlaceRequest,
  NativeRequest,
} from './requests.ts'
