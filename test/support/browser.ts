import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, type TestContext } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The Chromium of this machine; undefined if there is none. */
export const executable = candidates.find(path => path !== undefined && existsSync(path))

/**
 * The reason to skip a test that needs a browser: false when there is one. In CI a missing browser is an error, because its
 * tests would pass without having run.
 */
export const withoutBrowser = skipReason()

function skipReason(): string | false {
  if (executable) return false
  const message =
    'NO BROWSER: install Chromium, or name it by CHROMIUM=/path/to/chromium, to run the tests of the pages.'
  if (process.env.CI) throw new Error(message)
  return message
}

/** A name that is no secure context, like the address of a restaurant's machine in its own network. */
export const hostName = 'servery.test'

let browser: Promise<Browser> | undefined

function launch(): Promise<Browser> {
  browser ??= chromium.launch({
    ...(executable && { executablePath: executable }),
    args: [
      `--host-resolver-rules=MAP ${hostName} 127.0.0.1`,
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-quic',
    ],
  })
  return browser
}

after(async () => {
  await (await browser)?.close()
})

export interface Window {
  page: Page
  context: BrowserContext
  /** The address of the site in this window, without a slash at its end. */
  site: string
  /** What no page may do: errors of scripts, violations of the policy, requests to another origin. */
  faults: string[]
}

export interface WindowOptions {
  /** 1280 × 800 by default. */
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  javaScriptEnabled?: boolean
  /** English by default. */
  locale?: string
  /** A Cookie header, such as that of a session. */
  cookie?: string
}

/**
 * Opens a window of a real browser for a test, at a host name that is no secure context. The test fails if a page has an error,
 * breaks its policy, or asks for anything from another origin.
 */
export async function openWindow(t: TestContext, port: number, options: WindowOptions = {}): Promise<Window> {
  const {
    width = 1280,
    height = 800,
    colorScheme = 'light',
    javaScriptEnabled = true,
    locale = 'en-GB',
    cookie,
  } = options
  const context = await (await launch()).newContext({
    viewport: { width, height },
    colorScheme,
    javaScriptEnabled,
    locale,
  })
  context.setDefaultTimeout(30_000)
  const site = `http://${hostName}:${port}`
  const faults: string[] = []
  for (const pair of cookie?.split(';') ?? []) {
    const [name = '', value = ''] = pair.trim().split('=')
    await context.addCookies([{ name, value, url: site, httpOnly: true, sameSite: 'Lax' }])
  }
  const page = await context.newPage()
  page.on('pageerror', error => faults.push(`error: ${error.message}`))
  page.on('console', message => {
    // A page that is refused on purpose is no fault of a script.
    const isStatus = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isStatus) faults.push(`console: ${message.text()}`)
  })
  page.on('request', request => {
    if (!request.url().startsWith(`${site}/`) && !/^(data|blob):/.test(request.url()))
      faults.push(`request: ${request.url()}`)
  })
  t.after(async () => {
    await context.close()
    assert.deepEqual(faults, [])
  })
  return { page, context, site, faults }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Fails if axe finds a barrier on the page, if it is wider than the window, or if a target is smaller than 44 px. */
export async function assertUsable(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const found: string[] = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: Axe }).axe.run()
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
    )
  })
  assert.deepEqual(found, [], page.url())
  await assertFits(page)
}

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
}

/** Fails if the page is wider than the window, or if a target is smaller than 44 px. */
export async function assertFits(page: Page): Promise<void> {
  assert.deepEqual(await flawsOfLayout(page), [], page.url())
}

async function flawsOfLayout(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const flaws: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) flaws.push(`the page is ${scrollWidth} px wide in a window of ${clientWidth}`)
    const targets = document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')
    for (const target of targets) {
      if (!target.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      // A link in a sentence is as high as its line; a checkbox is as large as its label.
      const box = (target.closest('label') ?? target).getBoundingClientRect()
      const isInSentence = getComputedStyle(target).display === 'inline'
      const isOffScreen = box.bottom <= 0
      if (isInSentence || isOffScreen || box.width === 0) continue
      if (box.height < 43.5 || box.width < 43.5) {
        flaws.push(`${target.outerHTML.slice(0, 120)} is ${Math.round(box.width)} × ${Math.round(box.height)} px`)
      }
    }
    return flaws
  })
}

const windows = [
  { width: 1280, height: 800, colorScheme: 'light', isChecked: true },
  // What axe would find there it finds in the others.
  { width: 390, height: 844, colorScheme: 'light', isChecked: false },
  { width: 320, height: 640, colorScheme: 'dark', isChecked: true },
] as const

/**
 * Looks at a page as people may: on a laptop and on a phone in light, on a small phone in dark, and with text at 200 %. With
 * SCREENSHOTS=folder, a picture of each is written there.
 */
export async function assertUsableEverywhere(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  for (const { width, height, colorScheme, isChecked } of windows) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    if (folder) await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true })
    await (isChecked ? assertUsable(page) : assertFits(page))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 640, height: 800 })
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('html { font-size: 200% !important }')
    document.adoptedStyleSheets = [sheet]
  })
  if (folder) await page.screenshot({ path: `${folder}/${name}-large-text.png`, fullPage: true })
  assert.deepEqual(await flawsOfLayout(page), [], `${page.url()} with text at 200 %`)
  await page.evaluate(() => {
    document.adoptedStyleSheets = []
  })
  await page.setViewportSize({ width: 1280, height: 800 })
}
