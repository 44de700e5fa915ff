interface Policy {
  createHTML(text: string): unknown
}

declare global {
  interface Window {
    trustedTypes?: { createPolicy(name: string, rules: { createHTML(text: string): string }): Policy }
  }
}

// The only way from text to HTML: pages of this server, which escapes everything.
const policy = window.trustedTypes?.createPolicy('servery', { createHTML: text => text })

/** The document of a page that this server has sent. */
export function parsePage(text: string): Document {
  const trusted = policy ? policy.createHTML(text) : text
  return new DOMParser().parseFromString(trusted as string, 'text/html')
}
