import { sentences } from '../../../display/language.ts'

export const words = sentences({
  logIn: { en: 'Log in', de: 'Anmelden', pt: 'Iniciar sessão' },
  name: { en: 'Name', de: 'Name', pt: 'Nome' },
  password: { en: 'Password', de: 'Passwort', pt: 'Palavra-passe' },
  wrong: {
    en: 'The name or the password is wrong.',
    de: 'Der Name oder das Passwort ist falsch.',
    pt: 'O nome ou a palavra-passe está errado.',
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
  forgotten: {
    en: 'Forgotten? An owner can set a new password under Settings, or the machine’s operator with the command “staff password”.',
    de: 'Vergessen? Eine Inhaberin oder ein Inhaber kann unter „Einstellungen“ ein neues Passwort setzen, oder wer den Rechner betreut mit dem Befehl „staff password“.',
    pt: 'Esqueceu-se? Um proprietário pode definir uma nova palavra-passe nas definições, ou quem cuida da máquina com o comando «staff password».',
  },
})
