import type { ShopWords } from './shop-words.ts'

export const es: ShopWords = {
  language: 'es',
  actions: {
    add_to_cart: `añadir al carrito | agregar al carrito | añadir a la cesta | añadir a la bolsa | añadir a mi cesta | agregar a la bolsa
      | meter en la cesta | agregar a carrito | añadir al carro | agregar al carro`,
    buy_now: `comprar ahora | comprar ya | comprar | compra inmediata`,
    view_cart: `ver carrito | ver cesta | ver el carrito | carrito | cesta | mi carrito | mi cesta | ir al carrito | bolsa | ver bolsa | tu carrito`,
    checkout: `finalizar compra | tramitar pedido | pasar por caja | ir a la caja | proceder al pago | iniciar compra | realizar pedido
      | pagar pedido | ir a pagar | ir al pago`,
    continue: `continuar | siguiente | seguir | continuar con el envío | continuar con el pago | continuar al pago | siguiente paso
      | guardar y continuar | confirmar | ir a envío | continuar a envío | guardar | aceptar y continuar`,
    as_guest: `continuar como invitado | comprar como invitado | como invitado | invitado | comprar sin registrarse
      | continuar sin registrarse | pagar como invitado | continuar sin cuenta | seguir como invitado | sin crear una cuenta | no crear una cuenta
      | sin registrarme | sin registrarse | sin registro | comprar sin registro | sin cuenta`,
    sign_in: `iniciar sesión | inicia sesión | acceder | entrar | identificarse | ingresar`,
    place_order: `pagar | pagar ahora | realizar el pedido | confirmar pedido | confirmar y pagar | hacer pedido | pedido con obligación de pago
      | confirmar compra | completar compra | completar pedido | pagar y finalizar | confirmar pago | realizar pago | finalizar pedido
      | comprar y pagar | realizar compra`,
    accept_cookies: `aceptar | aceptar todo | aceptar todas | aceptar cookies | aceptar todas las cookies | acepto | de acuerdo | entendido
      | permitir todas | aceptar y cerrar`,
    reject_cookies: `rechazar | rechazar todo | rechazar todas | solo necesarias | rechazar cookies | solo las necesarias
      | rechazar todas las cookies | continuar sin aceptar | solo cookies necesarias | aceptar solo las necesarias | denegar`,
    close: `cerrar | más tarde | ahora no | ocultar`,
    decline_offer: `no gracias | sin protección | omitir | no | saltar | sin seguro | no me interesa | sin garantía`,
    keep_address: `mantener esta dirección | usar mi dirección | mantener mi dirección | dirección introducida | usar la dirección introducida
      | dirección ingresada | usar dirección ingresada | conservar dirección | mantener dirección`,
    apply_code: `aplicar | aplicar código | canjear | aplicar cupón | usar código | validar`,
    have_code: `código promocional | tengo un código | código de descuento | introducir código | tienes un código promocional | añadir código
      | tienes un cupón | código descuento | cupón de descuento | añadir cupón`,
    pay_by_card: `tarjeta de crédito | tarjeta | pagar con tarjeta | tarjeta bancaria | tarjeta de crédito o débito | tarjeta de débito`,
    ship_here: `enviar a esta dirección | entregar aquí | entregar en esta dirección`,
    continue_shopping: `seguir comprando | continuar comprando | volver a la tienda | volver a la compra | cancelar`,
    subscribe: `suscribirse | suscríbete | registrarse | crear cuenta | suscribirme | regístrate | crear una cuenta | prueba gratuita | apúntate`,
    remove: `eliminar | quitar | borrar | vaciar carrito | vaciar cesta`,
    other: `añadir a favoritos | añadir a la lista de deseos | agregar a favoritos | comparar | pagar con paypal | continuar con paypal
      | continuar con google | configurar cookies | configurar | avísame | buscar | términos y condiciones | cerrar sesión | leer más
      | actualizar carrito | pagar a plazos | pagar después | tarjeta regalo | cambiar dirección | olvidé mi contraseña | cancelar pedido
      | agregar a la lista de deseos`,
  },
  totals: {
    subtotal: `subtotal | artículos | productos | total artículos | total productos | importe de los artículos`,
    shipping: `envío | gastos de envío | entrega | coste de envío | costo de envío | costes de envío | gastos de entrega | flete`,
    tax: `impuestos | iva | impuesto | igic | itbis | impuestos estimados`,
    tax_included: `iva incluido | impuestos incluidos | incluye iva | incl iva | incluye impuestos | iva incl | impuesto incluido
      | de los cuales iva | con iva incluido`,
    discount: `descuento | cupón | promoción | código promocional | rebaja | descuentos | vale | bono | código de descuento`,
    fee: `gastos de gestión | comisión | recargo | tasa | cargo por servicio | gastos de tramitación | tarifa de servicio | propina
      | cargo | envoltorio de regalo`,
    total: `total | total del pedido | importe total | total a pagar | a pagar | total con iva | total iva incluido | suma | precio total
      | monto total | total general | total con impuestos`,
    other: `ahorras | precio unitario | precio | número de pedido | total sin iva | base imponible | ahorro | total sin impuestos | puntos`,
  },
  states: {
    in_stock: `en stock | disponible | hay existencias`,
    sold_out: `agotado | sin stock | no disponible | sin existencias | fuera de stock | ya no está disponible | temporalmente agotado
      | no hay existencias | no hay suficiente stock | agotada | stock insuficiente`,
    low_stock: `últimas unidades | pocas unidades | quedan | solo quedan | casi agotado`,
    not_found: `página no encontrada | no encontrado | no existe | producto no encontrado | no se encontró | no se ha encontrado la página`,
    error: `algo salió mal | se ha producido un error | ha ocurrido un error | error del servidor | error inesperado | inténtalo de nuevo
      | inténtelo más tarde | algo ha ido mal | ocurrió un error`,
    payment_declined: `tarjeta ha sido rechazada | tarjeta rechazada | pago rechazado | pago ha sido rechazado | rechazada | fondos insuficientes
      | tarjeta fue rechazada | pago denegado | tarjeta denegada | tarjeta caducada | tarjeta no válida | número de tarjeta no válido`,
    payment_failed: `pago ha fallado | error en el pago | no se pudo procesar el pago | pago fallido | pago no se ha podido
      | pago cancelado | no hemos podido procesar | transacción fallida`,
    confirmation: `gracias por tu pedido | gracias por su pedido | pedido confirmado | gracias por tu compra | gracias por su compra
      | pedido recibido | confirmación del pedido | confirmación de pedido | tu pedido ha sido realizado | pedido realizado
      | hemos recibido tu pedido | hemos recibido su pedido | pedido completado | pedido ha sido confirmado | compra realizada
      | pedido ha sido realizado | pedido ha sido procesado | pedido se ha realizado | pedido ha sido recibido`,
    order_number: `número de pedido | n de pedido | pedido | referencia del pedido | pedido n | número de orden | núm de pedido | orden
      | pedido número | número de tu pedido`,
    processing: `procesando | espere por favor | un momento | se está procesando | por favor espere | no cierre esta ventana
      | estamos procesando | espera un momento`,
    minimum_quantity: `cantidad mínima | pedido mínimo | compra mínima | al menos | mínimo de`,
    session_expired: `sesión ha caducado | sesión ha expirado | sesión caducada | sesión expirada`,
    empty_cart: `carrito está vacío | cesta está vacía | tu carrito está vacío | no hay productos en el carrito | bolsa está vacía
      | no hay artículos en tu carrito`,
    cart: `carrito | cesta | carrito de compra | carrito de la compra | mi carrito | bolsa`,
    checkout: `finalizar compra | dirección de envío | datos de envío | dirección de facturación | información de contacto
      | datos de contacto | dirección de entrega`,
    payment: `pago | método de pago | forma de pago | datos de pago | información de pago`,
    review: `revisar pedido | resumen del pedido | revisa tu pedido | resumen | confirma tu pedido`,
    captcha: `no soy un robot | verifica que eres humano | captcha | comprobación de seguridad | eres humano | verificación de seguridad`,
    sign_in_needed: `inicia sesión para | debes iniciar sesión | inicie sesión para | solo para miembros | solo para clientes
      | es necesario iniciar sesión | por favor inicia sesión`,
    code_refused: `código no válido | cupón no válido | código no es válido | cupón no es válido | código ha caducado | cupón ha caducado
      | código inválido | cupón no existe | código no existe | código incorrecto | cupón inválido | no es aplicable | código caducado`,
    added: `añadido al carrito | añadido a la cesta | se ha añadido | agregado al carrito | ha sido añadido
      | añadido a tu carrito | añadido correctamente`,
    code_taken: `código aplicado | cupón aplicado | descuento aplicado | ha sido aplicado | se ha aplicado | aplicado correctamente`,
    undeliverable: `no enviamos a | no realizamos envíos | no es posible el envío | no hay métodos de envío | no se puede enviar
      | no entregamos en | envío no disponible | no hay opciones de envío`,
    price_changed: `precio ha cambiado | precios han cambiado | precio se ha actualizado | precio ha sido modificado | total ha cambiado
      | nuevo precio | precio cambió`,
    subscription: `suscripción | al mes | mensual | por mes | cada mes | prueba gratuita | se renueva | cancela cuando quieras | anual
      | renovación automática | por año`,
    quantity: `cantidad | cant | unidades | uds`,
  },
  fields: {
    email: `correo electrónico | email | e mail | correo | dirección de correo electrónico | dirección de email | mail`,
    salutation: `tratamiento | sexo | género`,
    full_name: `nombre completo | nombre y apellidos | nombre y apellido | destinatario | su nombre | tu nombre | nombre apellidos`,
    first_name: `nombre | nombres | nombre de pila`,
    last_name: `apellidos | apellido | primer apellido`,
    company: `empresa | compañía | razón social | nombre de la empresa`,
    phone: `teléfono | móvil | número de teléfono | teléfono móvil | celular | tel`,
    line1: `dirección | calle y número | dirección de envío | línea de dirección 1 | domicilio | dirección 1 | dirección línea 1
      | calle número | dirección de entrega | primera línea de la dirección | primer línea de la dirección`,
    line2: `número interior | num int | piso | apartamento | puerta | dirección 2 | línea de dirección 2 | piso puerta | departamento | escalera
      | información adicional | dirección línea 2 | complemento | piso puerta escalera | apartamento habitación | segunda línea de la dirección
      | segunda línea`,
    street: `calle | nombre de la calle | vía`,
    house_number: `número exterior | num ext | número | núm | número de casa | número exterior | n`,
    house_addition: ``,
    postal_code: `código postal | cp | c p | cód postal`,
    city: `ciudad | localidad | población | municipio`,
    state: `provincia | estado | región | comunidad autónoma | estado provincia`,
    country: `país | país región`,
    card_number: `número de tarjeta | número de la tarjeta | n de tarjeta | número tarjeta | número de tarjeta de crédito`,
    card_expiry: `fecha de caducidad | caducidad | vencimiento | fecha de vencimiento | mm aa | mm aaaa | válida hasta | fecha de expiración
      | expiración
      | válido hasta`,
    card_expiry_month: `mes | mes de caducidad | mes de vencimiento`,
    card_expiry_year: `año | año de caducidad | año de vencimiento | aa | aaaa`,
    card_code: `código de seguridad | cvc | cvv | código cvv | código de verificación de la tarjeta | código cvc
      | ccv | csc | cvn | número ccv | número cvv | número cvc | código ccv`,
    card_holder: `titular de la tarjeta | nombre en la tarjeta | titular | nombre del titular | nombre que figura en la tarjeta`,
    quantity: `cantidad | cant | unidades`,
    promo_code: `código promocional | código de descuento | cupón | cupón de descuento | código descuento | vale | código de cupón`,
    password: `contraseña | clave`,
    one_time_code: `código de verificación | código de confirmación | código de un solo uso | código recibido`,
    newsletter: `newsletter | boletín | boletín de noticias`,
    terms_consent: `términos y condiciones | condiciones generales | acepto los | acepto las | he leído | política de privacidad
      | condiciones de venta | aviso legal | condiciones de compra`,
    marketing_consent: `recibir ofertas | ofertas y novedades | novedades y ofertas | comunicaciones comerciales | promociones por correo
      | recibir novedades | recibir promociones`,
    save_card: `guardar tarjeta | guardar esta tarjeta | recordar tarjeta | guardar mi tarjeta | guardar los datos de la tarjeta
      | guardar mis datos`,
    create_account: `crear una cuenta | crear cuenta | registrarme`,
    billing_same: `misma dirección | igual que la dirección de envío | misma que la dirección de envío | dirección de facturación es la misma
      | usar la misma dirección | igual a la dirección de envío | facturación igual`,
    ship_elsewhere: `enviar a una dirección diferente | enviar a otra dirección | dirección de envío diferente`,
    bill_elsewhere: `dirección de facturación diferente | otra dirección de facturación`,
    date_of_birth: `fecha de nacimiento`,
    order_notes: `notas | comentarios | notas del pedido | instrucciones de entrega | observaciones | mensaje | comentario`,
    search: `buscar | búsqueda`,
    other: `barrio | colonia | referencias | referencia | fax | nif | dni | cif | tarjeta regalo | nombre de usuario | recordarme | mantener la sesión
      | válida desde | lugar de nacimiento | tarjeta de fidelidad | número de tarjeta de fidelidad | número de identificación`,
  },
  payments: {
    method: `método de pago | forma de pago | métodos de pago | pago`,
    card: `tarjeta de crédito | tarjeta | tarjeta de débito | tarjeta bancaria | tarjeta de crédito o débito`,
    wallet: `paypal | bizum | apple pay | google pay | mercado pago`,
    invoice: `factura | con factura | pagar después | pago aplazado | pago a 30 días`,
    instalments: `a plazos | en cuotas | plazos | financiación | klarna | cuotas | fraccionado | 3 plazos`,
    cash: `contra reembolso | contrareembolso | efectivo | pago en tienda | contra entrega`,
    transfer: `transferencia | transferencia bancaria | domiciliación`,
    gift_card: `tarjeta regalo | tarjeta de regalo`,
  },
  deliveries: {
    method: `método de envío | forma de envío | tipo de envío | envío | entrega | opciones de envío | métodos de envío | modo de entrega`,
    standard: `estándar | envío estándar | normal | a domicilio | económico | ordinario`,
    express: `exprés | express | urgente | 24 horas | envío urgente`,
    pickup: `recogida | recoger en tienda | recogida en tienda | punto de recogida | retiro en tienda | en tienda`,
    today: `hoy`,
    tomorrow: `mañana | al día siguiente`,
    hours: `hora | horas`,
    days: `día | días | días laborables | días hábiles | día laborable`,
    weeks: `semana | semanas`,
  },
}
