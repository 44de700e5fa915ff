/** An address on this site. Only `linker` makes it, so that an attribute cannot lead to a script or another site. */
export class Address {
  readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  static at(text: string): Address {
    // No escape can leave the site: one slash at the start, no backslash, no dot segments.
    if (
      !/^(\/(?!\/)[\w.~%!$&'()*+,;=:@-]*)+(\?[^\s#"<>\\]*)?(#[\w-]+)?$/.test(text) ||
      /\/\.{1,2}(\/|$|\?)/.test(text)
    ) {
      throw new TypeError(`not an address of this site: ${text}`)
    }
    return new Address(text)
  }
}

/** The values of a query. Empty text, null and undefined are left out; a list repeats its name. */
export type Query = Record<string, string | number | null | undefined | readonly (string | number)[]>

/** Makes the address of a path of this site, such as "/office/orders", with a query and the id of an element on the page. */
export type Link = (path: string, query?: Query, element?: string) => Address

/** The links of a site that is installed at `basePath` ("" or "/shop"). Texts inside a path are encoded by the caller. */
export function linker(basePath: string): Link {
  return (path, query = {}, element) => {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      for (const each of Array.isArray(value) ? value : [value]) {
        if (each !== null && each !== undefined && each !== '') parameters.append(name, String(each))
      }
    }
    const search = parameters.size > 0 ? `?${parameters}` : ''
    return Address.at(`${basePath}${path}${search}${element === undefined ? '' : `#${element}`}`)
  }
}
