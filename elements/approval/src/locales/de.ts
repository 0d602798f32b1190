import type { Sentences } from './sentences.ts'

export const de: Sentences = {
  loading: 'Der Kauf wird geladen',
  asks: (name) => `${name} bittet Sie, einen Kauf zu genehmigen`,
  beforeText:
    'Als Nächstes sehen Sie, was gekauft wird und was es höchstens kostet. Vor Ihrer Genehmigung wird nichts gekauft.',
  show: 'Kauf ansehen',
  answerBy: (time) => `Sie können bis ${time} antworten.`,
  atMost: 'Sie zahlen höchstens',
  atMostText: 'Mit Versand und Steuern. Mehr wird nicht abgebucht.',
  risen: 'Der Preis ist seit der Genehmigung gestiegen. Dies ist der neue.',
  boughtFor: 'Gekauft für',
  shippedTo: 'Geliefert an',
  answeredAgain: 'Wird wieder beantwortet, wenn der Shop fragt',
  why: 'Warum Sie gefragt werden',
  reasons: {
    always: (name) => `${name} lässt Käufe wie diesen von einem Menschen genehmigen.`,
    limit: (name) => `Der Kauf kostet mehr, als bei ${name} ohne Rückfrage gekauft wird.`,
    merchant: (name) => `Bei diesem Shop oder dieser Art von Kauf lässt ${name} einen Menschen entscheiden.`,
    card: () => 'Die Karte verlangt Ihre Bestätigung.',
    price: () => 'Der Shop verlangt mehr, als genehmigt war.',
    retry: () => 'Der erste Versuch ist gescheitert und soll wiederholt werden.',
  },
  payWith: 'Bezahlen mit',
  cardEnding: (brand, last4) => `${brand} mit den Endziffern ${last4}`,
  cardExpiry: (expiry) => `Gültig bis ${expiry}`,
  cardOver: 'Abgelaufen',
  noCards: (name) =>
    `Es gibt keine Karte, mit der bezahlt werden kann. Bitten Sie ${name}, zuerst Ihre Karte hinzuzufügen.`,
  codeInTest: 'Im Testmodus ist die Prüfziffer 111, bei American Express 1111.',
  passkeyNext: 'Danach bestätigen Sie mit Ihrem Passkey in einem Fenster.',
  popupNext: 'Danach fragt Ihre Bank Sie in einem Fenster.',
  window: 'Machen Sie im geöffneten Fenster weiter. Diese Seite merkt, wenn Sie fertig sind.',
  openWindow: 'Fenster öffnen',
  approve: 'Genehmigen',
  decline: 'Ablehnen',
  approved: 'Sie haben diesen Kauf genehmigt',
  approvedText: 'Er wird jetzt ausgeführt. Sie müssen nichts weiter tun.',
  declined: 'Sie haben diesen Kauf abgelehnt',
  declinedText: 'Es wird nichts gekauft und nichts abgebucht.',
  back: (name) => `Zurück zu ${name}`,
  close: 'Sie können diese Seite schließen.',
  offline: 'Keine Verbindung. Prüfen Sie, ob Sie online sind, und versuchen Sie es noch einmal.',
  tooMany: (minutes) =>
    `Das wurde zu oft versucht. Versuchen Sie es in ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} noch einmal.`,
  shownAgain:
    'Etwas hat sich geändert, oder diese Seite war lange offen. Sehen Sie sich den Kauf noch einmal an, bevor Sie entscheiden.',
  notThisCard:
    'Diese Karte zeigt nicht, dass Sie es sind: Sie wurde auf einer Seite hinzugefügt, die auch andere benutzen können. Wählen Sie eine andere.',
  notProven: 'Das wurde nicht bestätigt. Prüfen Sie die Angabe, oder versuchen Sie es noch einmal.',
  notAllowed: (name) => `${name} lässt diesen Kauf nicht mehr zu.`,
  failed: 'Das hat nicht funktioniert. Versuchen Sie es gleich noch einmal.',
  over: 'Dieser Link gilt nicht mehr',
  overText:
    'Seine Zeit ist um, oder der Kauf wartet nicht mehr auf Sie. Bitten Sie den Absender um einen neuen.',
  claimed: 'Dieser Link wurde in einem anderen Browser geöffnet',
  claimedText:
    'Er gilt nur dort, wo er zuerst geöffnet wurde. Machen Sie dort weiter, oder bitten Sie den Absender um einen neuen – auch dann, wenn Sie das nicht waren.',
  incomplete: 'Dieser Link ist unvollständig',
  incompleteText: 'Öffnen Sie ihn noch einmal aus der Nachricht, in der Sie ihn bekommen haben.',
}
