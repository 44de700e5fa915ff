import { type Language, sentences } from '../../display/language.ts'
import type { Refusal } from '../../store/terms/refusal.ts'
import type { TextFlaw } from '../../store/terms/text.ts'

/** The refusals of people, devices and log-ins. */
export type PeopleRefusal = Refusal<
  | 'text'
  | 'name taken'
  | 'unknown staff'
  | 'unknown device'
  | 'unknown session'
  | 'unknown location'
  | 'station elsewhere'
  | 'too many pairings'
  | 'invalid password'
  | 'invalid PIN'
  | 'too many log-ins'
  | 'wrong log-in'
  | 'wrong PIN'
  | 'wrong code'
  | 'wait before trying'
  | 'has owner'
  | 'last owner'
  | 'no password for staff'
>

/** A refusal of people, devices and log-ins as a sentence of a page; display/refusal.ts has those of the commands. */
export function refusalOf(language: Language, refusal: PeopleRefusal): string {
  const w = words[language]
  switch (refusal.refused) {
    case 'text':
      return textFlaw(w, refusal.flaw)
    case 'name taken':
      return w.nameTaken(refusal.name)
    case 'unknown staff':
    case 'unknown device':
    case 'unknown session':
    case 'unknown location':
    case 'station elsewhere':
      return w.gone
    case 'too many pairings':
      return w.tooManyPairings
    case 'invalid password':
      return refusal.flaw === 'the name'
        ? w.passwordIsName
        : typeof refusal.flaw === 'object' && 'shorterThan' in refusal.flaw
          ? w.tooShort(refusal.flaw.shorterThan)
          : textFlaw(w, refusal.flaw)
    case 'invalid PIN':
      return refusal.flaw === 'simple' ? w.simplePin : w.sixDigits
    case 'too many log-ins':
      return w.busy
    case 'wrong log-in':
      return w.wrongLogIn
    case 'wrong PIN':
      return w.wrongPin
    case 'wrong code':
      return w.wrongCode
    case 'wait before trying':
      return w.wait(refusal.seconds)
    case 'has owner':
      return w.hasOwner
    case 'last owner':
      return w.lastOwner(refusal.name)
    case 'no password for staff':
      return w.noPassword(refusal.name)
    default:
      return refusal satisfies never
  }
}

function textFlaw(w: (typeof words)['en'], flaw: TextFlaw): string {
  if (flaw === 'empty') return w.empty
  if (flaw === 'several lines') return w.oneLine
  return flaw === 'unstorable' ? w.unstorable : w.tooLong(flaw.longerThan)
}

const words = sentences({
  empty: { en: 'This must not be empty.', de: 'Das darf nicht leer sein.', pt: 'Não pode ficar vazio.' },
  oneLine: {
    en: 'This must not contain a line break.',
    de: 'Das darf keinen Zeilenumbruch enthalten.',
    pt: 'Não pode ter quebras de linha.',
  },
  unstorable: {
    en: 'This contains a character that cannot be stored.',
    de: 'Das enthält ein Zeichen, das nicht gespeichert werden kann.',
    pt: 'Contém um carácter que não pode ser guardado.',
  },
  tooLong: {
    en: (most: number) => `At most ${most} characters.`,
    de: most => `Höchstens ${most} Zeichen.`,
    pt: most => `No máximo ${most} caracteres.`,
  },
  tooShort: {
    en: (least: number) => `At least ${least} characters.`,
    de: least => `Mindestens ${least} Zeichen.`,
    pt: least => `Pelo menos ${least} caracteres.`,
  },
  passwordIsName: {
    en: 'The password must not be the name.',
    de: 'Das Passwort darf nicht der Name sein.',
    pt: 'A palavra-passe não pode ser o nome.',
  },
  sixDigits: { en: 'A PIN has six digits.', de: 'Eine PIN hat sechs Ziffern.', pt: 'Um PIN tem seis algarismos.' },
  simplePin: {
    en: 'This PIN is too easy to guess. Choose other digits.',
    de: 'Diese PIN ist zu leicht zu erraten. Wählen Sie andere Ziffern.',
    pt: 'Este PIN é demasiado fácil de adivinhar. Escolha outros algarismos.',
  },
  nameTaken: {
    en: (name: string) => `${name} already works here. Choose another name, such as one with an initial.`,
    de: name => `${name} arbeitet schon hier. Wählen Sie einen anderen Namen, etwa mit einem Buchstaben dahinter.`,
    pt: name => `${name} já trabalha aqui. Escolha outro nome, por exemplo com uma inicial.`,
  },
  gone: {
    en: 'This no longer exists. Somebody else may have changed it.',
    de: 'Das gibt es nicht mehr. Vielleicht hat es gerade jemand geändert.',
    pt: 'Isto já não existe. Talvez outra pessoa o tenha alterado.',
  },
  tooManyPairings: {
    en: 'Too many codes are in use. Wait until one has expired.',
    de: 'Zu viele Codes sind in Gebrauch. Warten Sie, bis einer abgelaufen ist.',
    pt: 'Há demasiados códigos em uso. Espere que um expire.',
  },
  wrongLogIn: {
    en: 'The name or the password is wrong.',
    de: 'Der Name oder das Passwort ist falsch.',
    pt: 'O nome ou a palavra-passe está errado.',
  },
  wrongPin: { en: 'The PIN is wrong.', de: 'Die PIN ist falsch.', pt: 'O PIN está errado.' },
  wrongCode: {
    en: 'The code is wrong, was used already or has expired.',
    de: 'Der Code ist falsch, wurde schon benutzt oder ist abgelaufen.',
    pt: 'O código está errado, já foi usado ou expirou.',
  },
  busy: {
    en: 'Too many people are logging in at the moment. Try again in a few seconds.',
    de: 'Gerade melden sich zu viele an. Versuchen Sie es in ein paar Sekunden noch einmal.',
    pt: 'Neste momento há demasiadas pessoas a iniciar sessão. Tente de novo dentro de alguns segundos.',
  },
  wait: {
    en: (seconds: number) => `Too many wrong tries. Try again in ${seconds} s.`,
    de: seconds => `Zu viele falsche Versuche. Versuchen Sie es in ${seconds} s noch einmal.`,
    pt: seconds => `Demasiadas tentativas erradas. Tente de novo dentro de ${seconds} s.`,
  },
  hasOwner: {
    en: 'There is an owner already. Log in instead.',
    de: 'Es gibt schon eine Inhaberin oder einen Inhaber. Melden Sie sich an.',
    pt: 'Já existe um proprietário. Inicie sessão.',
  },
  lastOwner: {
    en: (name: string) => `${name} is the only owner who can log in. Give somebody else this role first.`,
    de: name => `Außer ${name} kann sich niemand als Inhaber anmelden. Geben Sie zuerst jemand anderem diese Rolle.`,
    pt: name => `${name} é o único proprietário que pode iniciar sessão. Dê primeiro esta função a outra pessoa.`,
  },
  noPassword: {
    en: (name: string) => `${name} logs in with a PIN. Only owners and managers have a password.`,
    de: name => `${name} meldet sich mit einer PIN an. Ein Passwort haben nur Inhaber und Leitung.`,
    pt: name => `${name} inicia sessão com um PIN. Só proprietários e gerentes têm palavra-passe.`,
  },
})
