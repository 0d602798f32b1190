import type { Control } from './page-snapshot.ts'
import { tokensOf } from './words/words.ts'

/**
 * Whether a control asks for what no shop may have of its buyer in this way: passwords, PINs, codes of a sign-in, cards, bank accounts,
 * and what proves at a bank who somebody is. All that is written at it and all that a program calls it is looked at, in all languages at
 * once: in doubt it does.
 */
export function isSecretAsked(control: Control): boolean {
  const { kind, type, autocomplete, label, placeholder, near, group, name, id } = control
  if (type === 'password' || secretTokens.test(autocomplete)) return true
  const about = kind === 'radio' || label === '' ? group : ''
  const said = [label, placeholder, near, about, spaced(name), spaced(id)].join(' . ').slice(0, 1_000)
  const words = tokensOf(said)
  if (otherScripts.test(said.normalize('NFKC').toLowerCase())) return true
  return words.some((word) => whole.has(word)) || parts.test(` ${words.join(' ')} `)
}

const secretTokens = /\b(?:cc-|current-password|new-password|one-time-code)/u

const otherScripts = /暗証|パスワード|カード|口座|認証|セキュリティ|密码|密碼|银行|пароль|비밀번호/u

const whole: ReadonlySet<string> = new Set(
  `pin pins tan tans otp mfa totp cvc cvv ccv csc cvn iban bic swift ssn itin pan pwd passwd passcode passphrase passkey password passwords
   login username puk secret secrets cc ccnum ccnumber
   passwort kennwort geheimzahl losungswort prufziffer kontonummer bankleitzahl blz kartennummer kreditkarte bankverbindung
   sozialversicherungsnummer sicherheitsfrage geheimfrage geheimwort
   contrasena clave rib motdepasse wachtwoord wachtwoorden rekeningnummer pincode senha senhas haslo hasla losenord bankid personnummer
   bsn codigopin`.split(/\s+/u),
)

const parts = new RegExp(
  [
    ' card (?:number|no|num|code|pin|holder|expiry) ',
    ' (?:credit|debit|bank|gift|payment|charge) cards? ',
    ' (?:bank|account|routing|sort|transit|branch) (?:account|number|no|code) ',
    ' (?:security|verification|verify|confirmation|access|auth\\w*|activation|one ?time|sms|e?mail|sign ?in|log ?in|unlock|backup|recovery) (?:code|pin|number|token|phrase|key|question|answer) ',
    ' code (?:we|that we|from your|sent) ',
    ' social security ',
    ' maiden name ',
    ' (?:online|internet) banking ',
    ' (?:private key|seed phrase) ',
    ' wallet (?:key|phrase|seed) ',
    ' cv 2 ',
    ' expir(?:y|ation|es) ',
    ' valid (?:thru|until|to) ',
    ' mot de passe ',
    ' code (?:secret|de securite|confidentiel|de verification|de confirmation|recu) ',
    ' (?:carte|tarjeta|carta|cartao) (?:bancaire|bancaria|de credit\\w*|de debit\\w*|di credito) ',
    ' numero (?:(?:de|da|do|della|del|di) )?(?:carte|tarjeta|carta|cartao|cuenta|conto|conta|compte) ',
    ' (?:codigo|codice) (?:(?:de|di|da) )?(?:seguridad|verificacion|sicurezza|verifica|seguranca|verificacao|pin|segreto) ',
    ' (?:sicherheits|bestatigungs|einmal|freischalt|zugangs|pruf)\\w*code ',
    ' (?:beveiligings|verificatie)\\w*code ',
    ' (?:numer karty|numer konta|numer rachunku|kod weryfikacyjny) ',
    ' (?:kortnummer|sakerhetskod|verifieringskod) ',
    ' (?:karten|kreditkarten|konto)\\w*nummer ',
  ].join('|'),
  'u',
)

/** Names of programs, cut into words. */
function spaced(name: string): string {
  return name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
}
