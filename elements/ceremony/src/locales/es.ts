import type { WindowSentences } from './sentences.ts'

export const es: WindowSentences = {
  loading: 'Un momento…',
  askedBy: (site) => `Lo pide ${site}`,
  confirmPayment: 'Confirmar un pago',
  makePasskey: 'Crear una llave de acceso para su tarjeta',
  confirmCard: 'Confirmar su tarjeta',
  passkeyText:
    'Con una llave de acceso en este dispositivo confirma sus compras con la huella, el rostro o un PIN.',
  bankText: 'Su banco pregunta en su propia página si es usted. Desde allí vuelve aquí.',
  shop: 'Tienda',
  atMost: 'Como máximo',
  card: 'Tarjeta',
  usePasskey: 'Confirmar con la llave de acceso',
  createPasskey: 'Crear llave de acceso',
  confirm: 'Continuar en su banco',
  refuse: 'No',
  working: 'Esperando a su dispositivo…',
  proven: 'Confirmado',
  provenText: (site) => `Cierre esta ventana y siga en ${site}.`,
  refused: 'No confirmado',
  refusedText: (site) => `No se ha pagado nada. Cierre esta ventana; en ${site} puede intentarlo de nuevo.`,
  over: 'Esta ventana ya no sirve',
  overText: 'Se ha usado o ha esperado demasiado. Ciérrela y empiece de nuevo en la página de la que viene.',
  noPasskeys: 'Este navegador no tiene llaves de acceso',
  noPasskeysText:
    'Abra la página de la que viene en un navegador actual, en un dispositivo con bloqueo de pantalla, o pague con otra tarjeta.',
  tryAgain: 'Intentar de nuevo',
  offline: 'Sin conexión. Compruebe que está en línea e inténtelo de nuevo.',
  close: 'Cerrar ventana',
  testBank: 'Modo de prueba: el banco es el del entorno de pruebas.',
}
