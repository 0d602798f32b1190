import {
  createContext,
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type ReactElement,
  type ReactNode,
  type RefAttributes,
  type RefObject,
  useContext,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react'
import {
  type AddOrSelectPaymentMethodOptions,
  type AddPaymentMethodOptions,
  type Authorization,
  type ComponentName,
  type ComponentOptions,
  type MerchantAuthHandoffOptions,
  Prokura,
  type ProkuraElement,
  type ProkuraEvents,
} from '../../loader/src/prokura.ts'

export type ProkuraProviderProps = {
  /** `pr_pk_…`. A secret key must never be in a page. */
  publishableKey: string
  /** The elements origin of your Prokura: `PROKURA_ELEMENTS_URL` in its settings. */
  url: string
  children?: ReactNode
}

/** What a component says to its page. */
export type ElementHandlers<Component extends ComponentName> = {
  onReady?: () => void
  onChange?: (event: ProkuraEvents<Component>['change']) => void
  onComplete?: (event: ProkuraEvents<Component>['complete']) => void
  /** Without it, errors are written into the console. */
  onError?: (event: ProkuraEvents<Component>['error']) => void
}

/** Of the element that the component stands in. */
type PlaceProps = { className?: string; id?: string }

export type AddPaymentMethodProps = AddPaymentMethodOptions & ElementHandlers<'AddPaymentMethod'> & PlaceProps
export type AddOrSelectPaymentMethodProps = AddOrSelectPaymentMethodOptions &
  ElementHandlers<'AddOrSelectPaymentMethod'> &
  PlaceProps
export type MerchantAuthHandoffProps = MerchantAuthHandoffOptions &
  ElementHandlers<'MerchantAuthHandoff'> &
  PlaceProps

/** What a ref to `AddOrSelectPaymentMethod` holds. */
export type AddOrSelectPaymentMethodHandle = {
  /** Call it in the handler of the click on your own button. */
  authorize(): Promise<Authorization>
}

const ProkuraContext = createContext<Prokura | null>(null)

/** Around the components of a page, which share one `Prokura`. */
export function ProkuraProvider({ publishableKey, url, children }: ProkuraProviderProps): ReactElement {
  const prokura = useMemo(() => new Prokura(publishableKey, { url }), [publishableKey, url])
  return createElement(ProkuraContext.Provider, { value: prokura }, children)
}

export function AddPaymentMethod(props: AddPaymentMethodProps): ReactElement {
  return placeOf(props, useElement('AddPaymentMethod', props).place)
}

export const AddOrSelectPaymentMethod: ForwardRefExoticComponent<
  AddOrSelectPaymentMethodProps & RefAttributes<AddOrSelectPaymentMethodHandle>
> = forwardRef<AddOrSelectPaymentMethodHandle, AddOrSelectPaymentMethodProps>((props, ref) => {
  const { place, element } = useElement('AddOrSelectPaymentMethod', props)
  useImperativeHandle(ref, () => ({ authorize: () => element().authorize() }))
  return placeOf(props, place)
})
AddOrSelectPaymentMethod.displayName = 'AddOrSelectPaymentMethod'

export function MerchantAuthHandoff(props: MerchantAuthHandoffProps): ReactElement {
  return placeOf(props, useElement('MerchantAuthHandoff', props).place)
}

type Place = RefObject<HTMLDivElement | null>

function placeOf({ className, id }: PlaceProps, ref: Place): ReactElement {
  return createElement('div', { ref, className, id })
}

type Props<Component extends ComponentName> = ComponentOptions[Component] & ElementHandlers<Component>
type Element<Component extends ComponentName> = ReturnType<typeof Prokura.prototype.create<Component>>

/**
 * A component lives as long as what it is for stays the same: rendered again it stays as it is, with all that was typed. A look and a
 * language are changed in place, and handlers are those of the last rendering. React's strict mode mounts it twice, of which the second is kept.
 */
function useElement<Component extends ComponentName>(component: Component, props: Props<Component>) {
  const prokura = useContext(ProkuraContext)
  if (prokura === null) throw new Error(`${component} has to stand inside a ProkuraProvider.`)
  const place: Place = useRef<HTMLDivElement | null>(null)
  const last = useRef(props)
  const mounted = useRef<Element<Component> | null>(null)
  const look = JSON.stringify(lookOf(props))
  const purpose = JSON.stringify(purposeOf(props))
  useEffect(() => {
    last.current = props
  })
  useEffect(() => {
    const made = prokura.create<Component>(component, { ...JSON.parse(purpose), ...lookOf(last.current) })
    const element = made as ProkuraElement<Component> // which each of them is
    element.on('ready', () => last.current.onReady?.())
    element.on('change', (event) => last.current.onChange?.(event))
    element.on('complete', (event) => last.current.onComplete?.(event))
    element.on('error', (event) => {
      const { onError } = last.current
      if (onError === undefined) console.error('Prokura:', event.message)
      else onError(event)
    })
    if (place.current !== null) element.mount(place.current)
    mounted.current = made
    return () => {
      mounted.current = null
      element.unmount()
    }
  }, [prokura, component, purpose])
  useEffect(() => {
    mounted.current?.update(JSON.parse(look))
  }, [look])

  // One that is not mounted says so itself.
  return { place, element: () => mounted.current ?? prokura.create<Component>(component, props) }
}

function lookOf({ appearance, locale }: ComponentOptions[ComponentName]) {
  return { appearance: appearance ?? {}, ...(locale === undefined ? {} : { locale }) }
}

/** What a component is for. With another of these it is another component. */
function purposeOf(props: ComponentOptions[ComponentName]) {
  const subject = ['profileId', 'purchaseIntentId', 'clientSecret']
  const names = [...subject, 'preference', 'deferRetry', 'budget', 'billingAddress']
  return Object.fromEntries(Object.entries(props).filter(([name]) => names.includes(name)))
}
