import type { WindowSentences } from './sentences.ts'

export const de: WindowSentences = {
  loading: 'Einen Moment…',
  askedBy: (site) => `Angefragt von ${site}`,
  confirmPayment: 'Zahlung bestätigen',
  makePasskey: 'Passkey für Ihre Karte erstellen',
  confirmCard: 'Karte bestätigen',
  passkeyText: 'Mit einem Passkey auf diesem Gerät bestätigen Sie Käufe per Fingerabdruck, Gesicht oder PIN.',
  bankText: 'Ihre Bank fragt auf ihrer eigenen Seite, ob Sie es sind. Von dort geht es hierher zurück.',
  shop: 'Händler',
  atMost: 'Höchstens',
  card: 'Karte',
  usePasskey: 'Mit Passkey bestätigen',
  createPasskey: 'Passkey erstellen',
  confirm: 'Weiter zu Ihrer Bank',
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
  testBank: 'Testmodus: Die Bank gehört zur Sandbox.',
}
