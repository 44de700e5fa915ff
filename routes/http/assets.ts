import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../../store/log.ts'
import { type Prepared, prepareBytes } from './prepared.ts'

const browser = fileURLToPath(new URL('../../browser/', import.meta.url))

// The oldest browsers that hang on walls in kitchens. Older targets cannot be compiled to.
const targets = ['chrome90', 'firefox90', 'safari14.1']

/** The scripts: one for each kind of pages, browser/NAME.ts with what it imports. */
const bundles = ['office', 'kitchen', 'guest'] as const
export type Bundle = (typeof bundles)[number]

interface Asset {
  name: string
  prepared: Prepared
}

/** The style sheet, the icon and the scripts of the pages. Their names change with their content, so that browsers can keep them. */
export interface Assets {
  /** Resolves once the scripts are built or that has failed. To be called once, before the first page. */
  build(): Promise<void>
  styles(): string
  icon(): string
  /** Undefined when the build has failed: the pages work without their scripts. */
  script(bundle: Bundle): string | undefined
  named(name: string): Prepared | undefined
}

/** The assets, made in memory. */
export function assets(log: Log): Assets {
  let styles: Asset | undefined
  let icon: Asset | undefined
  const scripts = new Map<string, Asset>()

  async function buildScripts(): Promise<void> {
    try {
      const { build, stop } = await import('esbuild')
      const { outputFiles } = await build({
        entryPoints: bundles.map(name => `${browser}${name}.ts`),
        outdir: browser,
        bundle: true,
        minify: true,
        format: 'iife',
        target: targets,
        write: false,
        logLevel: 'silent',
      })
      // Its process would stay as long as the server.
      await stop()
      for (const { path, contents } of outputFiles) {
        const name = basename(path, '.js')
        scripts.set(name, asset(name, 'js', 'text/javascript; charset=utf-8', Buffer.from(contents)))
      }
    } catch (error) {
      log.error('the scripts of the pages were not built', error, { advice: 'The pages work without them.' })
    }
  }

  function styleSheet(): Asset {
    styles ??= asset('style', 'css', 'text/css; charset=utf-8', joinedStyles())
    return styles
  }

  function iconFile(): Asset {
    icon ??= asset('icon', 'svg', 'image/svg+xml', readFileSync(`${browser}icon.svg`))
    return icon
  }

  return {
    build: buildScripts,
    styles: () => styleSheet().name,
    script: bundle => scripts.get(bundle)?.name,
    icon: () => iconFile().name,
    named: name => [styleSheet(), iconFile(), ...scripts.values()].find(each => each.name === name)?.prepared,
  }
}

const headers = ['Cache-Control', 'public, max-age=31536000, immutable', 'X-Content-Type-Options', 'nosniff']

function asset(title: string, extension: string, type: string, bytes: Buffer): Asset {
  const name = `${title}-${hash('sha256', bytes, 'hex').slice(0, 16)}.${extension}`
  return { name, prepared: prepareBytes(bytes, type, headers) }
}

/** The sheets of browser/style/, in the order of their names. */
function joinedStyles(): Buffer {
  const folder = `${browser}style/`
  const sheets = readdirSync(folder).filter(name => name.endsWith('.css'))
  return Buffer.concat(sheets.sort().map(name => readFileSync(`${folder}${name}`)))
}
