import type { WindowSentences } from './sentences.ts'

const en: WindowSentences = {
  loading: 'One moment…',
  askedBy: (site) => `Asked by ${site}`,
  confirmPayment: 'Confirm a payment',
  makePasskey: 'Create a passkey for your card',
  confirmCard: 'Confirm your card',
  passkeyText: 'With a passkey on this device you confirm purchases by fingerprint, face or PIN.',
  bankText: 'Your bank asks whether this is you.',
  shop: 'Shop',
  atMost: 'At most',
  card: 'Card',
  usePasskey: 'Confirm with passkey',
  createPasskey: 'Create passkey',
  confirm: 'Yes, it is me',
  refuse: 'No',
  working: 'Waiting for your device…',
  proven: 'Confirmed',
  provenText: (site) => `Close this window and go on at ${site}.`,
  refused: 'Not confirmed',
  refusedText: (site) => `Nothing was paid. Close this window; at ${site} you can try again.`,
  over: 'This window is over',
  overText: 'It was used, or has waited too long. Close it, and begin again on the page that you came from.',
  noPasskeys: 'This browser has no passkeys',
  noPasskeysText:
    'Open the page that you came from in a current browser, on a phone or computer with a screen lock, or pay with another card.',
  tryAgain: 'Try again',
  offline: 'No connection. Check that you are online, then try again.',
  close: 'Close window',
  testBank: 'Test mode: this window plays the page of a bank.',
}

const de: WindowSentences = {
  loading: 'Einen Moment…',
  askedBy: (site) => `Angefragt von ${site}`,
  confirmPayment: 'Zahlung bestätigen',
  makePasskey: 'Passkey für Ihre Karte erstellen',
  confirmCard: 'Karte bestätigen',
  passkeyText: 'Mit einem Passkey auf diesem Gerät bestätigen Sie Käufe per Fingerabdruck, Gesicht oder PIN.',
  bankText: 'Ihre Bank fragt, ob Sie es sind.',
  shop: 'Händler',
  atMost: 'Höchstens',
  card: 'Karte',
  usePasskey: 'Mit Passkey bestätigen',
  createPasskey: 'Passkey erstellen',
  confirm: 'Ja, ich bin es',
  refuse: 'Nein',
  working: 'Warten auf Ihr Gerät…',
  proven: 'Bestätigt',
  provenText: (site) => `Schließen Sie dieses Fenster und machen Sie auf ${site} weiter.`,
  refused: 'Nicht bestätigt',
  refusedText: (site) =>
    `Es wurde nichts bezahlt. Schließen Sie dieses Fenster; auf ${site} können Sie es noch einmal versuchen.`,
  over: 'Dieses Fenster ist abgelaufen',
  overText:
    'Es wurde benutzt oder hat zu lange gewartet. Schließen Sie es und beginnen Sie auf der Seite, von der Sie kommen, noch einmal.',
  noPasskeys: 'Dieser Browser kennt keine Passkeys',
  noPasskeysText:
    'Öffnen Sie die Seite, von der Sie kommen, in einem aktuellen Browser auf einem Gerät mit Bildschirmsperre, oder zahlen Sie mit einer anderen Karte.',
  tryAgain: 'Noch einmal versuchen',
  offline: 'Keine Verbindung. Prüfen Sie, ob Sie online sind, und versuchen Sie es noch einmal.',
  close: 'Fenster schließen',
  testBank: 'Testmodus: Dieses Fenster spielt die Seite einer Bank.',
}

const fr: WindowSentences = {
  loading: 'Un instant…',
  askedBy: (site) => `Demandé par ${site}`,
  confirmPayment: 'Confirmer un paiement',
  makePasskey: 'Créer une clé d’accès pour votre carte',
  confirmCard: 'Confirmer votre carte',
  passkeyText:
    'Avec une clé d’accès sur cet appareil, vous confirmez vos achats par empreinte, visage ou code PIN.',
  bankText: 'Votre banque demande si c’est bien vous.',
  shop: 'Marchand',
  atMost: 'Au maximum',
  card: 'Carte',
  usePasskey: 'Confirmer avec la clé d’accès',
  createPasskey: 'Créer la clé d’accès',
  confirm: 'Oui, c’est moi',
  refuse: 'Non',
  working: 'En attente de votre appareil…',
  proven: 'Confirmé',
  provenText: (site) => `Fermez cette fenêtre et continuez sur ${site}.`,
  refused: 'Non confirmé',
  refusedText: (site) => `Rien n’a été payé. Fermez cette fenêtre ; vous pouvez réessayer sur ${site}.`,
  over: 'Cette fenêtre n’est plus valable',
  overText:
    'Elle a été utilisée ou a attendu trop longtemps. Fermez-la et recommencez sur la page d’où vous venez.',
  noPasskeys: 'Ce navigateur ne connaît pas les clés d’accès',
  noPasskeysText:
    'Ouvrez la page d’où vous venez dans un navigateur récent, sur un appareil avec verrouillage d’écran, ou payez avec une autre carte.',
  tryAgain: 'Réessayer',
  offline: 'Pas de connexion. Vérifiez que vous êtes en ligne, puis réessayez.',
  close: 'Fermer la fenêtre',
  testBank: 'Mode test : cette fenêtre joue la page d’une banque.',
}

const es: WindowSentences = {
  loading: 'Un momento…',
  askedBy: (site) => `Lo pide ${site}`,
  confirmPayment: 'Confirmar un pago',
  makePasskey: 'Crear una llave de acceso para su tarjeta',
  confirmCard: 'Confirmar su tarjeta',
  passkeyText:
    'Con una llave de acceso en este dispositivo confirma sus compras con la huella, el rostro o un PIN.',
  bankText: 'Su banco pregunta si es usted.',
  shop: 'Tienda',
  atMost: 'Como máximo',
  card: 'Tarjeta',
  usePasskey: 'Confirmar con la llave de acceso',
  createPasskey: 'Crear llave de acceso',
  confirm: 'Sí, soy yo',
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
  testBank: 'Modo de prueba: esta ventana hace de página de un banco.',
}

const it: WindowSentences = {
  loading: 'Un momento…',
  askedBy: (site) => `Richiesto da ${site}`,
  confirmPayment: 'Confermare un pagamento',
  makePasskey: 'Creare una passkey per la carta',
  confirmCard: 'Confermare la carta',
  passkeyText: 'Con una passkey su questo dispositivo conferma gli acquisti con impronta, volto o PIN.',
  bankText: 'La sua banca chiede se è lei.',
  shop: 'Negozio',
  atMost: 'Al massimo',
  card: 'Carta',
  usePasskey: 'Confermare con la passkey',
  createPasskey: 'Creare la passkey',
  confirm: 'Sì, sono io',
  refuse: 'No',
  working: 'In attesa del dispositivo…',
  proven: 'Confermato',
  provenText: (site) => `Chiuda questa finestra e continui su ${site}.`,
  refused: 'Non confermato',
  refusedText: (site) => `Non è stato pagato nulla. Chiuda questa finestra; su ${site} può riprovare.`,
  over: 'Questa finestra non è più valida',
  overText: 'È stata usata o ha atteso troppo. La chiuda e ricominci dalla pagina da cui viene.',
  noPasskeys: 'Questo browser non ha passkey',
  noPasskeysText:
    'Apra la pagina da cui viene in un browser attuale, su un dispositivo con blocco dello schermo, o paghi con un’altra carta.',
  tryAgain: 'Riprovare',
  offline: 'Nessuna connessione. Verifichi di essere online e riprovi.',
  close: 'Chiudere la finestra',
  testBank: 'Modalità di test: questa finestra fa la parte della pagina di una banca.',
}

const nl: WindowSentences = {
  loading: 'Een ogenblik…',
  askedBy: (site) => `Gevraagd door ${site}`,
  confirmPayment: 'Betaling bevestigen',
  makePasskey: 'Toegangssleutel voor uw kaart maken',
  confirmCard: 'Uw kaart bevestigen',
  passkeyText:
    'Met een toegangssleutel op dit apparaat bevestigt u aankopen met vingerafdruk, gezicht of pincode.',
  bankText: 'Uw bank vraagt of u het bent.',
  shop: 'Winkel',
  atMost: 'Ten hoogste',
  card: 'Kaart',
  usePasskey: 'Bevestigen met toegangssleutel',
  createPasskey: 'Toegangssleutel maken',
  confirm: 'Ja, ik ben het',
  refuse: 'Nee',
  working: 'Wachten op uw apparaat…',
  proven: 'Bevestigd',
  provenText: (site) => `Sluit dit venster en ga verder op ${site}.`,
  refused: 'Niet bevestigd',
  refusedText: (site) => `Er is niets betaald. Sluit dit venster; op ${site} kunt u het opnieuw proberen.`,
  over: 'Dit venster is verlopen',
  overText:
    'Het is gebruikt of heeft te lang gewacht. Sluit het en begin opnieuw op de pagina waar u vandaan komt.',
  noPasskeys: 'Deze browser heeft geen toegangssleutels',
  noPasskeysText:
    'Open de pagina waar u vandaan komt in een actuele browser, op een apparaat met schermvergrendeling, of betaal met een andere kaart.',
  tryAgain: 'Opnieuw proberen',
  offline: 'Geen verbinding. Controleer of u online bent en probeer het opnieuw.',
  close: 'Venster sluiten',
  testBank: 'Testmodus: dit venster speelt de pagina van een bank.',
}

const pt: WindowSentences = {
  loading: 'Um momento…',
  askedBy: (site) => `Pedido por ${site}`,
  confirmPayment: 'Confirmar um pagamento',
  makePasskey: 'Criar uma chave de acesso para o seu cartão',
  confirmCard: 'Confirmar o seu cartão',
  passkeyText:
    'Com uma chave de acesso neste dispositivo, confirma compras com impressão digital, rosto ou PIN.',
  bankText: 'O seu banco pergunta se é você.',
  shop: 'Loja',
  atMost: 'No máximo',
  card: 'Cartão',
  usePasskey: 'Confirmar com chave de acesso',
  createPasskey: 'Criar chave de acesso',
  confirm: 'Sim, sou eu',
  refuse: 'Não',
  working: 'À espera do seu dispositivo…',
  proven: 'Confirmado',
  provenText: (site) => `Feche esta janela e continue em ${site}.`,
  refused: 'Não confirmado',
  refusedText: (site) => `Nada foi pago. Feche esta janela; em ${site} pode tentar de novo.`,
  over: 'Esta janela já não é válida',
  overText: 'Foi usada ou esperou demasiado. Feche-a e recomece na página de onde veio.',
  noPasskeys: 'Este navegador não tem chaves de acesso',
  noPasskeysText:
    'Abra a página de onde veio num navegador atual, num dispositivo com bloqueio de ecrã, ou pague com outro cartão.',
  tryAgain: 'Tentar de novo',
  offline: 'Sem ligação. Verifique se está online e tente de novo.',
  close: 'Fechar janela',
  testBank: 'Modo de teste: esta janela faz de página de um banco.',
}

const ja: WindowSentences = {
  loading: 'お待ちください…',
  askedBy: (site) => `${site} からの依頼`,
  confirmPayment: 'お支払いの確認',
  makePasskey: 'カード用のパスキーを作成',
  confirmCard: 'カードの確認',
  passkeyText: 'この端末のパスキーがあれば、指紋、顔、または PIN で購入を確認できます。',
  bankText: 'ご本人かどうか、銀行が確認しています。',
  shop: 'ショップ',
  atMost: '上限額',
  card: 'カード',
  usePasskey: 'パスキーで確認',
  createPasskey: 'パスキーを作成',
  confirm: 'はい、本人です',
  refuse: 'いいえ',
  working: '端末の応答を待っています…',
  proven: '確認しました',
  provenText: (site) => `このウィンドウを閉じて、${site} で続けてください。`,
  refused: '確認されませんでした',
  refusedText: (site) => `支払いは行われていません。このウィンドウを閉じ、${site} でもう一度お試しください。`,
  over: 'このウィンドウは使えなくなりました',
  overText: '使用済みか、時間が切れました。閉じて、元のページからやり直してください。',
  noPasskeys: 'このブラウザーはパスキーに対応していません',
  noPasskeysText:
    '画面ロックのある端末の最新のブラウザーで元のページを開くか、別のカードでお支払いください。',
  tryAgain: 'もう一度試す',
  offline: '接続できません。オンラインか確認して、もう一度お試しください。',
  close: 'ウィンドウを閉じる',
  testBank: 'テストモード：このウィンドウは銀行のページの代わりです。',
}

const languages: Readonly<Record<string, WindowSentences>> = { en, de, fr, es, it, nl, pt, ja }

/** The first of the browser's languages that there are texts for, else English. */
export function chooseLanguage(preferred: readonly string[]): {
  readonly language: string
  readonly sentences: WindowSentences
} {
  const wanted = preferred.map((locale) => locale.toLowerCase().split(/[-_]/)[0] ?? '')
  const language = wanted.find((name) => Object.hasOwn(languages, name)) ?? 'en'
  return { language, sentences: languages[language] ?? en }
}
