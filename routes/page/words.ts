import { sentences } from '../../display/language.ts'

/** The words around every page. */
export const words = sentences({
  office: { en: 'Office', de: 'Büro', pt: 'Gestão' },
  skip: { en: 'Skip to the content', de: 'Zum Inhalt springen', pt: 'Saltar para o conteúdo' },
  more: { en: 'More', de: 'Mehr', pt: 'Mais' },
  orders: { en: 'Orders', de: 'Bestellungen', pt: 'Pedidos' },
  till: { en: 'Till', de: 'Kasse', pt: 'Caixa' },
  menu: { en: 'Menu', de: 'Speisekarte', pt: 'Ementa' },
  stock: { en: 'Stock', de: 'Bestand', pt: 'Stock' },
  money: { en: 'Money', de: 'Geld', pt: 'Dinheiro' },
  reports: { en: 'Reports', de: 'Berichte', pt: 'Relatórios' },
  integrations: { en: 'Integrations', de: 'Integrationen', pt: 'Integrações' },
  settings: { en: 'Settings', de: 'Einstellungen', pt: 'Definições' },
  account: { en: 'Your account', de: 'Ihr Konto', pt: 'A sua conta' },
  switchPerson: { en: 'Somebody else', de: 'Jemand anders', pt: 'Outra pessoa' },
  logOut: { en: 'Log out', de: 'Abmelden', pt: 'Terminar sessão' },
  language: { en: 'Language', de: 'Sprache', pt: 'Idioma' },
  back: { en: 'Go to the start page', de: 'Zur Startseite', pt: 'Ir para a página inicial' },
  requestNumber: {
    en: (id: string) => `Request number for the log: ${id}`,
    de: id => `Nummer der Anfrage für das Protokoll: ${id}`,
    pt: id => `Número do pedido para o registo: ${id}`,
  },
  notFound: { en: 'There is no page here', de: 'Hier ist keine Seite', pt: 'Não há nenhuma página aqui' },
  notFoundHelp: {
    en: 'The address may be mistyped, or what it showed no longer exists.',
    de: 'Die Adresse ist vielleicht falsch geschrieben, oder es gibt nicht mehr, was hier stand.',
    pt: 'O endereço pode estar mal escrito, ou o que aqui estava já não existe.',
  },
  wrongRequest: {
    en: 'This form could not be read',
    de: 'Dieses Formular konnte nicht gelesen werden',
    pt: 'Não foi possível ler este formulário',
  },
  wrongRequestHelp: {
    en: 'Nothing was changed. Go back, reload the page and try again.',
    de: 'Es wurde nichts geändert. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
    pt: 'Nada foi alterado. Volte atrás, recarregue a página e tente de novo.',
  },
  tooLarge: { en: 'This is too large to send', de: 'Das ist zu groß zum Senden', pt: 'É demasiado grande para enviar' },
  tooLargeHelp: {
    en: 'Nothing was changed. Go back and send less at once.',
    de: 'Es wurde nichts geändert. Gehen Sie zurück und senden Sie weniger auf einmal.',
    pt: 'Nada foi alterado. Volte atrás e envie menos de uma vez.',
  },
  notAllowed: { en: 'You may not do this', de: 'Das dürfen Sie nicht', pt: 'Não tem permissão para isto' },
  notAllowedHelp: {
    en: 'Nothing was changed. Ask the owner or a manager.',
    de: 'Es wurde nichts geändert. Fragen Sie die Inhaberin, den Inhaber oder die Leitung.',
    pt: 'Nada foi alterado. Peça ao proprietário ou a um gerente.',
  },
  notLoggedIn: { en: 'Nobody is logged in', de: 'Niemand ist angemeldet', pt: 'Ninguém tem sessão iniciada' },
  notLoggedInHelp: {
    en: 'Nothing was changed. Log in, then try again.',
    de: 'Es wurde nichts geändert. Melden Sie sich an, und versuchen Sie es noch einmal.',
    pt: 'Nada foi alterado. Inicie sessão e tente de novo.',
  },
  crossSite: {
    en: 'This form came from another site',
    de: 'Dieses Formular kam von einer anderen Website',
    pt: 'Este formulário veio de outro site',
  },
  crossSiteHelp: {
    en: 'Nothing was changed. If it was a page of this site, the proxy in front of it changes the name (docs/deploy.md).',
    de: 'Es wurde nichts geändert. War es eine Seite dieser Website, ändert der Proxy davor den Namen (docs/deploy.md).',
    pt: 'Nada foi alterado. Se era uma página deste site, o proxy à frente muda o nome (docs/deploy.md).',
  },
  unknownHost: {
    en: 'This site is not known by this name',
    de: 'Diese Website ist unter diesem Namen nicht bekannt',
    pt: 'Este site não é conhecido por este nome',
  },
  unknownHostHelp: {
    en: 'Whoever runs it can add the name to HOSTS (docs/deploy.md).',
    de: 'Wer sie betreibt, kann den Namen in HOSTS eintragen (docs/deploy.md).',
    pt: 'Quem o gere pode acrescentar o nome a HOSTS (docs/deploy.md).',
  },
  failed: { en: 'This did not work', de: 'Das hat nicht funktioniert', pt: 'Isto não funcionou' },
  failedHelp: {
    en: 'Nothing was changed. Try again. If it fails again, look into the log.',
    de: 'Es wurde nichts geändert. Versuchen Sie es noch einmal. Wenn es wieder nicht geht, sehen Sie ins Protokoll.',
    pt: 'Nada foi alterado. Tente de novo. Se voltar a falhar, consulte o registo.',
  },
  diskFailed: {
    en: 'This could not be saved',
    de: 'Das konnte nicht gespeichert werden',
    pt: 'Não foi possível guardar',
  },
  diskFailedHelp: {
    en: 'The disk is full or cannot be written. Nothing was changed. Free some space or check the disk, then try again.',
    de: 'Die Festplatte ist voll oder kann nicht beschrieben werden. Es wurde nichts geändert. Schaffen Sie Platz oder prüfen Sie die Festplatte und versuchen Sie es dann noch einmal.',
    pt: 'O disco está cheio ou não pode ser escrito. Nada foi alterado. Liberte espaço ou verifique o disco e tente de novo.',
  },
  again: { en: 'Try again', de: 'Noch einmal versuchen', pt: 'Tentar de novo' },
  stopping: { en: 'Servery is stopping', de: 'Servery wird beendet', pt: 'O Servery está a parar' },
  stoppingHelp: {
    en: 'Nothing was changed. Wait a moment and try again.',
    de: 'Es wurde nichts geändert. Warten Sie einen Moment und versuchen Sie es noch einmal.',
    pt: 'Nada foi alterado. Espere um momento e tente de novo.',
  },
})
