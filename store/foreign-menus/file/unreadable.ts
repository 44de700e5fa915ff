/** A file that cannot be converted. The message ends a sentence that begins with the file's name. */
export class UnreadableMenu extends Error {}
