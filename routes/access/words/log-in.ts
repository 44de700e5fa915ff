import { sentences } from '../../../display/language.ts'

/** The words of the pages through which people get in. */
export const words = sentences({
  logIn: { en: 'Log in', de: 'Anmelden', pt: 'Iniciar sessão' },
  name: { en: 'Name', de: 'Name', pt: 'Nome' },
  password: { en: 'Password', de: 'Passwort', pt: 'Palavra-passe' },
  forgotten: {
    en: 'Forgotten? An owner can set a new password under Settings. So can whoever looks after the machine, with the command “staff password”.',
    de: 'Vergessen? Wer die Rolle „Inhaber“ hat, kann in den Einstellungen ein neues Passwort setzen. Wer den Rechner betreut, kann es mit dem Befehl „staff password“.',
    pt: 'Esqueceu-se? Um proprietário pode definir uma nova palavra-passe nas definições. Quem cuida da máquina também, com o comando «staff password».',
  },
  withPin: { en: 'Log in with a PIN', de: 'Mit PIN anmelden', pt: 'Iniciar sessão com PIN' },
  withPassword: {
    en: 'Log in with a password',
    de: 'Mit Passwort anmelden',
    pt: 'Iniciar sessão com palavra-passe',
  },
  kept: {
    en: 'You are no longer logged in. What you have entered is kept: log in, then send it again.',
    de: 'Sie sind nicht mehr angemeldet. Ihre Eingaben sind noch da: Melden Sie sich an und senden Sie sie dann noch einmal.',
    pt: 'A sua sessão terminou. O que escreveu foi guardado: inicie sessão e envie de novo.',
  },
  notKept: {
    en: 'You are no longer logged in, and nothing was saved. Log in and enter it again.',
    de: 'Sie sind nicht mehr angemeldet, und es wurde nichts gespeichert. Melden Sie sich an und geben Sie es noch einmal ein.',
    pt: 'A sua sessão terminou e nada foi guardado. Inicie sessão e escreva de novo.',
  },
  again: { en: 'Send it again?', de: 'Noch einmal senden?', pt: 'Enviar de novo?' },
  againHelp: {
    en: 'You are logged in. What you had entered has not been sent yet.',
    de: 'Sie sind angemeldet. Was Sie eingegeben hatten, wurde noch nicht gesendet.',
    pt: 'Sessão iniciada. O que tinha escrito ainda não foi enviado.',
  },
  send: { en: 'Send again', de: 'Noch einmal senden', pt: 'Enviar de novo' },
  dontSend: { en: 'Do not send', de: 'Nicht senden', pt: 'Não enviar' },

  setUp: { en: 'Set up', de: 'Einrichten', pt: 'Configurar' },
  setUpHelp: {
    en: 'Nobody can log in yet. You become the owner, who may do everything and adds the others.',
    de: 'Noch kann sich niemand anmelden. Sie werden Inhaberin oder Inhaber: Sie dürfen alles und tragen die anderen ein.',
    pt: 'Ainda ninguém pode iniciar sessão. Passa a ser o proprietário, que pode fazer tudo e adiciona os outros.',
  },
  setUpCode: { en: 'Code from the start', de: 'Code vom Start', pt: 'Código do arranque' },
  setUpCodeHelp: {
    en: 'Servery has printed it where it was started, in the terminal or the journal. It is valid for 30 minutes; a restart makes a new one.',
    de: 'Servery hat ihn dort ausgegeben, wo es gestartet wurde: im Terminal oder im Journal. Er gilt 30 Minuten; ein Neustart erzeugt einen neuen.',
    pt: 'O Servery mostrou-o onde foi iniciado: no terminal ou no registo do sistema. É válido durante 30 minutos; um reinício cria outro.',
  },
  yourName: { en: 'Your name', de: 'Ihr Name', pt: 'O seu nome' },
  newPassword: { en: 'New password', de: 'Neues Passwort', pt: 'Nova palavra-passe' },
  newPasswordHelp: {
    en: 'At least 10 characters. A sentence is easy to remember.',
    de: 'Mindestens 10 Zeichen. Ein Satz ist leicht zu merken.',
    pt: 'Pelo menos 10 caracteres. Uma frase é fácil de memorizar.',
  },
  start: { en: 'Become the owner', de: 'Inhaber werden', pt: 'Tornar-me proprietário' },

  whoAreYou: { en: 'Who are you?', de: 'Wer sind Sie?', pt: 'Quem é?' },
  pin: { en: 'PIN', de: 'PIN', pt: 'PIN' },
  pinHelp: { en: 'Six digits', de: 'Sechs Ziffern', pt: 'Seis algarismos' },
  nobodyHasPin: {
    en: 'Nobody has a PIN yet. An owner gives people one under Settings, Staff.',
    de: 'Noch hat niemand eine PIN. Wer die Rolle „Inhaber“ hat, vergibt sie unter Einstellungen, Personal.',
    pt: 'Ainda ninguém tem PIN. Um proprietário atribui-o em Definições, Pessoal.',
  },

  pair: { en: 'Pair this device', de: 'Dieses Gerät koppeln', pt: 'Emparelhar este dispositivo' },
  pairHelp: {
    en: 'A manager makes the code under Settings, Devices. It is valid for 10 minutes and works once.',
    de: 'Die Leitung erzeugt den Code unter Einstellungen, Geräte. Er gilt 10 Minuten und nur einmal.',
    pt: 'Um gerente cria o código em Definições, Dispositivos. É válido durante 10 minutos e só uma vez.',
  },
  code: { en: 'Code', de: 'Code', pt: 'Código' },
  pairButton: { en: 'Pair', de: 'Koppeln', pt: 'Emparelhar' },
  paired: { en: 'Paired', de: 'Gekoppelt', pt: 'Emparelhado' },
  pairedAs: {
    en: (title: string) => `This device is now “${title}”.`,
    de: title => `Dieses Gerät ist jetzt „${title}“.`,
    pt: title => `Este dispositivo é agora «${title}».`,
  },
  goOn: { en: 'Go on', de: 'Weiter', pt: 'Continuar' },

  approve: { en: 'A manager can allow this', de: 'Die Leitung kann das erlauben', pt: 'Um gerente pode autorizar' },
  approveHelp: {
    en: 'For this one act. It is recorded under the name of the manager.',
    de: 'Für dieses eine Mal. Es wird unter dem Namen der Person aus der Leitung festgehalten.',
    pt: 'Só desta vez. Fica registado com o nome do gerente.',
  },
  act: { en: 'Act', de: 'Vorgang', pt: 'Ação' },
  order: { en: 'Order', de: 'Bestellung', pt: 'Pedido' },
  payment: { en: 'Payment', de: 'Zahlung', pt: 'Pagamento' },
  amount: { en: 'Amount', de: 'Betrag', pt: 'Valor' },
  method: { en: 'Method', de: 'Zahlungsart', pt: 'Meio de pagamento' },
  reason: { en: 'Reason', de: 'Grund', pt: 'Motivo' },
  refund: { en: 'Give money back', de: 'Geld erstatten', pt: 'Reembolsar' },
  credit: { en: 'Give a credit', de: 'Gutschrift geben', pt: 'Dar um crédito' },
  void: { en: 'Void a payment', de: 'Zahlung stornieren', pt: 'Anular um pagamento' },
  noManagerHasPin: {
    en: 'No manager has a PIN yet. An owner gives them one under Settings, Staff.',
    de: 'Aus der Leitung hat noch niemand eine PIN. Wer die Rolle „Inhaber“ hat, vergibt sie unter Einstellungen, Personal.',
    pt: 'Ainda nenhum gerente tem PIN. Um proprietário atribui-o em Definições, Pessoal.',
  },
  allow: { en: 'Allow once', de: 'Einmal erlauben', pt: 'Autorizar uma vez' },
  cancel: { en: 'Cancel', de: 'Abbrechen', pt: 'Cancelar' },
})
