export { native, nativeTerms } from './native.ts'
export type {
  NativeItem,
  NativeOfferAnswer,
  NativeOfferRequest,
  NativeOrder,
  NativePlaceAnswer,
  NativePlaceRequest,
  NativeRequest,
} from './requests.ts'
