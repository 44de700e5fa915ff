import { sentences } from '../../../display/language.ts'

/** Changing an order. */
export const words = sentences({
  title: {
    en: (number: string) => `Change ${number}`,
    de: number => `${number} ändern`,
    pt: number => `Alterar ${number}`,
  },
  back: { en: 'Back without changes', de: 'Zurück ohne Änderung', pt: 'Voltar sem alterar' },
  lines: { en: 'What was ordered', de: 'Was bestellt wurde', pt: 'O que foi pedido' },
  remove: { en: 'Remove', de: 'Entfernen', pt: 'Retirar' },
  removeLine: {
    en: (name: string) => `Remove ${name}`,
    de: name => `${name} entfernen`,
    pt: name => `Retirar ${name}`,
  },
  replace: { en: 'Change', de: 'Ändern', pt: 'Alterar' },
  replaceLine: {
    en: (name: string) => `Change ${name}`,
    de: name => `${name} ändern`,
    pt: name => `Alterar ${name}`,
  },
  added: { en: 'To be added', de: 'Kommt dazu', pt: 'A adicionar' },
  addDishes: { en: 'Add dishes', de: 'Gerichte hinzufügen', pt: 'Adicionar pratos' },
  guest: { en: 'Guest and notes', de: 'Gast und Hinweise', pt: 'Cliente e notas' },
  name: { en: 'Name', de: 'Name', pt: 'Nome' },
  phone: { en: 'Phone', de: 'Telefon', pt: 'Telefone' },
  email: { en: 'Email', de: 'E-Mail', pt: 'E-mail' },
  notes: { en: 'Notes on the order', de: 'Hinweise zur Bestellung', pt: 'Notas do pedido' },
  newTotal: { en: 'The new total', de: 'Der neue Betrag', pt: 'O novo total' },
  isNewTotal: {
    en: (total: string) => `The new total is ${total}. Nothing is saved yet. Check it and save again.`,
    de: total => `Der neue Betrag ist ${total}. Es ist noch nichts gespeichert. Prüfen Sie ihn und speichern Sie dann.`,
    pt: total => `O novo total é ${total}. Ainda nada foi guardado. Verifique-o e guarde de novo.`,
  },
  unchanged: { en: 'Nothing is changed yet.', de: 'Es ist noch nichts geändert.', pt: 'Ainda nada foi alterado.' },
  sameTotal: { en: 'The total stays the same.', de: 'Der Betrag bleibt gleich.', pt: 'O total fica igual.' },
  more: {
    en: (amount: string) => `${amount} more to pay than before`,
    de: amount => `${amount} mehr zu zahlen als vorher`,
    pt: amount => `Mais ${amount} a pagar do que antes`,
  },
  less: {
    en: (amount: string) => `${amount} less to pay than before`,
    de: amount => `${amount} weniger zu zahlen als vorher`,
    pt: amount => `Menos ${amount} a pagar do que antes`,
  },
  update: { en: 'Show the new total', de: 'Neuen Betrag zeigen', pt: 'Mostrar o novo total' },
  save: { en: 'Save the changes', de: 'Änderungen speichern', pt: 'Guardar as alterações' },
})
